"""Mutation operators for mistakes that people and models make, besides the usual operators."""
