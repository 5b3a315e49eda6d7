"""Import names and distributions: what a repository declares, and which distribution provides a
module.
"""
