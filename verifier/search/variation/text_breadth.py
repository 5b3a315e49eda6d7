"""Variations of texts: other parts in the same structure, and the same parts in another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from ..drafts.code_literals import CodeLiterals

MANY = 25
"""Items of a long collection: more than small buffers and sorting networks handle at once."""
MOST_MINED = 4
"""Literals of the code that are tried at each place."""
_LONGEST_TEXT = 400
_SHORT = 2
"""Longest text, in characters, that is a sign rather than a word."""
_MOST_CHARACTERS = 12
_SIGNS = "$'\"*;&<%\\#=|()[]{}\u00a0"
"""Characters that code quotes or escapes."""
_MOST_SIGNS = 5
"""Signs that are tried at each turn."""
_NUMBER = re.compile(r"\d+")
_SEPARATOR = re.compile(r"[^\w\s]+|\s+")
_ZONE = re.compile(r"(?<=:\d\d)(?:Z|[+-]\d\d(:?)\d\d)\Z")
"""The time zone at the end of a time of day."""
_FILE = re.compile(r"[\w-]+\.[a-z]\w{0,4}")
_WORD = re.compile(r"[^\W\d_]+")
_ABOUT_CHARACTERS = (
    "text: sign", "text: blank", "text: not ASCII", "text: beyond", "text: other blanks",
    "text: upper", "text: lines", "text: other case rules",
)  # fmt: skip
"""Tags of changes to the characters of a text. All other changes concern its parts."""


def texts(value: str, literals: CodeLiterals) -> Iterator[tuple[str, str]]:
    """Yield other texts with tags: other parts in the same structure, the same parts in another."""
    for tag, made in _texts(value, literals):
        if made != value and len(made) <= _LONGEST_TEXT:
            yield f"text: {tag}", made


def two_changes(value: str, literals: CodeLiterals, random: Random) -> tuple[str, str]:
    """Return a text changed in its parts and then in its characters, with its tags.

    What a target does with parts often matters only where a part holds something special.
    """
    first, made = _drawn(value, literals, random, about_characters=False)
    second, made = _drawn(made, literals, random, about_characters=True)
    return f"{first} {second}", made


def _drawn(
    value: str, literals: CodeLiterals, random: Random, *, about_characters: bool
) -> tuple[str, str]:
    by_tag: dict[str, list[str]] = {}
    for tag, made in texts(value, literals):
        if tag.startswith(_ABOUT_CHARACTERS) == about_characters:
            by_tag.setdefault(tag, []).append(made)
    if not by_tag:
        return "", value
    tag = random.choice(list(by_tag))
    return tag, random.choice(by_tag[tag])


def _texts(value: str, literals: CodeLiterals) -> Iterator[tuple[str, str]]:
    yield "upper", value.upper()
    yield "title", value.title()
    yield "blanks around", f" {value}\t"
    yield "empty", ""
    yield from _inside(value)
    yield from _elsewhere(value)
    yield from _other_characters(value, literals.characters)
    yield "twice", f"{value} {value}"
    yield "not ASCII", f"{value}é"
    yield "signs", f"{value}$'\"*;"
    yield "signs without its head", f"{value[1:]}$'\"*;"
    start = literals.turn * _MOST_SIGNS % len(_SIGNS)
    for sign in (_SIGNS * 2)[start : start + _MOST_SIGNS]:
        # one at a time, for code that looks for some of them
        yield f"sign {sign}", f"{value[:-1]}{sign}{value[-1:]}"
    yield "beyond encodings", f"{value}\u20ac\U0001f600"
    yield "other case rules", f"ß{value}İ"
    yield "other blanks", f"\u00a0{value}\u2003\v"
    yield "shorter", value[:-1]
    yield "plural", f"{value}s"
    yield "without its head", value[1:]
    yield "reversed", value[::-1]
    for mined in (*literals.matching[:MOST_MINED], *literals.texts[:MOST_MINED]):
        yield "mined", mined
        yield "mined before", f"{mined}{value}"
        yield "mined behind", f"{value}{mined}"
        if len(mined) <= _SHORT:  # `strip` removes all, `removesuffix` one
            yield "mined twice before", f"{mined}{mined}{value}"
            yield "mined twice behind", f"{value}{mined}{mined}"
        yield "mined inside", f"{value[: len(value) // 2]}{mined}{value[len(value) // 2 :]}"
    for separator in [each for each in literals.texts if _SEPARATOR.fullmatch(each)][:1]:
        for mined in [each for each in literals.texts if _WORD.fullmatch(each)][:MOST_MINED]:
            yield "mined parts", separator.join((value, "b", mined))
    if _FILE.fullmatch(value):
        yield "in a folder", f"folder/{value}"
    yield "lines", f"{value}\n\n{value}2\r\n"
    yield "blank", "   "
    yield "many", "-".join([value or "a"] * MANY)


def _inside(value: str) -> Iterator[tuple[str, str]]:
    """Yield the text with other numbers, other words, and its separators moved."""
    for at, found in enumerate(_NUMBER.finditer(value)):
        if at < MOST_MINED:
            for made in (int(found[0]) + 1, 0, 10, int(found[0]) * 7 + 3):
                number = str(made).zfill(len(found[0]) if found[0][0] == "0" else 0)
                yield "other number", f"{value[: found.start()]}{number}{value[found.end() :]}"
    words = list(_WORD.finditer(value))[:MOST_MINED]
    for found in words if len(words) > 1 else ():
        yield "number for word", f"{value[: found.start()]}12{value[found.end() :]}"
    separators = dict.fromkeys(_SEPARATOR.findall(value))
    for separator in list(separators)[:MOST_MINED]:
        yield "separator doubled", value.replace(separator, separator * 2, 1)
        yield "separator dropped", value.replace(separator, "", 1)
        if len(separator) > 1:
            yield "separator shortened", value.replace(separator, separator[:-1], 1)
        yield "separator at the end", f"{value}{separator}"
        yield "separator at the start", f"{separator}{value}"
        yield "separator and more", f"{value}{separator}{value}"
        yield "separator and alike", f"{value}{separator}{numbered(value, 5)}"
        yield "separator and other", f"{value}{separator}x1"
        yield "only separator", separator
    for found in words:
        yield "other word", f"{value[: found.start()]}Zebra{value[found.end() :]}"
        yield "word twice", f"{value[: found.end()]}{found[0]}{value[found.end() :]}"
        yield "word alike", f"{value} {found[0]}2"


def _other_characters(value: str, known: str) -> Iterator[tuple[str, str]]:
    """Yield the text with its first looked-up character replaced by each other one, and by none."""
    known = known[:_MOST_CHARACTERS]
    at = next((at for at, each in enumerate(value) if each in known), None)
    if at is None:
        return
    near = (chr(ord(each) + step) for each in known for step in (-1, 1) if each.isalnum())
    for made in dict.fromkeys((*known, *(each for each in near if each.isalnum()))):
        yield f"character {made}", f"{value[:at]}{made}{value[at + 1 :]}"


def _elsewhere(value: str) -> Iterator[tuple[str, str]]:
    """Yield a time of day in zones on another UTC day, or off by no whole hours."""
    found = _ZONE.search(value)
    if found:
        colon = ":" if found[1] is None else found[1]
        for sign, hours, minutes in (("+", "14", "00"), ("-", "09", "30"), ("+", "05", "45")):
            yield "other zone", f"{value[: found.start()]}{sign}{hours}{colon}{minutes}"


def other_last_word(value: str) -> str:
    """Return the text with its last word replaced: a sibling of the same form."""
    *_, last = ["", *_WORD.finditer(value)]
    if isinstance(last, str):
        return f"{value}2"
    return f"{value[: last.start()]}Zebra{value[last.end() :]}"


def numbered(value: str, n: int) -> str:
    """Return the text with its last number raised, or with a number appended."""
    found = list(_NUMBER.finditer(value))
    if found:
        last = found[-1]
        return f"{value[: last.start()]}{int(last[0]) + n}{value[last.end() :]}"
    return f"{value}{n + 1}"
