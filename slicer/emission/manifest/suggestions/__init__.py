"""Classes that a parameter of the target may take and that the slice does not hold.

They are offered, not kept: the means are weaker than those of the closure. Call sites, subclasses
and uses of members are searched in the whole repository, tests included, by `Mentions`.
"""
