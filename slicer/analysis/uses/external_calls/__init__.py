"""What functions outside ask of the arguments that they are given."""
