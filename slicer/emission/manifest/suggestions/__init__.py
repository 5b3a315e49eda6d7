"""Suggestions: classes that a parameter of the target may take and that the slice does not hold.

They are suggested, not kept, because the heuristics are weaker than the closure. `Mentions`
searches call sites, subclasses and uses of members in the whole repository, tests included.
"""
