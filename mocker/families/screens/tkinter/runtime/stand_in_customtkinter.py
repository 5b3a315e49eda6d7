"""customtkinter without a display: on the widgets that stand in for tkinter's."""

from __future__ import annotations

import tkinter
from tkinter import BooleanVar, DoubleVar, IntVar, StringVar, Variable, filedialog  # noqa: F401
from tkinter.constants import *  # noqa: F403

import slice_func_mocks
from slice_func_mocks import chosen, record


class CTk(tkinter.Tk):
    def __init__(self, fg_color=None, **options):
        super().__init__()
        self._options.update(options)


(CTkFrame,) = tkinter._kinds(tkinter.Frame, names="CTkFrame")
(CTkScrollableFrame,) = tkinter._kinds(CTkFrame, names="CTkScrollableFrame")
(CTkBaseClass,) = tkinter._kinds(tkinter.Widget, names="CTkBaseClass")
(CTkTextbox,) = tkinter._kinds(tkinter.Text, names="CTkTextbox")
for _name in ("Toplevel", "Label", "Button", "Entry", "Canvas", "Scrollbar"):
    (globals()[f"CTk{_name}"],) = tkinter._kinds(getattr(tkinter, _name), names=f"CTk{_name}")


class _HasValue(tkinter.Widget):
    """One value, shared with a variable if there is one."""

    _first = 0

    def _made(self):
        self._value = self._first

    def get(self):
        variable = self._options.get("variable")
        return variable.get() if isinstance(variable, Variable) else self._value

    def set(self, value):
        self._value = value
        if isinstance(self._options.get("variable"), Variable):
            self._options["variable"].set(value)
        record("show", f"{self._w} set", value)


class _Switched(_HasValue):
    def select(self):
        self.set(self._options.get("onvalue", 1))

    def deselect(self):
        self.set(self._options.get("offvalue", 0))

    def toggle(self):
        on = self._options.get("onvalue", 1)
        self.deselect() if self.get() == on else self.select()
        command = self._options.get("command")
        if callable(command):
            command()

    invoke = toggle


CTkCheckBox, CTkSwitch = tkinter._kinds(_Switched, names="CTkCheckBox CTkSwitch")


class CTkRadioButton(_Switched):
    def select(self):
        self.set(self._options.get("value", 1))


class CTkSlider(_HasValue):
    _first = 0.5


class CTkProgressBar(_HasValue):
    _first = 0.5

    def start(self):
        """It does not move."""

    stop = step = start


class CTkOptionMenu(_HasValue):
    def _made(self):
        values = self._options.get("values") or [""]
        self._value = values[0]

    def invoke(self, value):
        self.set(value)
        if callable(self._options.get("command")):
            self._options["command"](value)


class CTkComboBox(CTkOptionMenu):
    pass


class CTkSegmentedButton(CTkOptionMenu):
    def _made(self):
        self._value = ""


class CTkTabview(CTkFrame):
    def _made(self):
        self._tabs, self._current = {}, ""

    def add(self, name):
        self._tabs[name] = CTkFrame(self)
        self._current = self._current or name
        return self._tabs[name]

    def tab(self, name):
        return self._tabs[name]

    def set(self, name):
        self._current = name

    def get(self):
        return self._current

    def delete(self, name):
        self._tabs.pop(name)


class CTkImage:
    def __init__(self, light_image=None, dark_image=None, size=(20, 20)):
        self._light_image, self._dark_image, self._size = light_image, dark_image, size

    def cget(self, name):
        return vars(self).get(f"_{name}")

    def configure(self, **options):
        vars(self).update({f"_{k}": v for k, v in options.items()})


class CTkFont:
    def __init__(
        self,
        family=None,
        size=13,
        weight="normal",
        slant="roman",
        underline=False,
        overstrike=False,
    ):
        self._options = {"family": family or "Roboto", "size": size, "weight": weight}

    def cget(self, name):
        return self._options.get(name)

    def configure(self, **options):
        self._options.update(options)

    def measure(self, text):
        return len(text) * self._options["size"] * 3 // 5


class CTkInputDialog:
    def __init__(self, *args, text="", **options):
        self._text = text

    def get_input(self):
        record("read", "customtkinter.CTkInputDialog", self._text)
        return chosen("customtkinter.CTkInputDialog", {"default": "1", "cancelled": None})


_mode = "Light"


def set_appearance_mode(mode_string):
    global _mode
    _mode = mode_string.capitalize()


def get_appearance_mode():
    return _mode


def set_default_color_theme(color_string):
    """Nothing is drawn."""


set_widget_scaling = set_window_scaling = deactivate_automatic_dpi_awareness = lambda *_: None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return slice_func_mocks.stub_getattr("customtkinter")(name)
