"""tkinter, libraries built on it, and turtle: widgets that keep their state, without a display."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule
from ....world import runtime_text

_DIALOGS = ("messagebox", "filedialog", "simpledialog", "colorchooser", "commondialog", "dialog")
_REST = ("font", "scrolledtext", "constants")
_REASON = "there is no display; what stands in keeps the state of its widgets"


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The modules are replaced by carried ones of the same names."""
    del contacts
    tops = [top for top in ("tkinter", "customtkinter", "turtle") if border.modules(top)]
    modules: list[StubModule] = []
    if {"tkinter", "customtkinter"} & set(tops):
        modules += _tkinter(border, whole="customtkinter" in tops)
    modules += [
        StubModule(top, runtime_text(f"stand_in_{top}")) for top in tops if top != "tkinter"
    ]
    return Mock(
        treated=tuple(ModuleTreatment(top, "stubbed", _REASON) for top in tops),
        setup="",
        pieces=("stubs",),
        modules=tuple(modules),
    )


def _tkinter(border: Border, *, whole: bool) -> list[StubModule]:
    """Return the package, with the submodules that the slice imports, and those they require."""
    wanted = {module.partition(".")[2] for module in border.modules("tkinter")} - {""}
    wanted |= {name for name in (*_DIALOGS, *_REST, "ttk") if border.named(f"tkinter.{name}")}
    if whole:
        wanted |= {"filedialog", "constants"}
    texts = {"tkinter": runtime_text("stand_in_tkinter")}
    for name in wanted:
        if name in _DIALOGS:
            texts[f"tkinter.{name}"] = runtime_text("stand_in_tkinter_dialogs")
        elif name in _REST:
            texts[f"tkinter.{name}"] = runtime_text("stand_in_tkinter_rest")
        elif name == "ttk":
            texts["tkinter.ttk"] = runtime_text("stand_in_tkinter_ttk")
    return [StubModule(name, text) for name, text in sorted(texts.items())]


FAMILY = Family("tkinter", stub)
