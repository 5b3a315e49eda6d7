"""Declared interfaces: the names in installed packages and stub packages."""

from .declared_members import Member, is_exception, line_of, members_of
from .stub_reader import Found, Reader
from .stub_sources import Source
from .typed_answers import Answers

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
