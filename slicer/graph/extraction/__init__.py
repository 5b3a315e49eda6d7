"""From a module's syntax tree to facts."""
