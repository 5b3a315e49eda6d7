"""Themed widgets of tkinter, without a display."""

from __future__ import annotations

import tkinter
from tkinter import (
    Button,
    Checkbutton,
    Entry,
    Frame,
    Label,
    Menubutton,
    PanedWindow,
    Radiobutton,
    Scale,
    Scrollbar,
    Spinbox,
    Widget,
)
from tkinter import LabelFrame as Labelframe


def _nothing(self, *args, **kwargs):
    return ""


class _Themed:
    def state(self, statespec=None):
        kept = vars(self).setdefault("_state", set())
        for each in statespec or ():
            kept.discard(each[1:]) if each.startswith("!") else kept.add(each)
        return tuple(sorted(kept))

    def instate(self, statespec, callback=None, *args, **kw):
        kept = vars(self).setdefault("_state", set())
        found = all((s[1:] not in kept) if s.startswith("!") else s in kept for s in statespec)
        return callback(*args, **kw) if found and callback else found

    identify = _nothing


def _themed(base):
    return type(
        base.__name__.replace("LabelFrame", "Labelframe"), (_Themed, base), {"__module__": __name__}
    )


Button, Checkbutton, Entry, Frame, Label, Menubutton = map(
    _themed, (Button, Checkbutton, Entry, Frame, Label, Menubutton)
)
PanedWindow, Radiobutton, Scale, Scrollbar, Spinbox, Labelframe = map(
    _themed, (PanedWindow, Radiobutton, Scale, Scrollbar, Spinbox, Labelframe)
)
LabelFrame, Panedwindow = Labelframe, PanedWindow
Spinbox.set = Entry.set = lambda self, value: self._put(str(value))
Widget = type("Widget", (_Themed, Widget), {"__module__": __name__})


class Combobox(Entry):
    def current(self, newindex=None):
        values = list(self._options.get("values", ()))
        if newindex is None:
            return values.index(self.get()) if self.get() in values else -1
        self._put(str(values[newindex]))
        return None

    def set(self, value):
        self._put(str(value))


class Separator(Widget):
    pass


class Sizegrip(Widget):
    pass


class Progressbar(Widget):
    def step(self, amount=1.0):
        self._options["value"] = float(self._options.get("value", 0)) + amount

    def start(self, interval=None):
        """It does not move."""

    stop = start


class LabeledScale(Frame):
    def __init__(self, master=None, variable=None, from_=0, to=10, **options):
        super().__init__(master, **options)
        self._variable = variable or tkinter.IntVar(master)
        self.label, self.scale = (
            Label(self),
            Scale(self, variable=self._variable, from_=from_, to=to),
        )

    value = property(lambda self: self._variable.get(), lambda self, v: self._variable.set(v))


class OptionMenu(Menubutton):
    def __init__(self, master, variable, default=None, *values, **options):
        super().__init__(master, textvariable=variable)
        self._variable, self._callback = variable, options.get("command")
        self.set_menu(default, *values)

    def set_menu(self, default=None, *values):
        self._menu = tkinter.Menu(self)
        for each in values:
            self._menu.add_command(label=each, command=lambda each=each: self._variable.set(each))
        if default is not None:
            self._variable.set(default)

    def __getitem__(self, name):
        return self._menu if name == "menu" else super().__getitem__(name)


class Notebook(Widget):
    def _made(self):
        self._pages, self._selected = {}, None

    def add(self, child, **options):
        self._pages[str(child)] = {"child": child, **options}
        self._selected = self._selected or str(child)

    def insert(self, pos, child, **options):
        self.add(child, **options)

    def tabs(self):
        return tuple(self._pages)

    def _id(self, tab):
        return (
            list(self._pages)[tab]
            if isinstance(tab, int)
            else self._selected
            if tab == "current"
            else str(tab)
        )

    def select(self, tab_id=None):
        if tab_id is None:
            return self._selected or ""
        self._selected = self._id(tab_id)
        return None

    def index(self, tab_id):
        return len(self._pages) if tab_id == "end" else list(self._pages).index(self._id(tab_id))

    def tab(self, tab_id, option=None, **options):
        kept = self._pages[self._id(tab_id)]
        kept.update(options)
        return kept.get(option, "") if option else {k: v for k, v in kept.items() if k != "child"}

    def forget(self, tab_id):
        self._pages.pop(self._id(tab_id), None)

    hide = forget

    def enable_traversal(self):
        """There is no keyboard."""


class Treeview(Widget, tkinter.XView, tkinter.YView):
    def _made(self):
        self._rows, self._below, self._chosen, self._columns = {}, {"": []}, (), {}

    def insert(self, parent, index, iid=None, **options):
        if iid is None:
            self._number = getattr(self, "_number", 0) + 1
        iid = f"I{self._number:03X}" if iid is None else str(iid)
        if iid in self._rows:
            raise tkinter.TclError(f"Item {iid} already exists")
        rows = self._below.setdefault(parent, [])
        rows.insert(len(rows) if index == "end" else int(index), iid)
        self._below[iid] = []
        self._rows[iid] = {"text": "", "image": "", "values": "", "open": 0, "tags": "", **options}
        tkinter.record("show", f"{self._w} insert", parent, iid, tkinter._shown(options))
        return iid

    def get_children(self, item=None):
        return tuple(self._below.get(item or "", ()))

    def _column(self, column):
        names = list(self._options.get("columns", ()))
        if isinstance(column, str) and column.startswith("#"):
            return int(column[1:]) - 1
        return column if isinstance(column, int) else names.index(column)

    def item(self, item, option=None, **options):
        kept = self._rows[item]
        kept.update(options)
        return kept.get(option, "") if option else dict(kept)

    def set(self, item, column=None, value=None):
        names = list(self._options.get("columns", ()))
        values = list(self._rows[item]["values"] or ())
        if column is None:
            return dict(zip(names, values, strict=False))
        at = self._column(column)
        if value is None:
            return values[at] if at < len(values) else ""
        values += [""] * (at + 1 - len(values))
        values[at] = value
        self._rows[item]["values"] = values
        return None

    def delete(self, *items):
        for item in items[0] if len(items) == 1 and isinstance(items[0], (list, tuple)) else items:
            if item not in self._rows:
                raise tkinter.TclError(f"Item {item} not found")
            for child in self.get_children(item):
                self.delete(child)
            self._rows.pop(item)
            for rows in self._below.values():
                rows.remove(item) if item in rows else None
        tkinter.record("show", f"{self._w} delete", *map(str, items))

    detach = delete

    def exists(self, item):
        return item in self._rows

    def parent(self, item):
        return next((p for p, rows in self._below.items() if item in rows), "")

    def index(self, item):
        return self._below[self.parent(item)].index(item)

    def move(self, item, parent, index):
        self._below[self.parent(item)].remove(item)
        rows = self._below.setdefault(parent, [])
        rows.insert(len(rows) if index == "end" else int(index), item)

    reattach = move

    def next(self, item):
        rows = self._below[self.parent(item)]
        return rows[rows.index(item) + 1] if item != rows[-1] else ""

    def selection(self):
        return self._chosen

    def selection_set(self, *items):
        self._chosen = (
            tuple(items[0]) if len(items) == 1 and not isinstance(items[0], str) else items
        )

    def selection_add(self, *items):
        self._chosen += tuple(items)

    def selection_remove(self, *items):
        self._chosen = tuple(i for i in self._chosen if i not in items)

    def focus(self, item=None):
        if item is None:
            return self._chosen[0] if self._chosen else ""
        self._chosen = (item,)
        return ""

    def heading(self, column, option=None, **options):
        kept = self._columns.setdefault(("heading", column), {})
        kept.update(options)
        return kept.get(option, "") if option else kept

    def column(self, column, option=None, **options):
        kept = self._columns.setdefault(("column", column), {"width": 200})
        kept.update(options)
        return kept.get(option, "") if option else kept

    tag_configure = tag_bind = tag_has = see = bbox = identify_row = identify_column = _nothing
    identify_region = set_children = identify_element = selection_toggle = _nothing


class Style:
    """Styles are kept, and nothing is drawn in them."""

    def __init__(self, master=None):
        self.master, self._kept, self._theme = master, {}, "default"

    def configure(self, style, query_opt=None, **options):
        self._kept.setdefault(style, {}).update(options)
        return self._kept[style].get(query_opt, "") if query_opt else None

    def lookup(self, style, option, state=None, default=None):
        return self._kept.get(style, {}).get(option, default or "")

    def map(self, style, query_opt=None, **options):
        return {}

    def theme_use(self, themename=None):
        if themename is None:
            return self._theme
        self._theme = themename
        return None

    def theme_names(self):
        return ("clam", "alt", "default", "classic")

    layout = element_create = element_names = element_options = theme_create = _nothing
    theme_settings = _nothing


def setup_master(master=None):
    return master or tkinter._get_default_root()


def tclobjs_to_py(adict):
    return adict
