"""What attribute accesses of the kept code ask of their receivers."""
