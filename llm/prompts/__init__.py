"""Prompts: texts in files that people can edit."""
