"""Merge the kept texts of modules into parts of one script, where that provably changes nothing."""
