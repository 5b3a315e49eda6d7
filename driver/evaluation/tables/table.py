"""Tables of texts, in the forms that people and papers read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ...console.streams import printable

Form = Literal["text", "markdown", "latex"]
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its heads, and rows of as many cells. The first column is text, others numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def render(self, form: Form) -> str:
        """Return the table in a form; each ends with a line break.

        Control characters are escaped: a line break in a name must not end its row.
        """
        rows = tuple(tuple(map(printable, row)) for row in self.rows)
        table = Table(printable(self.title), tuple(map(printable, self.heads)), rows)
        match form:
            case "text":
                return table._text()
            case "markdown":
                return table._markdown()
            case "latex":
                return table._latex()

    def _text(self) -> str:
        lines = [self.heads, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.heads))]
        shown = (
            "  ".join(
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )
        return "\n".join([self.title, *shown]) + "\n"

    def _markdown(self) -> str:
        def line(cells: Sequence[str]) -> str:
            return (
                "| "
                + " | ".join(cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
                + " |"
            )

        rule = "|---|" + "---:|" * (len(self.heads) - 1)
        return (
            "\n".join([f"**{self.title}**", "", line(self.heads), rule, *map(line, self.rows)])
            + "\n"
        )

    def _latex(self) -> str:
        def line(cells: Sequence[str]) -> str:
            return " & ".join(map(_escaped, cells)) + r" \\"

        return (
            "\n".join(
                [
                    r"\begin{table}",
                    rf"\caption{{{_escaped(self.title)}}}",
                    rf"\begin{{tabular}}{{l{'r' * (len(self.heads) - 1)}}}",
                    r"\hline",
                    line(self.heads),
                    r"\hline",
                    *map(line, self.rows),
                    r"\hline",
                    r"\end{tabular}",
                    r"\end{table}",
                ]
            )
            + "\n"
        )


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)
