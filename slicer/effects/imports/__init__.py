"""What importing a module loads, in which order, and what runs then."""
