"""Cases that people wrote, and scripts with tests."""
