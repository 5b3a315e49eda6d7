"""Code that runs inside the sandbox, beside untrusted code. It imports the standard library and
siblings only.
"""
