"""Whatever cannot be installed, or must not run here: modules written from types and uses."""
