"""Near duplicates: the shingles of a function, which are runs of five tokens, as numbers.

Tokens are those of the text, so that code that no longer parses and fragments have them, too;
comments, docstrings and layout are left out. The numbers depend on nothing but the tokens.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LENGTH = 5
"""Tokens in a shingle, as in the deduplication of The Stack (arXiv 2211.15533, section 3.2)."""

_STRING = r"""
    [A-Za-z]{0,2} (?: \"{3} (?: [^\\] | \\. )*? \"{3} | '{3} (?: [^\\] | \\. )*? '{3}
    | " (?: [^"\\\n] | \\. )* " | ' (?: [^'\\\n] | \\. )* ' )
"""
_DOCSTRING = re.compile(
    rf": [ \t]* (?: \#[^\n]* )? \n \s* {_STRING} (?= [ \t]* (?: [\n#;] | \Z ) )", re.S | re.X
)
_TOKEN = re.compile(rf"\#[^\n]* | {_STRING} | \w+ | [^\w\s]", re.S | re.X)
_CLOSING = frozenset(")]}")
_WEIGHTS = (  # odd 64-bit constants of xxHash and MurmurHash
    *(0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9),
    *(0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD),
)


def tokens_of(code: str) -> list[str]:
    """Return the tokens of a text, without comments, docstrings and what a formatter may change."""
    found: list[str] = _TOKEN.findall(_DOCSTRING.sub(":", code))
    tokens: list[str] = []
    for token in found:
        if token in _CLOSING and tokens and tokens[-1] == ",":
            tokens.pop()  # whether a comma stands there depends on how lines are broken
        if token[0] != "#":
            is_requoted = token[-1] == "'" and '"' not in token
            tokens.append(token.replace("'", '"') if is_requoted else token)
    return tokens


def shingles_of(code: str) -> NDArray[np.uint64]:
    """Return the sorted numbers of the shingles in a text; a shorter text is one shingle."""
    return shingles_in(tokens_of(code))


def shingles_in(tokens: list[str]) -> NDArray[np.uint64]:
    """Return the sorted numbers of the shingles in a list of tokens."""
    tokens = tokens + [""] * (LENGTH - len(tokens))
    numbers = np.fromiter(map(_number, tokens), np.uint64, len(tokens))
    count = len(tokens) - LENGTH + 1
    summed = np.zeros(count, np.uint64)
    for place, weight in enumerate(_WEIGHTS):
        summed += numbers[place : place + count] * np.uint64(weight)  # modulo 2**64
    return np.unique(summed)


@lru_cache(1 << 18)
def _number(token: str) -> int:
    digest = hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")
