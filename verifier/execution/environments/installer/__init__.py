"""The installer, uv, as a process, with its cache and interpreters."""
