"""What files hold that the slice reads at paths which it is given: what its code does with it fits.

Files at paths that stand in the code are offered by the mocks; these are the same contents, for the
case to lay out wherever it says that they are.
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
"""Characters: of more nobody sees what they are for."""


def given_files(border: Border, code: KeptCode, uses: Iterable[FileUse]) -> tuple[str, ...]:
    """Texts of such files, those first for which the slice goes on.

    Args:
        border: of the slice.
        code: that is kept.
        uses: what it does with files.
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
