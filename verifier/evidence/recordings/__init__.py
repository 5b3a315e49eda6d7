"""Recorded calls: read, carved into cases, and what all of them share."""
