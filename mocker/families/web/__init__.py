"""Web frameworks whose views are called directly."""
