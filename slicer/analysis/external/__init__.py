"""What library code outside the repository does with the repository's classes, read from its
source.
"""
