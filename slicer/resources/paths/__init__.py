"""String evaluation: which text an expression has, for paths and package resources."""
