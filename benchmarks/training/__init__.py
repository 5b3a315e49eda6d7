"""What training data costs, what is in it, and what trainers make of it."""
