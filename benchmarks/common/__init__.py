"""What all benchmarks share: result files, resumed runs, clean-up."""
