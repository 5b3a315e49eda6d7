"""Mocked slices: do they import, construct and run?"""
