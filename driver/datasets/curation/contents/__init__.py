"""What a repository contains: its files at a commit, and what they say of it."""
