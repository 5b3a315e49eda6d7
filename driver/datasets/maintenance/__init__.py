"""What is done with finished datasets: checked, merged, split, compared."""
