"""Recipes that train on data of slice-func; they need `requirements.txt`, slice-func does not."""
