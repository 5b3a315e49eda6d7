"""Answers of servers, databases and models."""
