"""Locators of playwright: every one finds elements, and what is done to them is noted."""

from __future__ import annotations

import re
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.world import chosen, record
from .playwright_steps import PlaywrightTimeoutError, PlaywrightWorld, _Played, _step


def _found_by(kind: str) -> Any:
    def find(self: Any, text: Any, **options: Any) -> Any:
        return self.locator(f"{kind}={getattr(text, 'pattern', text)}")

    return find


def _done(name: str) -> Any:
    """A method that notes what is done to an element."""
    return _step(lambda self, *values, **options: self._do(name, *values))


class PlaywrightLocator(_Played):
    """Elements of a page that a selector finds; with an index, one of them."""

    def __init__(self, page: Any, place: str, index: int | None = None) -> None:
        self.page, self._selector, self.index = page, place, index
        self._later = page._later
        self._place = f"{place}#{(index or 0) + 1}"

    def _count(self) -> int:
        return chosen("playwright.elements", {"default": 3, "one": 1, "none": 0})

    def _there(self) -> None:
        if not self._count():
            raise PlaywrightTimeoutError(f"Timeout 30000ms exceeded. waiting for {self._selector}")

    def _text(self) -> str:
        self._there()
        typed = self.page._typed.get(self._place)
        return (
            typed
            or chosen("playwright.text", PlaywrightWorld.texts)
            or self._place.rpartition("#")[2]
        )

    def _each(self) -> list[Any]:
        return [type(self)(self.page, self._selector, n) for n in range(self._count())]

    def _one(self, number: int) -> Any:
        return type(self)(self.page, self._selector, number)

    # what finds elements is never awaited
    @property
    def first(self) -> Any:
        return self._one(0)

    @property
    def last(self) -> Any:
        return self._one(max(0, self._count() - 1))

    def nth(self, index: int) -> Any:
        return self._one(index)

    def locator(self, selector: Any, **options: Any) -> Any:
        inside = f"{self._place} > " if isinstance(self, PlaywrightLocator) else ""
        return PlaywrightLocator(
            self._of_page(), f"{inside}{getattr(selector, '_selector', selector)}"
        )

    def _of_page(self) -> Any:
        return self.page

    def filter(self, **options: Any) -> Any:
        return self

    def and_(self, other: Any) -> Any:
        return self

    or_ = and_

    def get_by_role(self, role: str, *, name: Any = None, **options: Any) -> Any:
        return self.locator(f"role={role}" + (f"[name={name!r}]" if name is not None else ""))

    get_by_text, get_by_label, get_by_test_id = map(_found_by, ("text", "label", "testid"))
    get_by_placeholder = get_by_alt_text = get_by_title = _found_by("placeholder")

    @_step
    def all(self) -> list[Any]:
        return self._each()

    @_step
    def count(self) -> int:
        return self._count()

    @_step
    def query_selector(self, selector: str, **options: Any) -> Any:
        found = self.locator(selector)
        return found.nth(0) if self._count() else None

    @_step
    def query_selector_all(self, selector: str, **options: Any) -> list[Any]:
        return self.locator(selector)._each()

    # what is read
    @_step
    def inner_text(self, **options: Any) -> str:
        return self._text()

    text_content = inner_html = input_value = inner_text

    @_step
    def all_inner_texts(self) -> list[str]:
        return [each._text() for each in self._each()]

    all_text_contents = all_inner_texts

    @_step
    def get_attribute(self, name: str, **options: Any) -> Any:
        self._there()
        if name in ("href", "src", "action"):
            return f"http://page.example/{(self.index or 0) + 1}"
        return None if name in ("disabled", "checked", "hidden") else self._text()

    @_step
    def is_visible(self, **options: Any) -> bool:
        return self._count() > 0

    is_enabled = is_editable = is_visible

    @_step
    def is_checked(self, **options: Any) -> bool:
        return bool(self.page._checked.get(self._place))

    @_step
    def is_hidden(self, **options: Any) -> bool:
        return not self._count()

    @_step
    def is_disabled(self, **options: Any) -> bool:
        return False

    @_step
    def bounding_box(self, **options: Any) -> dict[str, float]:
        return {"x": 0, "y": 0, "width": 100, "height": 20}

    @_step
    def wait_for(self, *, state: str = "visible", **options: Any) -> None:
        if state in ("visible", "attached"):
            self._there()

    @_step
    def wait_for_element_state(self, state: str, **options: Any) -> None:
        self._there()

    @_step
    def evaluate(self, expression: str, arg: Any = None, **options: Any) -> Any:
        return _evaluated(expression, arg, self._text())

    @_step
    def evaluate_all(self, expression: str, arg: Any = None, **options: Any) -> Any:
        return [_evaluated(expression, arg, each._text()) for each in self._each()]

    @_step
    def screenshot(self, *, path: Any = None, **options: Any) -> bytes:
        return _pictured(self._place, path)

    # what is done
    def _do(self, name: str, *values: Any) -> None:
        self._there()
        record("command", f"{name} {self._place}", *map(as_data, values))

    click, dblclick, hover = map(_done, ("click", "dblclick", "hover"))
    press, focus = map(_done, ("press", "focus"))
    tap, blur = click, focus

    @_step
    def fill(self, value: str, **options: Any) -> None:
        self._do("type", value)
        self.page._typed[self._place] = value

    @_step
    def type(self, text: str, **options: Any) -> None:
        self._do("type", text)
        self.page._typed[self._place] = self.page._typed.get(self._place, "") + text

    press_sequentially = type

    @_step
    def clear(self, **options: Any) -> None:
        self._do("clear")
        self.page._typed.pop(self._place, None)

    @_step
    def set_checked(self, checked: bool, **options: Any) -> None:
        self._do("check" if checked else "uncheck")
        self.page._checked[self._place] = checked

    def check(self, **options: Any) -> Any:
        return self.set_checked(True)

    def uncheck(self, **options: Any) -> Any:
        return self.set_checked(False)

    @_step
    def select_option(self, value: Any = None, **options: Any) -> list[str]:
        wanted = value if value is not None else next(iter(options.values()), "")
        self._do("select", wanted)
        return list(wanted) if isinstance(wanted, (list, tuple)) else [str(wanted)]

    @_step
    def set_input_files(self, files: Any, **options: Any) -> None:
        self._do("upload", files if isinstance(files, (str, list)) else str(files))

    scroll_into_view_if_needed = wait_for

    @_step
    def dispatch_event(self, name: str, *args: Any, **options: Any) -> None:
        self._do(name)

    @_step
    def content_frame(self) -> Any:
        return self.page

    @_step
    def drag_to(self, target: Any, **options: Any) -> None:
        self._do("drag", target._place)


_PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
    "53de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)


def _pictured(place: str, path: Any) -> bytes:
    record("command", f"screenshot {place}".rstrip())
    if path is not None:
        with open(path, "wb") as file:
            file.write(_PICTURE)
    return _PICTURE


def _evaluated(expression: str, arg: Any, text: str) -> Any:
    record("command", "script", expression, *([as_data(arg)] if arg is not None else []))
    if "readyState" in expression:
        return "complete"
    if re.search(
        r"(Height|Width|length|scrollTop|Offset|scroll[XY])\b(?!.*scroll(To|By))", expression
    ):
        return 1000
    if re.search(r"scroll(To|By|IntoView)|\.click\(|\.remove\(|=(?![=>])", expression):
        return None
    return text
