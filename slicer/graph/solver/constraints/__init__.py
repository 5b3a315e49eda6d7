"""From each kind of fact to constraints."""
