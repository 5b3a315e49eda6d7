"""Resolution of module-level names: a definition, an import, or a name that code exports at run
time.
"""
