"""What runs inside the sandbox, next to untrusted code: standard library and siblings only."""
