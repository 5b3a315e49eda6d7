"""Executors: where untrusted scripts run, behind one contract."""

EXECUTORS = (
    ("embedded", "embedded_executor", True),
    ("docker", "docker.docker_executor", True),
    ("plain", "plain_executor", False),
)
"""Name, the module with the class `EXECUTOR`, and whether it is a sandbox, in the order in which
they are tried. Modules are imported on first use."""
NAMES = tuple(name for name, _, _ in EXECUTORS)
