"""Isolation: namespaces, filters, and the processes from which runs are forked."""
