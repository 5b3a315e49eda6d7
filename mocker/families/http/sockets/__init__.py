"""Sockets of the internet are answered in the process; those of the machine stay real."""
