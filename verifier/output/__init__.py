"""Scripts for people and other programs: the slice with tests that need nothing else of
slice-func.
"""
