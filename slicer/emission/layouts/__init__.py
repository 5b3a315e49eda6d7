"""The layouts that a slice can be written in, one folder each."""
