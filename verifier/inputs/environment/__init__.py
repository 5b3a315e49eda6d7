"""Inputs of a target besides its arguments: modules, contexts, requests, variables."""
