"""Missing modules: settings, modules that cannot be installed, metadata."""
