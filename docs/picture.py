"""The README's picture of a terminal: `python -m docs.picture` draws it anew.

It shows transcripts of the first lesson, which a test runs.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

FOLDER = Path(__file__).parent
PICTURE = FOLDER / "picture.svg"
LESSON = FOLDER / "tutorials" / "one-function.md"
SHOWN = ("--test --verify", "slice-func score")
"""What the commands of the transcripts hold that are shown."""
WIDTH = 94
COLOURS = {"$ ": "bold", "slice-func: ok": "green", "slice-func:": "dim"}
"""Beginning of a line → how it is written."""
THEME = TerminalTheme(
    (13, 17, 23), (230, 237, 243),
    [(13, 17, 23), (255, 123, 114), (126, 231, 135), (242, 204, 96),
     (121, 192, 255), (210, 168, 255), (165, 214, 255), (201, 209, 217)],
)  # fmt: skip


def transcript() -> list[str]:
    """The lines that the picture shows."""
    text = LESSON.read_text(encoding="utf-8")
    found = re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    chosen = [block for sign in SHOWN for block in found if sign in block]
    return [
        line.removesuffix(": in ... ms")
        for block in chosen
        for line in block.splitlines()
        if line != "..." and not line.endswith((" ...", " in force"))
    ]


def draw() -> str:
    """The picture, as SVG that loads nothing."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for line in transcript():
        style = next((look for start, look in COLOURS.items() if line.startswith(start)), "")
        text = Text(line, style=style)
        text.highlight_words([": passed"], "bold green")
        text.highlight_words([": failed"], "bold red")
        console.print(text)
    console.print()
    drawn = console.export_svg(title="slice-func", theme=THEME, unique_id="slice-func")
    # the clip of a line cuts its underscores off
    unclipped = re.sub(r' clip-path="url\(#slice-func-line-\d+\)"', "", drawn)
    return re.sub(r"@font-face \{.*?\}\n", "", unclipped, flags=re.DOTALL)


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
