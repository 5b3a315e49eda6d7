"""Dialogs of tkinter: what they say is noted, and the case says what the user answers."""

from __future__ import annotations

from slice_func_mocks import chosen, record

OK, OKCANCEL, YESNO, YESNOCANCEL, RETRYCANCEL = (
    "ok",
    "okcancel",
    "yesno",
    "yesnocancel",
    "retrycancel",
)
ABORTRETRYIGNORE = "abortretryignore"
ERROR, INFO, QUESTION, WARNING = "error", "info", "question", "warning"
ABORT, RETRY, IGNORE, CANCEL, YES, NO = "abort", "retry", "ignore", "cancel", "yes", "no"


def _says(name):
    def show(title=None, message=None, **options):
        record("message", f"tkinter.messagebox.{name}", str(title), str(message))
        return "ok"

    return show


def _asks(name, answers):
    def ask(title=None, message=None, **options):
        record("message", f"tkinter.messagebox.{name}", str(title), str(message))
        return chosen(f"tkinter.messagebox.{name}", answers)

    return ask


showinfo, showwarning, showerror = map(_says, ("showinfo", "showwarning", "showerror"))
askyesno = _asks("askyesno", {"yes": True, "no": False})
askokcancel = _asks("askokcancel", {"ok": True, "cancel": False})
askretrycancel = _asks("askretrycancel", {"cancel": False, "retry": True})
askquestion = _asks("askquestion", {"yes": "yes", "no": "no"})
askyesnocancel = _asks("askyesnocancel", {"yes": True, "no": False, "cancel": None})


class Dialog:
    """A dialog of one's own: it is built, and then answered with OK or Cancel."""

    def __init__(self, parent=None, title=None, **options):
        import tkinter

        self.parent = self.master = parent
        self.options = options
        self.result = None
        self.children, self._w, self.tk = {}, ".!dialog", parent
        self._frame = tkinter.Frame(parent)
        if type(self).body is not Dialog.body:
            self.body(self._frame)
            self.buttonbox()
            answer = chosen("tkinter.simpledialog.Dialog", {"ok": "ok", "cancel": "cancel"})
            self.ok() if answer == "ok" else self.cancel()

    def body(self, master):
        return None

    def buttonbox(self):
        """No button is pressed by hand."""

    def validate(self):
        return 1

    def apply(self):
        """Nothing to do."""

    def ok(self, event=None):
        if self.validate():
            self.apply()

    def cancel(self, event=None):
        """It closes."""

    def show(self, **options):
        return ""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._frame, name)


class SimpleDialog(Dialog):
    pass


class Message(Dialog):
    pass


# --------------------------------------------------------------------------- files


def _name(options, default):
    """A name with the ending that is asked for."""
    for kind in options.get("filetypes") or ():
        pattern = kind[1][0] if isinstance(kind[1], (list, tuple)) else str(kind[1]).split()[0]
        ending = pattern.lstrip("*")
        if ending.startswith(".") and ending != ".*":
            return f"{default}{ending}"
    return f"{default}{options.get('defaultextension') or '.txt'}"


def _file(name, options, default="chosen"):
    record("read", f"tkinter.filedialog.{name}", str(options.get("title", "")))
    return chosen(
        f"tkinter.filedialog.{name}", {"default": _name(options, default), "cancelled": ""}
    )


def askopenfilename(**options):
    return _file("askopenfilename", options)


def asksaveasfilename(**options):
    if options.get("initialfile"):
        options = {"defaultextension": "", **options}
    return _file("asksaveasfilename", options, "saved")


def askopenfilenames(**options):
    found = _file("askopenfilenames", options)
    return (found,) if found else ()


def askdirectory(**options):
    record("read", "tkinter.filedialog.askdirectory", str(options.get("title", "")))
    return chosen("tkinter.filedialog.askdirectory", {"default": "chosen", "cancelled": ""})


def askopenfile(mode="r", **options):
    found = _file("askopenfile", options)
    return open(found, mode) if found else None


def asksaveasfile(mode="w", **options):
    found = _file("asksaveasfile", options, "saved")
    return open(found, mode) if found else None


def askopenfiles(mode="r", **options):
    found = _file("askopenfiles", options)
    return [open(found, mode)] if found else []


class Open(Dialog):
    def show(self, **options):
        return askopenfilename(**self.options, **options)


class SaveAs(Dialog):
    def show(self, **options):
        return asksaveasfilename(**self.options, **options)


class Directory(Dialog):
    def show(self, **options):
        return askdirectory(**self.options, **options)


# --------------------------------------------------------------------------- values and colours


def _value(name, prompt, value):
    record("read", f"tkinter.simpledialog.{name}", str(prompt))
    return chosen(f"tkinter.simpledialog.{name}", {"default": value, "cancelled": None})


def askstring(title=None, prompt=None, **options):
    return _value("askstring", prompt, options.get("initialvalue") or "1")


def askinteger(title=None, prompt=None, **options):
    return _value(
        "askinteger", prompt, int(options.get("initialvalue") or options.get("minvalue") or 1)
    )


def askfloat(title=None, prompt=None, **options):
    return _value(
        "askfloat", prompt, float(options.get("initialvalue") or options.get("minvalue") or 1)
    )


def askcolor(color=None, **options):
    record("read", "tkinter.colorchooser.askcolor")
    answers = {"default": ((255, 0, 0), "#ff0000"), "cancelled": (None, None)}
    return chosen("tkinter.colorchooser.askcolor", answers)


class Chooser(Dialog):
    def show(self, **options):
        return askcolor()
