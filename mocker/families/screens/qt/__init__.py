"""Qt under each of its bindings: classes that keep state and can be subclassed, without a
display.
"""
