"""Interfaces that somebody has declared: what installed packages and stub packages say of names."""

from .answers import Answers
from .members import Member, is_exception, line_of, members_of
from .reader import Found, Reader
from .sources import Source

__all__ = [
    "Answers",
    "Found",
    "Member",
    "Reader",
    "Source",
    "is_exception",
    "line_of",
    "members_of",
]
