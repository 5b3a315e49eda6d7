"""FastAPI and Starlette stay real: endpoints can be called directly, with what they depend on."""
