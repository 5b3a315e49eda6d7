"""Django's views can be called directly; URLs and templates resolve by name."""
