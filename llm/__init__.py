"""The language model's part: it answers only gaps that static analysis named, and every answer is
checked.
"""
