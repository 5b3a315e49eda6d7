"""What files must hold."""
