"""What a piece of code uses: one walk over a definition, giving names, members, operators, imports.

The result does not depend on what is kept, so it is computed once per definition and serves every
target.
"""
