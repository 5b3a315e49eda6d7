"""Remove names from import statements of several lines, with LibCST.

The edit only removes. A dropped name goes with its comma, with the comments directly above it, and
with the comment behind it if no other name is on its line; the rest keeps its lines. Parentheses
around a single name go too, unless a comment needs them.

Loading this module loads LibCST, which takes longer than many a slice, so it is imported only where
an edit is made. Many functions need the same edit, so results are memoised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import libcst as cst
from libcst import Comma, ImportAlias, MaybeSentinel, ParenthesizedWhitespace, SimpleWhitespace

Statement = cst.Import | cst.ImportFrom
Gap = cst.BaseParenthesizableWhitespace
"""The whitespace beside a name, without the comma: spaces, comments and line ends."""


@lru_cache(maxsize=4096)
def with_names(text: str, kept: tuple[int, ...]) -> str:
    """Return an import statement with only some of its names.

    Args:
        text: the statement's whole lines, which hold nothing else.
        kept: positions of the names that stay, in order; at least one.
    """
    body = text.strip(" \t\f\r\n")
    start = text.index(body)
    module = cst.parse_module(body)
    match module.body[0]:
        case cst.SimpleStatementLine(body=[cst.Import() | cst.ImportFrom() as statement]) as line:
            changed = _with_names(statement, _names(statement).only(kept))
            code = module.with_changes(body=[line.with_changes(body=[changed])]).code
            return text[:start] + code + text[start + len(body) :]
        case _:
            raise ValueError(f"not one import statement: {body}")


# ------------------------------------------------------------------------ names


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of an import, and the whitespace between them."""

    aliases: tuple[ImportAlias, ...]
    gaps: tuple[Gap, ...]
    """Whitespace around the names: before the first, between, and after the last."""
    ends_with_comma: bool

    def only(self, kept: Sequence[int]) -> _Names:
        """Return some of the names, with the merged whitespace between them."""
        gaps = [_opening(self.gaps[: kept[0] + 1])]
        for before, after in pairwise(kept):
            gaps.append(_joined(self.gaps[before + 1 : after + 1]))
        aliases = tuple(self.aliases[number] for number in kept)
        closing = self.gaps[kept[-1] + 1 :]
        match aliases[-1].comma:
            case Comma(whitespace_before=ParenthesizedWhitespace() as above) if (
                not self.ends_with_comma
            ):
                closing = (above, *closing)  # commas begin the lines here, and this one is removed
            case _:
                pass
        return _Names(aliases, (*gaps, _closing(closing)), self.ends_with_comma)

    def separated(self) -> list[ImportAlias]:
        """Return the names with their commas."""
        found: list[ImportAlias] = []
        for number, alias in enumerate(self.aliases, 1):
            comma = alias.comma
            if isinstance(comma, Comma) and (self.ends_with_comma or number < len(self.aliases)):
                comma = comma.with_changes(whitespace_after=self.gaps[number])
            else:
                comma = MaybeSentinel.DEFAULT
            found.append(alias.with_changes(comma=comma))
        return found


def _names(statement: Statement) -> _Names:
    """Return the names of a statement that is not a star import."""
    aliases = () if isinstance(statement.names, cst.ImportStar) else tuple(statement.names)
    left, right = _parentheses(statement)
    start = left.whitespace_after if left else statement.whitespace_after_import
    between = [a.comma.whitespace_after for a in aliases if isinstance(a.comma, Comma)]
    ends_with_comma = len(between) == len(aliases)
    end = [] if ends_with_comma else [right.whitespace_before if right else SimpleWhitespace("")]
    return _Names(aliases, (start, *between, *end), ends_with_comma)


def _parentheses(
    statement: Statement,
) -> tuple[cst.LeftParen, cst.RightParen] | tuple[None, None]:
    match statement:
        case cst.ImportFrom(lpar=cst.LeftParen() as left, rpar=cst.RightParen() as right):
            return left, right
        case _:
            return None, None


def _with_names(statement: Statement, names: _Names) -> Statement:
    left, right = _parentheses(statement)
    start, end = names.gaps[0], names.gaps[-1]
    aliases = names.separated()
    if left is None or right is None:
        return statement.with_changes(whitespace_after_import=start, names=aliases)
    if (
        len(aliases) == 1
        and not any(map(_has_comment, names.gaps))
        and _fits_on_one_line(aliases[0])
    ):
        alone = [aliases[0].with_changes(comma=MaybeSentinel.DEFAULT)]
        space = SimpleWhitespace(statement.whitespace_after_import.value or " ")
        return statement.with_changes(
            whitespace_after_import=space, lpar=None, names=alone, rpar=None
        )
    if not names.ends_with_comma:
        right = right.with_changes(whitespace_before=end)
    left = left.with_changes(whitespace_after=start)
    return statement.with_changes(lpar=left, names=aliases, rpar=right)


def _fits_on_one_line(alias: ImportAlias) -> bool:
    """Whether a name fits on one line, up to its comma."""
    return not any(
        isinstance(space, ParenthesizedWhitespace)
        for space in (
            *((alias.asname.whitespace_before_as, alias.asname.whitespace_after_as)
              if alias.asname else ()),
            *((alias.comma.whitespace_before,) if isinstance(alias.comma, Comma) else ()),
        )
    )  # fmt: skip


# ------------------------------------------------------------------------ gaps


def _joined(gaps: Sequence[Gap]) -> Gap:
    """Return the whitespace between two names when the names between them are removed."""
    folded = [gap for gap in gaps if isinstance(gap, ParenthesizedWhitespace)]
    if folded:
        return folded[-1].with_changes(first_line=folded[0].first_line)
    continued = [g for g in gaps if isinstance(g, SimpleWhitespace) and "\\" in g.value]
    return (continued or gaps)[-1]


def _opening(gaps: Sequence[Gap]) -> Gap:
    """Return the whitespace before the first name when the names before it are removed."""
    if isinstance(gaps[0], ParenthesizedWhitespace):
        return _joined(gaps)
    match [gap for gap in gaps if isinstance(gap, ParenthesizedWhitespace)]:
        case [*_, last] if any(line.comment for line in last.empty_lines):
            first_line = last.first_line.with_changes(whitespace=SimpleWhitespace(""), comment=None)
            return last.with_changes(first_line=first_line)
        case _:
            return gaps[0]


def _closing(gaps: Sequence[Gap]) -> Gap:
    """Return the whitespace behind the last name when the names behind it are removed."""
    if isinstance(gaps[-1], ParenthesizedWhitespace):
        return _joined(gaps)
    match [gap for gap in gaps if isinstance(gap, ParenthesizedWhitespace)]:
        case [first, *others] if first.first_line.comment:
            last = others[-1] if others else first
            return last.with_changes(first_line=first.first_line, empty_lines=())
        case _:
            return gaps[-1]


def _has_comment(gap: Gap) -> bool:
    return isinstance(gap, ParenthesizedWhitespace) and (
        gap.first_line.comment is not None or any(line.comment for line in gap.empty_lines)
    )
