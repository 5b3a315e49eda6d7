"""PySimpleGUI without a display: windows give each event once, then they are closed."""

from __future__ import annotations

from slice_func_mocks import as_data, chosen, record

WIN_CLOSED = WINDOW_CLOSED = None
TIMEOUT_KEY = TIMEOUT_EVENT = "__TIMEOUT__"
POPUP_OK = "OK"


class Element:
    """A part of a window: it has a key and a value."""

    def __init__(self, *args, **named):
        self.args = args
        self.Key = self.key = named.get("key", named.get("k"))
        texts = [a for a in args if isinstance(a, (str, int, float))]
        first = named.get(
            "default_text",
            named.get("default_value", named.get("default", texts[0] if texts else "")),
        )
        self.value = self.DefaultText = first
        self.named = named
        self.Widget = self.TKCanvas = self.Visible = None

    def update(self, value=None, *args, **named):
        if value is not None:
            self.value = value
        record(
            "show", f"PySimpleGUI.{type(self).__name__}.update", as_data(self.key), as_data(value)
        )

    Update = update

    def get(self):
        return self.value

    Get = get

    def bind(self, *args, **named):
        """Nothing comes."""

    set_focus = SetFocus = expand = set_tooltip = set_size = unbind = bind

    def print(self, *args, **named):
        self.value = f"{self.value}{' '.join(map(str, args))}\n"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **named: record(
            "show", f"PySimpleGUI.{type(self).__name__}.{name}", *map(as_data, args)
        )


class Button(Element):
    def __init__(self, button_text="", *args, **named):
        super().__init__(button_text, *args, **named)
        self.key = self.Key = button_text if self.key is None else self.key


class Window:
    """Its events are those of its buttons, in order; then it is closed."""

    def __init__(self, title="", layout=None, *args, **named):
        self.Title, self._rows = title, list(layout or ())
        self._events = None
        self._closed = False
        self._numbered = 0
        self._elements = dict(self._found(self._rows))
        record("show", "PySimpleGUI.Window", str(title))

    def _found(self, rows):
        for row in rows:
            for each in row if isinstance(row, (list, tuple)) else (row,):
                if isinstance(each, (list, tuple)):
                    yield from self._found([each])
                elif isinstance(each, Element):
                    inner = [
                        a
                        for a in (*each.args, each.named.get("layout"))
                        if isinstance(a, (list, tuple))
                    ]
                    if type(each).__name__ in ("Column", "Frame", "Tab", "TabGroup", "Pane"):
                        for layout in inner:
                            yield from self._found(layout)
                    key = each.key
                    if key is None and type(each).__name__ in _INPUTS:
                        key, self._numbered = self._numbered, self._numbered + 1
                    yield key, each

    def _values(self):
        given = {k: e.value for k, e in self._elements.items() if type(e).__name__ in _INPUTS}
        return {key: given[key] for key in given if key is not None}

    def read(self, timeout=None, *args, **named):
        if self._events is None:
            buttons = [k for k, e in self._elements.items() if isinstance(e, Button)]
            pressed = {"default": buttons, "closed": [], **{str(key): [key] for key in buttons}}
            self._events = list(chosen("PySimpleGUI.Window.read", pressed))
        event = self._events.pop(0) if self._events else WIN_CLOSED
        record("read", "PySimpleGUI.Window.read", as_data(event))
        return event, self._values()

    Read = read

    def finalize(self):
        return self

    Finalize = finalize

    def __getitem__(self, key):
        return self._elements[key]

    find_element = FindElement = Element = __getitem__

    @property
    def key_dict(self):
        return self._elements

    AllKeysDict = key_dict

    def close(self):
        self._closed = True
        record("show", "PySimpleGUI.Window.close")

    Close = close

    def is_closed(self):
        return self._closed

    def fill(self, values):
        for key, value in values.items():
            self._elements[key].value = value

    def write_event_value(self, key, value):
        self._events = [*(self._events or ()), key]

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **named: None


_INPUTS = ("Input", "InputText", "In", "Multiline", "ML", "Combo", "Checkbox", "CB", "Radio", "Slider",
           "Spin", "Listbox", "InputCombo", "InputOptionMenu", "OptionMenu", "DropDown")  # fmt: skip
_BUTTONS = ("Submit", "Ok", "OK", "Cancel", "Exit", "Quit", "Yes", "No", "Save", "Open", "Help", "B",
            "FileBrowse", "FolderBrowse", "FilesBrowse", "SaveAs", "RButton", "Btn", "CloseButton")  # fmt: skip


def _button(name):
    def __init__(self, button_text=name, *args, **named):
        Button.__init__(self, button_text, *args, **named)

    return type(name, (Button,), {"__init__": __init__})


def _popup(name, answers):
    def popup(*args, **named):
        record("message", f"PySimpleGUI.{name}", *map(as_data, args))
        return chosen(f"PySimpleGUI.{name}", answers)

    return popup


_ANSWERS = {
    "popup_yes_no": {"yes": "Yes", "no": "No", "closed": None},
    "popup_ok_cancel": {"ok": "OK", "cancel": "Cancel"},
    "popup_get_text": {"default": "1", "cancelled": None},
    "popup_get_file": {"default": "chosen.txt", "cancelled": None},
    "popup_get_folder": {"default": "chosen", "cancelled": None},
}
theme_list = list_of_look_and_feel_values = lambda: ["DarkBlue3"]
_made: dict = {}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name not in _made:
        low = name.lower()
        if low.startswith("popup"):
            snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
            _made[name] = _popup(snake, _ANSWERS.get(snake, {"ok": "OK"}))
        elif name in _BUTTONS:
            _made[name] = _button(name)
        elif name[:1].isupper() and not name.isupper() or name in ("T", "ML", "CB", "VSep", "HSep"):
            _made[name] = type(name, (Element,), {})
        else:
            _made[name] = lambda *args, **named: None
    return _made[name]
