"""turtle without a window: Python's own walks, and what it draws is noted."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import itertools
import sys
import types

from slice_func_mocks import chosen, record


class _AnyCanvas(type):
    def __instancecheck__(cls, value):
        return hasattr(value, "create_line") if cls is _Canvas else super().__instancecheck__(value)


class _Canvas(metaclass=_AnyCanvas):
    """What turtle asks of a canvas, and of the window around it."""

    def __init__(self, master=None, **options):
        self._options = {"width": 960, "height": 810, "bg": "white", **options}
        self._items, self._numbers, self._waiting = {}, itertools.count(1), []
        self.tk = self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **options: None

    def cget(self, key):
        return self._options.get(key, "")

    __getitem__ = cget

    def config(self, **options):
        self._options.update(options)

    def winfo_width(self):
        return int(self._options["width"])

    def winfo_height(self):
        return int(self._options["height"])

    def create_line(self, *coords, **options):
        number = next(self._numbers)
        self._items[number] = [float(c) for c in coords] if len(coords) > 1 else [*coords[0]]
        return number

    create_polygon = create_text = create_image = create_line

    def coords(self, item, *coords):
        if coords:
            self._items[item] = [*(coords[0] if isinstance(coords[0], tuple) else coords)]
        return self._items.get(item, [0.0, 0.0])

    def bbox(self, item):
        x, y = self.coords(item)[:2]
        return x, y, x + 32, y + 16

    def find_all(self):
        return tuple(self._items)

    def after(self, ms, func=None, *args):
        if func is not None:
            self._waiting.append(func)

    def after_idle(self, func, *args):
        self.after(0, func)

    def mainloop(self):
        record("show", "mainloop")
        waiting, self._waiting = self._waiting, []
        for func in waiting:
            func()


def _askstring(title, prompt, **options):
    record("read", "turtle.textinput", str(prompt))
    return chosen("turtle.textinput", {"default": "1", "cancelled": None})


def _askfloat(title, prompt, initialvalue=None, minvalue=None, **options):
    record("read", "turtle.numinput", str(prompt))
    value = next((float(v) for v in (initialvalue, minvalue) if v is not None), 1.0)
    return chosen("turtle.numinput", {"default": value, "cancelled": None})


def _load():
    """Python's own module, with a tkinter below it that has no window."""
    asking = types.SimpleNamespace(askstring=_askstring, askfloat=_askfloat)
    names = {
        **dict.fromkeys(("Canvas", "Tk", "Scrollbar", "PhotoImage"), _Canvas), "Frame": object,
        "TclError": ValueError, "SUNKEN": "sunken", "ROUND": "round", "HORIZONTAL": "horizontal",
        "simpledialog": asking, "__path__": [],
    }  # fmt: skip
    below = types.ModuleType("tkinter")
    vars(below).update(names)
    before = {name: sys.modules.get(name) for name in ("tkinter", "tkinter.simpledialog")}
    sys.modules.update({"tkinter": below, "tkinter.simpledialog": asking})
    spec = importlib.machinery.PathFinder.find_spec("turtle")
    if spec is None:
        raise ModuleNotFoundError("No module named 'turtle'", name="turtle")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    finally:
        for name, found in before.items():
            if found is None:
                del sys.modules[name]
            else:
                sys.modules[name] = found
    return module


_real = _load()


class _Scrolled(_Canvas, _real.ScrolledCanvas):
    """The canvas of the window."""

    def __init__(self, width, height, canvwidth, canvheight):
        super().__init__(width=width, height=height)
        self._canvas = _Canvas()  # what is bound to it never happens
        self.canvwidth, self.canvheight = canvwidth, canvheight

    def reset(self, canvwidth=None, canvheight=None, bg=None):
        self.canvwidth = canvwidth or self.canvwidth
        self.canvheight = canvheight or self.canvheight
        self._options["bg"] = bg or self._options["bg"]


class _Root(_Canvas):
    """The window, on a screen of 1920 to 1080."""

    def setupcanvas(self, *sizes):
        self._canvas = _Scrolled(*sizes)

    def _getcanvas(self):
        return self._canvas

    def set_geometry(self, width, height, startx, starty):
        self._canvas.config(width=width, height=height)

    def win_width(self):
        return 1920

    def win_height(self):
        return 1080


def _round(value):
    return round(float(value), 6) + 0.0


def _noted(owner, name, told):
    """Have calls of a method noted, but not what it calls itself."""
    before = getattr(owner, name)

    @functools.wraps(before)
    def call(self, *args, **named):
        if not _inside:
            shown = told(self, *args, **named)
            if shown is not None:
                record("show", *shown)
        _inside.append(name)
        try:
            return before(self, *args, **named)
        finally:
            _inside.pop()

    setattr(owner, name, call)


_inside = []


def _at_once(owner, name):
    """Have a step done without the frames in between, of which a long one has millions."""
    before = getattr(owner, name)

    @functools.wraps(before)
    def call(self, *args):
        speed, self._speed = self._speed, 0
        try:
            return before(self, *args)
        finally:
            self._speed = speed

    setattr(owner, name, call)


def _count_step(turtle):
    """What is left of drawing: the first step after a window is closed fails."""
    if turtle.screen._tracing:
        turtle.screen._incrementudc()


def _line(turtle, end):
    if not turtle.isdown():
        return None
    return ("turtle line", *map(_round, (*turtle.pos(), *end)), str(turtle.pencolor()))


def _circle(turtle, radius, extent=None, steps=None):
    return "turtle circle", *map(_round, turtle.pos()), _round(radius), extent, steps


def _dot(turtle, size=None, *color):
    return "turtle dot", *map(_round, turtle.pos()), size, *map(str, color)


def _write(turtle, arg, move=False, align="left", font=None):
    return "turtle write", str(arg), *map(_round, turtle.pos()), align


def _on_own_canvas(before):
    """Screens draw on a canvas of ours, whatever they are given: the log has steps, not pixels."""

    @functools.wraps(before)
    def begin(self, cv, *args, **named):
        if not isinstance(cv, _Scrolled):
            size = int(cv.cget("width") or 400), int(cv.cget("height") or 300)
            cv = _Scrolled(*size, *size)
        before(self, cv, *args, **named)

    return begin


_real._Root = _Root
_real.TurtleScreen.__init__ = _on_own_canvas(_real.TurtleScreen.__init__)
_real.RawTurtle._update = _count_step
_real.RawTurtle._drawturtle = lambda turtle: None
for _name in ("_goto", "_rotate", "_undogoto"):
    _at_once(_real.RawTurtle, _name)
_noted(_real.RawTurtle, "_goto", _line)
_noted(_real.RawTurtle, "circle", _circle)
_noted(_real.RawTurtle, "dot", _dot)
_noted(_real.RawTurtle, "write", _write)
_noted(_real.RawTurtle, "stamp", lambda turtle: ("turtle stamp", *map(_round, turtle.pos())))
_noted(_real.RawTurtle, "end_fill", lambda turtle: ("turtle fill", str(turtle.fillcolor())))
_noted(_real.RawTurtle, "clear", lambda turtle: ("turtle clear",))
_noted(_real._Screen, "title", lambda screen, text: ("turtle title", text))
_noted(_real._Screen, "bye", lambda screen: ("bye",))
globals().update({k: v for k, v in vars(_real).items() if not k.startswith("__") or k == "__all__"})
