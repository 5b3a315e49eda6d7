"""Scripts for people and other programs: the slice with tests that need nothing of ours."""
