"""tkinter without a display: widgets keep what they are given, and nothing waits for a user."""

from __future__ import annotations

import enum
import itertools
import re

import slice_func_mocks
from slice_func_mocks import record

TkVersion = TclVersion = 8.6
READABLE, WRITABLE, EXCEPTION = 2, 4, 8
wantobjects = 1
_default_root = None
_numbers = {"PY_VAR": -1, "pyimage": 0, "after#": -1}
_before = {}


class TclError(Exception):
    """What Tk complains about."""


class EventType(str, enum.Enum):
    """Kinds of events."""

    KeyPress = Key = "2"
    KeyRelease = "3"
    ButtonPress = Button = "4"
    ButtonRelease = "5"
    Motion = "6"
    Enter = "7"
    Leave = "8"
    FocusIn = "9"
    FocusOut = "10"
    Configure = "22"


class Event:
    """What a callback gets."""

    def __init__(self, **fields):
        self.__dict__.update(
            {"x": 0, "y": 0, "x_root": 0, "y_root": 0, "char": "", "keysym": "", "keycode": 0,
             "num": 1, "delta": 0, "state": 0, "width": 200, "height": 200, "widget": None,
             "type": None, **fields}
        )  # fmt: skip


def _shown(value):
    """A value as the effect log has it."""
    if isinstance(value, (Misc, Variable, Image)):
        return str(value)
    if callable(value):
        return getattr(value, "__qualname__", type(value).__name__)
    if isinstance(value, dict):
        return {str(k): _shown(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shown(v) for v in value]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _numbered(kind):
    """A name that nothing else has."""
    _numbers[kind] += 1
    return f"{kind}{_numbers[kind]}"


def _restart():
    """Begin anew, with the windows and numbers that there were when this was called first."""
    global _default_root
    if not _before:
        _before.update(root=_default_root, numbers=dict(_numbers))
        if _default_root is not None:
            _before["children"] = dict(_default_root.children)
            _before["last"] = dict(getattr(_default_root, "_last", {}))
    _default_root = _before["root"]
    _numbers.update(_before["numbers"])
    if _default_root is not None:
        _default_root.children.clear()
        _default_root.children.update(_before["children"])
        _default_root._last = dict(_before["last"])


slice_func_mocks.restart_with(_restart)


def NoDefaultRoot():
    """As tkinter has it."""


def Tcl(*args, **kwargs):
    return Tk()


def mainloop(n=0):
    if _default_root is not None:
        _default_root.mainloop()


def getint(text):
    return int(text)


def getdouble(text):
    return float(text)


def getboolean(value):
    if isinstance(value, str):
        return value.lower() in ("1", "true", "yes", "on")
    return bool(value)


def _get_default_root(what=None):
    return _default_root or Tk()


# --------------------------------------------------------------------------- variables and images


class Variable:
    """A value that widgets share."""

    _default = ""

    def __init__(self, master=None, value=None, name=None):
        self._root = master
        self._name = name or _numbered("PY_VAR")
        self._traces = []
        self._value = self._default if value is None else value

    def get(self):
        return self._value

    def set(self, value):
        self._value = value
        for mode, callback in list(self._traces):
            if "write" in mode or "w" in mode:
                callback(self._name, "", "write")

    initialize = set

    def trace_add(self, mode, callback):
        self._traces.append((mode if isinstance(mode, str) else " ".join(mode), callback))
        return f"{len(self._traces)}trace"

    trace = trace_variable = trace_add

    def trace_remove(self, mode, name):
        self._traces.clear()

    trace_vdelete = trace_remove

    def trace_info(self):
        return [((mode,), getattr(call, "__name__", "")) for mode, call in self._traces]

    trace_vinfo = trace_info

    def __str__(self):
        return self._name

    def __eq__(self, other):
        return isinstance(other, Variable) and self._name == other._name

    __hash__ = object.__hash__


class StringVar(Variable):
    def get(self):
        return str(self._value)


class IntVar(Variable):
    _default = 0

    def get(self):
        try:
            return int(float(self._value))
        except ValueError as error:
            raise TclError(f'expected floating-point number but got "{self._value}"') from error


class DoubleVar(Variable):
    _default = 0.0

    def get(self):
        try:
            return float(self._value)
        except ValueError as error:
            raise TclError(f'expected floating-point number but got "{self._value}"') from error


class BooleanVar(Variable):
    _default = False

    def get(self):
        return getboolean(self._value)


class Image:
    """A picture of which only the size and the options are known."""

    def __init__(self, imgtype="photo", name=None, cnf=None, master=None, **options):
        self.name = name or _numbered("pyimage")
        self._options = {**(cnf or {}), **options}
        self.tk = master

    def __str__(self):
        return self.name

    def __getitem__(self, key):
        return self._options.get(key, "")

    def __setitem__(self, key, value):
        self._options[key] = value

    def configure(self, **options):
        self._options.update(options)

    config = configure

    def cget(self, key):
        return self._options.get(key, "")

    def width(self):
        return int(self._options.get("width", 64))

    def height(self):
        return int(self._options.get("height", 64))


class PhotoImage(Image):
    def __init__(self, name=None, cnf=None, master=None, **options):
        super().__init__("photo", name, cnf, master, **options)
        self._pixels = {}

    def zoom(self, x, y=""):
        size = {"width": self.width() * x, "height": self.height() * (y or x)}
        return PhotoImage(**{**self._options, **size})

    def subsample(self, x, y=""):
        size = {"width": -(-self.width() // x), "height": -(-self.height() // (y or x))}
        return PhotoImage(**{**self._options, **size})

    def copy(self, *args, **kwargs):
        return PhotoImage(**self._options)

    def put(self, data, to=None):
        self._pixels[to] = data

    def get(self, x, y):
        found = self._pixels.get((x, y), "#000000")
        if isinstance(found, str) and re.fullmatch("#[0-9a-fA-F]{6}", found):
            return tuple(int(found[n : n + 2], 16) for n in (1, 3, 5))
        return (0, 0, 0)

    def blank(self):
        self._pixels.clear()

    def write(self, filename, format=None, from_coords=None, **kwargs):
        record("write", str(filename))

    def transparency_get(self, x, y):
        return False

    def transparency_set(self, x, y, boolean):
        """There are no pixels."""


class BitmapImage(Image):
    pass


def image_names():
    return ()


def image_types():
    return ("photo", "bitmap")


# --------------------------------------------------------------------------- every widget


class CallWrapper:
    pass


class Misc:
    """What all widgets can do."""

    master = None
    _w = "."
    _windows = {
        "screenwidth": 1920, "screenheight": 1080, "vrootwidth": 1920, "vrootheight": 1080,
        "width": 200, "height": 200, "reqwidth": 200, "reqheight": 200, "exists": 1, "ismapped": 1,
        "viewable": 1, "screendepth": 24, "depth": 24, "id": 1, "fpixels": 96.0, "pixels": 96,
        "geometry": "200x200+0+0", "manager": "pack", "screen": ":0.0", "visual": "truecolor",
        "screenmmwidth": 508, "screenmmheight": 285, "rgb": (0, 0, 0),
    }  # fmt: skip

    def _keep(self, master, cnf, options):
        self.master, self.children, self._bound = master, {}, {}
        self._options = {k.rstrip("_"): v for k, v in {**(cnf or {}), **options}.items()}
        self.tk = self
        self._placed = {}
        name = self._options.pop("name", None)
        if master is not None:
            if not name:
                kind = f"!{type(self).__name__.lower()}"
                master._last = getattr(master, "_last", {})
                number = master._last[kind] = master._last.get(kind, 0) + 1
                name = kind if number == 1 else f"{kind}{number}"
            self._name = name
            self._w = f"{master._w.rstrip('.')}.{name}"
            master.children[name] = self

    # options

    def configure(self, cnf=None, **options):
        if isinstance(cnf, str):
            return (cnf, cnf, cnf.title(), "", self._options.get(cnf, ""))
        given = {k.rstrip("_"): v for k, v in {**(cnf or {}), **options}.items()}
        if not given:
            return {k: (k, k, k.title(), "", v) for k, v in self._options.items()}
        self._options.update(given)
        record("show", f"{self._w} configure", _shown(given))
        return None

    config = configure

    def cget(self, key):
        return self._options.get(key, _DEFAULTS.get(key, ""))

    __getitem__ = cget

    def __setitem__(self, key, value):
        self.configure({key: value})

    def keys(self):
        return list(self._options)

    # events and time

    def bind(self, sequence=None, func=None, add=None):
        if func is None:
            return ()
        self._bound.setdefault(sequence, []).append(func)
        return getattr(func, "__name__", "bound")

    def bind_all(self, sequence=None, func=None, add=None):
        return self._root().bind(sequence, func, add)

    def bind_class(self, className, sequence=None, func=None, add=None):
        return self._root().bind(sequence, func, add)

    def unbind(self, sequence, funcid=None):
        self._bound.pop(sequence, None)

    unbind_all = unbind

    def event_generate(self, sequence, **fields):
        for func in list(self._bound.get(sequence, ())):
            func(Event(widget=self, **fields))

    def after(self, ms, func=None, *args):
        if func is None:
            return None
        name = _numbered("after#")
        self._root()._pending[name] = (func, args)
        return name

    def after_idle(self, func, *args):
        return self.after("idle", func, *args)

    def after_cancel(self, id):
        self._root()._pending.pop(id, None)

    def after_info(self, id=None):
        return tuple(self._root()._pending)

    def update(self):
        """Nothing is drawn, and what waits for later waits."""

    update_idletasks = update

    def mainloop(self, n=0):
        record("show", "mainloop")
        root = self._root()
        waiting, root._pending = root._pending, {}
        for func, args in waiting.values():
            func(*args)

    def quit(self):
        record("show", "quit")

    def destroy(self):
        for child in list(self.children.values()):
            child.destroy()
        if self.master is not None:
            self.master.children.pop(self._name, None)
        self._destroyed = True

    def wait_window(self, window=None):
        """It is closed at once."""

    wait_variable = waitvar = wait_visibility = wait_window

    # the tree

    def _root(self):
        widget = self
        while widget.master is not None:
            widget = widget.master
        return widget

    winfo_toplevel = _root

    def nametowidget(self, name):
        widget = self._root()
        for part in str(name).strip(".").split("."):
            widget = widget.children[part] if part else widget
        return widget

    _nametowidget = nametowidget

    def winfo_children(self):
        return list(self.children.values())

    def winfo_parent(self):
        return "" if self.master is None else self.master._w

    def winfo_name(self):
        return getattr(self, "_name", "tk")

    def winfo_class(self):
        return type(self).__name__

    def winfo_exists(self):
        return 0 if getattr(self, "_destroyed", False) else 1

    def winfo_containing(self, rootX, rootY, displayof=0):
        return self

    def winfo_rgb(self, color):
        found = re.fullmatch("#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", color)
        return tuple(int(part, 16) * 257 for part in found.groups()) if found else (0, 0, 0)

    def winfo_width(self):
        return _size(self, "width")

    def winfo_height(self):
        return _size(self, "height")

    winfo_reqwidth, winfo_reqheight = winfo_width, winfo_height

    def focus_get(self):
        return self._root()

    def focus_set(self):
        """There is no keyboard."""

    focus = focus_force = focus_set

    def register(self, func, subst=None, needcleanup=1):
        return func

    _register = register

    def clipboard_get(self, **kwargs):
        return getattr(self._root(), "_clipboard", "")

    def clipboard_append(self, string, **kwargs):
        self._root()._clipboard = self.clipboard_get() + string
        record("write", "clipboard", string)

    def clipboard_clear(self, **kwargs):
        self._root()._clipboard = ""

    def call(self, *args):
        record("call", "tk", _shown(args))
        return ""

    eval = createcommand = splitlist = call

    def getvar(self, name="PY_VAR"):
        return ""

    def getint(self, text):
        return int(text)

    getdouble = staticmethod(float)
    getboolean = staticmethod(getboolean)

    def pack_slaves(self):
        return [child for child in self.children.values() if child._placed]

    grid_slaves = place_slaves = slaves = lambda self, *args, **kwargs: Misc.pack_slaves(self)

    def grid_size(self):
        placed = [child._placed for child in self.children.values()]
        return tuple(
            1 + max((int(p.get(k, -1)) for p in placed), default=-1) for k in ("column", "row")
        )

    size = grid_size

    def __str__(self):
        return self._w

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} object {self._w}>"


def _size(widget, side):
    found = widget._options.get(side, 0)
    if type(widget).__name__ in ("Canvas", "Frame", "Toplevel") and found:
        return int(found)
    geometry = re.match(r"(\d+)x(\d+)", str(getattr(widget, "_wm", {}).get("geometry", "")))
    return int(geometry[1 + (side == "height")]) if geometry else 200


def _nothing(self, *args, **kwargs):
    return ""


def _kinds(*bases, names):
    """Classes that differ by their names alone."""
    return [type(name, bases, {"__module__": __name__}) for name in names.split()]


for _name in Misc._windows:
    if f"winfo_{_name}" not in vars(Misc):
        setattr(Misc, f"winfo_{_name}", lambda self, *_, _value=Misc._windows[_name]: _value)
for _name in ("x", "y", "rootx", "rooty", "pointerx", "pointery", "vrootx", "vrooty"):
    setattr(Misc, f"winfo_{_name}", lambda self: 0)
Misc.winfo_pointerxy = lambda self: (0, 0)
for _name in """
    bell bindtags deletecommand event_add event_delete event_info focus_displayof focus_lastfor
    grab_current grab_release grab_set grab_set_global grab_status image_names image_types lift lower
    option_add option_clear option_get option_readfile selection_clear selection_get
    selection_handle selection_own selection_own_get send setvar tk_bisque tk_focusFollowsMouse
    tk_focusNext tk_focusPrev tk_setPalette tk_strictMotif tkraise unbind_class columnconfigure
    rowconfigure grid_columnconfigure grid_rowconfigure grid_bbox grid_anchor grid_propagate
    pack_propagate propagate anchor grid_location winfo_atom winfo_atomname winfo_cells
    winfo_colormapfull winfo_interps winfo_pathname winfo_screencells winfo_screenvisual
    winfo_server winfo_visualid winfo_visualsavailable busy busy_hold busy_forget
""".split():
    if _name not in vars(Misc):
        setattr(Misc, _name, _nothing)


class Wm:
    """What windows can do: each option is kept, and given back."""


def _wm(name):
    def option(self, *args, **kwargs):
        kept = vars(self).setdefault("_wm", {})
        if not args and not kwargs:
            return kept.get(name, "")
        kept[name] = args[0] if len(args) == 1 else args
        if name in ("title", "geometry", "state"):
            record("show", f"{self._w} {name}", *map(_shown, args))
        return ""

    return option


for _name in """
    title geometry resizable protocol iconbitmap iconphoto attributes minsize maxsize withdraw
    deiconify iconify state overrideredirect aspect client colormapwindows command focusmodel
    forget frame group iconmask iconname iconposition iconwindow manage positionfrom sizefrom
    transient grid
""".split():
    setattr(Wm, f"wm_{_name}", _wm(_name))
    if _name not in ("grid", "forget", "frame"):
        setattr(Wm, _name, _wm(_name))


class Tk(Misc, Wm):
    """The main window."""

    def __init__(
        self, screenName=None, baseName=None, className="Tk", useTk=True, sync=False, use=None
    ):
        global _default_root
        self._pending = {}
        self._keep(None, None, {})
        self.title(className.lower())
        if _default_root is None:
            _default_root = self

    def destroy(self):
        global _default_root
        record("show", "destroy")
        super().destroy()
        if _default_root is self:
            _default_root = None

    def report_callback_exception(self, exc, val, tb):
        raise val

    def loadtk(self):
        """It is loaded."""


class _Placed:
    """Geometry managers."""


def _manager(name):
    def place(self, cnf=None, **options):
        self._placed = {"manager": name, **(cnf or {}), **options}

    return place


for _name in ("pack", "grid", "place"):
    setattr(_Placed, _name, _manager(_name))
    setattr(_Placed, f"{_name}_configure", _manager(_name))
    setattr(_Placed, f"{_name}_info", lambda self: dict(self._placed))
    setattr(_Placed, f"{_name}_forget", lambda self: self._placed.clear())
_Placed.grid_remove = _Placed.forget = _Placed.pack_forget
_Placed.info = _Placed.pack_info


Pack, Place, Grid = _kinds(_Placed, names="Pack Place Grid")


class BaseWidget(Misc):
    def __init__(self, master=None, widgetName=None, cnf=None, kw=None, extra=()):
        self._keep(master or _get_default_root(), cnf, kw or {})


class Widget(BaseWidget, Pack, Place, Grid):
    """Any widget that lies in another."""

    def __init__(self, master=None, cnf=None, **options):
        self._keep(master or _get_default_root(), cnf if isinstance(cnf, dict) else None, options)
        self._made()

    def _made(self):
        """What a kind of widget keeps of its own."""


class XView:
    def xview(self, *args):
        return None if args else (0.0, 1.0)

    xview_moveto = xview_scroll = lambda self, *args: None


class YView:
    def yview(self, *args):
        return None if args else (0.0, 1.0)

    yview_moveto = yview_scroll = see = lambda self, *args: None


class _HasText:
    """A line of text that is edited."""

    def _made(self):
        self._text = str(self._options.get("text", "")) if isinstance(self, Spinbox) else ""

    @property
    def _variable(self):
        return self._options.get("textvariable")

    def get(self):
        return str(self._variable.get()) if isinstance(self._variable, Variable) else self._text

    def _put(self, text):
        if isinstance(self._variable, Variable):
            self._variable.set(text)
        self._text = text

    def index(self, index):
        length = len(self.get())
        if isinstance(index, int):
            return min(max(index, 0), length)
        return int(index) if str(index).isdigit() else 0 if index == "anchor" else length

    def insert(self, index, string):
        if self.cget("state") in ("disabled", "readonly"):
            return
        text, at = self.get(), self.index(index)
        self._put(text[:at] + str(string) + text[at:])
        record("show", f"{self._w} insert", self.index(at), str(string))

    def delete(self, first, last=None):
        if self.cget("state") in ("disabled", "readonly"):
            return
        text, start = self.get(), self.index(first)
        end = start + 1 if last is None else self.index(last)
        self._put(text[:start] + text[end:])
        record("show", f"{self._w} delete", start, end)

    def icursor(self, index):
        """There is no cursor."""

    select_range = selection_range = select_clear = selection_clear = scan_mark = _nothing
    select_to = selection_to = select_from = selection_from = select_adjust = validate = _nothing

    def selection_present(self):
        return False

    select_present = selection_present


class _Pressed:
    """What calls a command when it is pressed."""

    def invoke(self, *args):
        if self.cget("state") == "disabled":
            return ""
        self._change()
        command = self._options.get("command")
        return command() if callable(command) else ""

    def _change(self):
        variable, kind = self._options.get("variable"), type(self).__name__
        if not isinstance(variable, Variable):
            return
        if "Radio" in kind:
            variable.set(self._options.get("value", ""))
        elif "Check" in kind:
            on, off = self._options.get("onvalue", 1), self._options.get("offvalue", 0)
            variable.set(off if variable.get() == on else on)

    def select(self):
        if isinstance(self._options.get("variable"), Variable):
            value = "value" if "Radio" in type(self).__name__ else "onvalue"
            self._options["variable"].set(self._options.get(value, 1))

    def deselect(self):
        if isinstance(self._options.get("variable"), Variable):
            self._options["variable"].set(self._options.get("offvalue", 0))

    def toggle(self):
        self._change()

    flash = _nothing


class Toplevel(BaseWidget, Wm):
    def __init__(self, master=None, cnf=None, **options):
        self._keep(master or _get_default_root(), cnf, options)


Frame, LabelFrame, Label, Message = _kinds(Widget, names="Frame LabelFrame Label Message")
Button, Checkbutton, Radiobutton = _kinds(_Pressed, Widget, names="Button Checkbutton Radiobutton")


class Entry(_HasText, Widget, XView):
    pass


class Spinbox(_HasText, Widget, XView):
    invoke = identify = selection_element = _nothing


class Menubutton(Widget):
    pass


class OptionMenu(Menubutton):
    def __init__(self, master, variable, value, *values, **options):
        command = options.pop("command", None)
        super().__init__(master, textvariable=variable, **options)
        self._menu = Menu(self)
        for each in (value, *values):
            self._menu.add_command(label=each, command=lambda each=each: (
                variable.set(each), command and command(each)))  # fmt: skip

    def __getitem__(self, name):
        return self._menu if name == "menu" else super().__getitem__(name)


class Scrollbar(Widget):
    def _made(self):
        self._range = (0.0, 1.0)

    def set(self, first, last):
        self._range = (float(first), float(last))

    def get(self):
        return self._range

    activate = delta = fraction = identify = _nothing


class Scale(Widget):
    def _made(self):
        self._value = self._options.get("from", self._options.get("from_", 0))

    def get(self):
        variable = self._options.get("variable")
        return variable.get() if isinstance(variable, Variable) else self._value

    def set(self, value):
        self._value = value
        if isinstance(self._options.get("variable"), Variable):
            self._options["variable"].set(value)

    coords = identify = _nothing


class PanedWindow(Widget):
    def add(self, child, **options):
        child._placed = {"manager": "panedwindow", **options}

    def panes(self):
        return tuple(self.children.values())

    remove = forget = paneconfig = paneconfigure = panecget = sash_place = sashpos = _nothing


class Listbox(Widget, XView, YView):
    def _made(self):
        self._lines, self._selected = [], set()

    def _at(self, index, for_insert=False):
        last = len(self._lines) - (0 if for_insert else 1)
        if str(index) == "end":
            return last
        if index in ("active", "anchor"):
            return min(self._selected, default=0)
        return int(index)

    def insert(self, index, *elements):
        at = self._at(index, for_insert=True)
        self._lines[at:at] = elements
        record("show", f"{self._w} insert", at, *map(_shown, elements))

    def delete(self, first, last=None):
        start, end = self._at(first), self._at(first if last is None else last)
        del self._lines[start : end + 1]
        self._selected.clear()
        record("show", f"{self._w} delete", start, end)

    def get(self, first, last=None):
        if last is None:
            at = self._at(first)
            return self._lines[at] if 0 <= at < len(self._lines) else ""
        return tuple(self._lines[self._at(first) : self._at(last) + 1])

    def size(self):
        return len(self._lines)

    def index(self, index):
        return self._at(index)

    def curselection(self):
        return tuple(sorted(self._selected))

    def selection_set(self, first, last=None):
        self._selected.update(range(self._at(first), self._at(first if last is None else last) + 1))

    def selection_clear(self, first, last=None):
        gone = range(self._at(first), self._at(first if last is None else last) + 1)
        self._selected.difference_update(gone)

    def selection_includes(self, index):
        return self._at(index) in self._selected

    select_set, select_clear, select_includes = selection_set, selection_clear, selection_includes
    activate = selection_anchor = itemconfig = itemconfigure = itemcget = nearest = bbox = _nothing


class Text(Widget, XView, YView):
    def _made(self):
        self._text, self._tags, self._marks = "", {}, {}

    def _at(self, index):
        """Where in the text an index is: `1.0`, `end`, `end-1c`, `2.0 lineend`, a mark."""
        index = str(index).replace(" ", "")
        found = re.match(r"(\d+)\.(\d+|end)|end|insert|current|\w[\w.]*", index)
        base, rest = (found[0], index[found.end() :]) if found else ("end", "")
        lines = self._text.split("\n")
        if found and found[1]:
            line = int(found[1]) - 1
            if line >= len(lines):
                at = len(self._text) + 1
            else:
                column = (
                    len(lines[line]) if found[2] == "end" else min(int(found[2]), len(lines[line]))
                )
                at = sum(len(each) + 1 for each in lines[: max(line, 0)]) + column
        elif base == "end":
            at = len(self._text) + 1
        else:
            at = self._marks.get(base, len(self._text))
        for sign, count in re.findall(r"([-+])(\d+)c", rest):
            at += int(count) if sign == "+" else -int(count)
        if "linestart" in rest:
            at = self._text.rfind("\n", 0, at) + 1
        if "lineend" in rest:
            end = self._text.find("\n", at)
            at = len(self._text) if end < 0 else end
        return max(at, 0)

    def get(self, index1, index2=None):
        text, start = self._text + "\n", self._at(index1)
        return text[start : start + 1 if index2 is None else self._at(index2)]

    def insert(self, index, chars, *args):
        if self.cget("state") == "disabled":
            return
        at = min(self._at(index), len(self._text))
        self._text = self._text[:at] + str(chars) + self._text[at:]
        record("show", f"{self._w} insert", self.index(at), str(chars), *map(_shown, args))

    def delete(self, index1, index2=None):
        if self.cget("state") == "disabled":
            return
        start = self._at(index1)
        end = start + 1 if index2 is None else self._at(index2)
        if end > len(self._text) and self._text[start - 1 : start] == "\n" and start < end:
            start -= 1  # with whole lines at the end goes the line end before them
        self._text = self._text[:start] + self._text[end:]
        record("show", f"{self._w} delete", str(index1), str(index2))

    def replace(self, index1, index2, chars, *args):
        self.delete(index1, index2)
        self.insert(index1, chars, *args)

    def index(self, index):
        at = index if isinstance(index, int) else self._at(index)
        before = self._text[:at]
        line = before.count("\n") + 1 + (at > len(self._text))
        return f"{line}.{0 if at > len(self._text) else len(before) - before.rfind(chr(10)) - 1}"

    def search(self, pattern, index, stopindex=None, **options):
        text, start = self._text, self._at(index)
        if options.get("nocase"):
            text, pattern = text.lower(), pattern.lower()
        at = text.find(pattern, start)
        return self.index(at) if at >= 0 else ""

    def compare(self, index1, op, index2):
        one, two = self._at(index1), self._at(index2)
        return {"<": one < two, "<=": one <= two, "==": one == two, ">=": one >= two,
                ">": one > two, "!=": one != two}[op]  # fmt: skip

    def mark_set(self, name, index):
        self._marks[name] = self._at(index)

    def tag_add(self, name, index1, *args):
        self._tags.setdefault(name, []).append((str(index1), *map(str, args)))

    def tag_remove(self, name, index1, index2=None):
        self._tags.pop(name, None)

    def tag_names(self, index=None):
        return tuple(self._tags)

    def tag_ranges(self, name):
        return tuple(place for places in self._tags.get(name, ()) for place in places)

    def edit_modified(self, arg=None):
        return False

    tag_config = tag_configure = tag_delete = tag_bind = tag_cget = tag_raise = tag_lower = _nothing
    edit = edit_undo = edit_redo = edit_reset = edit_separator = mark_unset = mark_names = _nothing
    image_create = window_create = window_config = dump = count = bbox = dlineinfo = _nothing
    see = scan_mark = mark_gravity = tag_nextrange = tag_unbind = _nothing


class Canvas(Widget, XView, YView):
    def _made(self):
        self._items, self._next = {}, itertools.count(1)

    def _create(self, kind, args, options):
        points = [args[0]] if len(args) == 1 else list(args)
        numbers = []
        for each in points:
            numbers += (
                [float(n) for p in each for n in (p if isinstance(p, (list, tuple)) else (p,))]
                if isinstance(each, (list, tuple))
                else [float(each)]
            )
        item = next(self._next)
        tags = options.pop("tags", options.pop("tag", ()))
        tags = tuple(tags.split()) if isinstance(tags, str) else tuple(tags or ())
        self._items[item] = {"type": kind, "coords": numbers, "tags": tags, **options}
        record("show", f"{self._w} create_{kind}", numbers, _shown(options))
        return item

    def _fitting(self, tag):
        if isinstance(tag, int) or str(tag).isdigit():
            return [int(tag)] if int(tag) in self._items else []
        return [i for i, kept in self._items.items() if tag == "all" or tag in kept["tags"]]

    find_withtag = lambda self, tag: tuple(self._fitting(tag))  # noqa: E731

    def find_all(self):
        return tuple(self._items)

    def find_overlapping(self, x1, y1, x2, y2):
        return tuple(
            i for i, (a, b, c, d) in self._boxes() if a <= x2 and c >= x1 and b <= y2 and d >= y1
        )

    def find_enclosed(self, x1, y1, x2, y2):
        return tuple(
            i for i, (a, b, c, d) in self._boxes() if a >= x1 and c <= x2 and b >= y1 and d <= y2
        )

    def find_closest(self, x, y, halo=None, start=None):
        found = [
            ((a + c) / 2 - x) ** 2 + ((b + d) / 2 - y) ** 2 for _, (a, b, c, d) in self._boxes()
        ]
        return (list(self._items)[found.index(min(found))],) if found else ()

    def _boxes(self):
        for item, kept in self._items.items():
            xs, ys = kept["coords"][::2], kept["coords"][1::2]
            yield item, (min(xs), min(ys), max(xs), max(ys))

    def bbox(self, *tags):
        wanted = [i for tag in tags for i in self._fitting(tag)]
        boxes = [box for i, box in self._boxes() if i in wanted]
        if not boxes:
            return None
        a, b, c, d = zip(*boxes, strict=True)
        return int(min(a)), int(min(b)), int(max(c)), int(max(d))

    def coords(self, tag, *args):
        found = self._fitting(tag)
        if not args:
            return list(self._items[found[0]]["coords"]) if found else []
        numbers = list(args[0]) if len(args) == 1 else list(args)
        if found:
            self._items[found[0]]["coords"] = [float(n) for n in numbers]
        record("show", f"{self._w} coords", _shown(tag), numbers)
        return []

    def move(self, tag, dx, dy):
        for item in self._fitting(tag):
            kept = self._items[item]["coords"]
            self._items[item]["coords"] = [n + (dy if at % 2 else dx) for at, n in enumerate(kept)]
        record("show", f"{self._w} move", _shown(tag), dx, dy)

    def moveto(self, tag, x="", y=""):
        box = self.bbox(tag)
        if box:
            self.move(tag, float(x or box[0]) - box[0], float(y or box[1]) - box[1])

    def scale(self, tag, x0, y0, sx, sy):
        for item in self._fitting(tag):
            kept = self._items[item]["coords"]
            self._items[item]["coords"] = [
                (y0 + (n - y0) * sy) if at % 2 else (x0 + (n - x0) * sx)
                for at, n in enumerate(kept)
            ]

    def delete(self, *tags):
        for tag in tags:
            for item in self._fitting(tag):
                del self._items[item]
        record("show", f"{self._w} delete", *map(_shown, tags))

    def itemconfigure(self, tag, cnf=None, **options):
        for item in self._fitting(tag):
            self._items[item].update({**(cnf or {}), **options})
        record("show", f"{self._w} itemconfigure", _shown(tag), _shown({**(cnf or {}), **options}))

    itemconfig = itemconfigure

    def itemcget(self, tag, option):
        found = self._fitting(tag)
        return self._items[found[0]].get(option, "") if found else ""

    def type(self, tag):
        found = self._fitting(tag)
        return self._items[found[0]]["type"] if found else None

    def gettags(self, tag):
        found = self._fitting(tag)
        return self._items[found[0]]["tags"] if found else ()

    def addtag_withtag(self, newtag, tag):
        for item in self._fitting(tag):
            self._items[item]["tags"] += (newtag,)

    def dtag(self, tag, tagToDelete=None):
        for item in self._fitting(tag):
            kept = self._items[item]
            kept["tags"] = tuple(t for t in kept["tags"] if t != (tagToDelete or tag))

    def canvasx(self, x, gridspacing=None):
        return float(x)

    canvasy = canvasx

    def tag_bind(self, tag, sequence=None, func=None, add=None):
        return self.bind(f"{tag} {sequence}", func)

    def postscript(self, cnf=None, **options):
        record("write", str(options.get("file", "postscript")))
        return ""

    tag_raise = tag_lower = lift = lower = tkraise = focus = tag_unbind = icursor = insert = (
        _nothing
    )
    addtag = addtag_all = dchars = scan_mark = scan_dragto = select_clear = index = _nothing


for _name in ("line", "oval", "rectangle", "polygon", "text", "image", "arc", "window", "bitmap"):
    setattr(
        Canvas,
        f"create_{_name}",
        lambda self, *args, _kind=_name, **options: self._create(_kind, args, options),
    )


class Menu(Widget):
    def _made(self):
        self._entries = []

    def add(self, itemType, cnf=None, **options):
        self._entries.append({"type": itemType, **(cnf or {}), **options})

    def _at(self, index):
        if isinstance(index, str) and not index.isdigit():
            labels = [entry.get("label") for entry in self._entries]
            return labels.index(index) if index in labels else len(self._entries) - 1
        return int(index)

    def insert(self, index, itemType, cnf=None, **options):
        self._entries.insert(self._at(index), {"type": itemType, **(cnf or {}), **options})

    def delete(self, index1, index2=None):
        del self._entries[self._at(index1) : self._at(index1 if index2 is None else index2) + 1]

    def entryconfigure(self, index, cnf=None, **options):
        self._entries[self._at(index)].update({**(cnf or {}), **options})

    entryconfig = entryconfigure

    def entrycget(self, index, option):
        return self._entries[self._at(index)].get(option, "")

    def invoke(self, index):
        command = self._entries[self._at(index)].get("command")
        return command() if callable(command) else ""

    def index(self, index):
        return self._at(index) if self._entries else None

    def type(self, index):
        return self._entries[self._at(index)]["type"]

    post = unpost = tk_popup = activate = xposition = yposition = _nothing


for _name in ("command", "cascade", "separator", "checkbutton", "radiobutton"):
    setattr(
        Menu,
        f"add_{_name}",
        lambda self, cnf=None, _kind=_name, **options: self.add(_kind, cnf, **options),
    )
    setattr(
        Menu,
        f"insert_{_name}",
        lambda self, index, cnf=None, _kind=_name, **options: self.insert(
            index, _kind, cnf, **options
        ),
    )

_DEFAULTS = {"state": "normal", "bg": "#d9d9d9", "background": "#d9d9d9", "fg": "#000000",
             "foreground": "#000000", "width": 0, "height": 0}  # fmt: skip

# --------------------------------------------------------------------------- constants

NO = FALSE = OFF = 0
YES = TRUE = ON = 1
ANCHOR, NSEW, LAST, FIRST = "anchor", "nsew", "last", "first"
for _name in """
    N S W E NW SW NE SE NS EW CENTER NONE X Y BOTH LEFT TOP RIGHT BOTTOM RAISED SUNKEN FLAT RIDGE
    GROOVE SOLID HORIZONTAL VERTICAL NUMERIC CHAR WORD BASELINE INSIDE OUTSIDE SEL SEL_FIRST SEL_LAST
    END INSERT CURRENT ALL NORMAL DISABLED ACTIVE HIDDEN CASCADE CHECKBUTTON COMMAND RADIOBUTTON
    SEPARATOR SINGLE BROWSE MULTIPLE EXTENDED DOTBOX UNDERLINE PIESLICE CHORD ARC BUTT PROJECTING
    ROUND BEVEL MITER MOVETO SCROLL UNITS PAGES
""".split():
    globals()[_name] = _name.lower().replace("sel_", "sel.")


def __getattr__(name):
    """What is left: constants and helpers that nobody has thought of."""
    if (
        name.startswith("__")
        or name in _SUBMODULES
        or not hasattr(slice_func_mocks, "stub_getattr")
    ):
        raise AttributeError(f"module 'tkinter' has no attribute {name!r}")
    return slice_func_mocks.stub_getattr("tkinter")(name)


_SUBMODULES = (
    "messagebox",
    "filedialog",
    "simpledialog",
    "ttk",
    "font",
    "scrolledtext",
    "colorchooser",
)
__all__ = [name for name in globals() if not name.startswith("_") and name not in (
    "annotations", "enum", "itertools", "re", "slice_func_mocks", "record")]  # fmt: skip
