"""Contents of files at paths that are arguments, such that the slice can parse them.

Mocks provide files at paths in the code. These contents are the same, for a case to write at the
paths that it passes.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....mocker.answers.files.file_answers import contents
from ....mocker.answers.files.file_uses import FileUse
from ....mocker.contacts import Border
from ....mocker.source.kept_code import KeptCode
from ....mocker.source.text_values import ANY, GIVEN

_MOST = 8
_LONGEST = 2000
"""Longest content in characters: readers cannot take in more."""


def readable_file_texts(border: Border, code: KeptCode, uses: Iterable[FileUse]) -> tuple[str, ...]:
    """Return contents for such files, those first with which the slice continues.

    Args:
        border: border of the slice.
        code: the kept code.
        uses: what the code does with files.
    """
    found: list[list[str]] = []
    for use in uses:
        if use.does != "read" or GIVEN not in use.text:
            continue
        name = use.text.replace(GIVEN, ANY)
        made = contents(border, code, use.kept, name, use.reader, use.call)
        found.append([text for text in made.values() if isinstance(text, str)])
    first = [texts[0] for texts in found if texts]
    rest = [text for texts in found for text in texts[1:]]
    short = (text for text in (*first, *rest) if len(text) <= _LONGEST)
    return tuple(dict.fromkeys(short))[:_MOST]
