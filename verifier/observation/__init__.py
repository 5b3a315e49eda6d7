"""The trusted half of observations: decode one, compare two, name the first difference."""
