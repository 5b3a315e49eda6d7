"""Programs that run beside a target, in an environment with the tools that write tests for it."""
