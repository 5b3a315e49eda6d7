"""Modules of hardware, written by hand: each file is carried as the module that its name says."""
