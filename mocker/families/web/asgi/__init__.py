"""FastAPI and Starlette stay real: endpoints can be called directly, with their dependencies."""
