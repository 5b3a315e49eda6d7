"""Prompts at the terminal are answered, and programs are started with the required arguments."""
