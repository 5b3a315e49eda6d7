"""Services: rewards over HTTP, and tools for agents."""
