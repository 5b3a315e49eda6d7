"""What a piece of code uses: one walk over a definition that yields names, members, operators and
imports.

The result does not depend on what is kept. It is computed once for each definition and serves every
target.
"""
