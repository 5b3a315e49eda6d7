"""The reward service: candidates are scored over HTTP, in warm sandboxes."""
