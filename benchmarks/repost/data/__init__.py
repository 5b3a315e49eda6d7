"""The data set: examples, repositories, environments."""
