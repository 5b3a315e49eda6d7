"""The shape of single arguments, and how arguments fit together."""
