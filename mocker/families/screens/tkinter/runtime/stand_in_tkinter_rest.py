"""Fonts, texts with scrollbars and constants of tkinter, without a display."""

from __future__ import annotations

from tkinter import *  # noqa: F403
from tkinter import Frame, Scrollbar, Text

NORMAL, ROMAN, BOLD, ITALIC = "normal", "roman", "bold", "italic"


class ScrolledText(Text):
    def __init__(self, master=None, **options):
        self.frame = Frame(master)
        self.vbar = Scrollbar(self.frame)
        super().__init__(self.frame, **options)


class Font:
    """Every letter is as wide as the next."""

    def __init__(self, root=None, font=None, name=None, exists=False, **options):
        self.name = name or "font1"
        family, size = (
            (font[0], font[1])
            if isinstance(font, tuple) and len(font) > 1
            else ("TkDefaultFont", 10)
        )
        self._options = {"family": family, "size": size, "weight": "normal", "slant": "roman",
                         "underline": 0, "overstrike": 0, **options}  # fmt: skip

    def actual(self, option=None, displayof=None):
        return self._options.get(option) if option else dict(self._options)

    def cget(self, option):
        return self._options.get(option)

    __getitem__ = cget

    def configure(self, **options):
        self._options.update(options)
        return dict(self._options)

    config = configure

    def __setitem__(self, key, value):
        self._options[key] = value

    def measure(self, text, displayof=None):
        return len(text) * max(abs(int(self._options["size"])), 1) * 3 // 5

    def metrics(self, *options, **kw):
        size = abs(int(self._options["size"]))
        found = {"ascent": size, "descent": size // 4, "linespace": size * 5 // 4, "fixed": 1}
        return found[options[0]] if options else found

    def copy(self):
        return Font(**self._options)

    def __str__(self):
        return self.name


def families(root=None, displayof=None):
    return ("Courier", "Helvetica", "Times")


def names(root=None):
    return ("TkDefaultFont", "TkFixedFont", "TkTextFont")


def nametofont(name, root=None):
    return Font(name=name, exists=True)
