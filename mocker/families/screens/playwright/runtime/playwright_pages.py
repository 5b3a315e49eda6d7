"""Pages of playwright without a browser: what they show, where they go, and what they wait for."""

from __future__ import annotations

import json
import re
from typing import Any

from .....world.core.world import chosen, record
from .playwright_locators import PlaywrightLocator, _evaluated, _pictured
from .playwright_steps import (
    PlaywrightError,
    PlaywrightTimeoutError,
    PlaywrightWorld,
    _Played,
    _step,
    _step_noted,
)


class PlaywrightResponse(_Played):
    """The answer to a page's request."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self._later = page._later
        self.status = int(
            chosen("playwright.status", {"default": "200", "404": "404", "500": "500"})
        )
        self.ok = self.status < 400
        self.status_text = "OK" if self.ok else "Not OK"
        self.headers = {"content-type": "text/html"}
        self.request = self

    @_step
    def text(self) -> str:
        return self.page._content()

    @_step
    def body(self) -> bytes:
        return self.page._content().encode()

    @_step
    def json(self) -> Any:
        try:
            return json.loads(self.page._content())
        except ValueError:
            return {}

    @_step
    def all_headers(self) -> dict[str, str]:
        return dict(self.headers)


class PlaywrightKeys(_Played):
    """The keyboard, the mouse, or the touch screen of a page."""

    def __init__(self, page: Any, name: str) -> None:
        self._later, self._place = page._later, name

    press, type, insert_text, down = (
        _step_noted("press"),
        _step_noted("type"),
        _step_noted("type"),
        _step_noted("down"),
    )
    up, move, click, dblclick = (
        _step_noted("up"),
        _step_noted("move"),
        _step_noted("click"),
        _step_noted("dblclick"),
    )
    wheel, tap = _step_noted("wheel"), _step_noted("tap")


class PlaywrightPage(PlaywrightLocator):
    """A page; frames are pages, too."""

    def __init__(self, context: Any) -> None:
        self.context, self._later = context, context._later
        self.page, self._selector, self.index = self, "", None
        self._place = ""
        self.url = "about:blank"
        self.name = ""
        self.viewport_size = {"width": 1280, "height": 720}
        self._typed: dict[str, str] = {}
        self._checked: dict[str, bool] = {}
        self._set: str | None = None
        self._closed = False
        self.keyboard, self.mouse = PlaywrightKeys(self, "keyboard"), PlaywrightKeys(self, "mouse")
        self.touchscreen = PlaywrightKeys(self, "touchscreen")

    main_frame = property(lambda self: self)
    frames = property(lambda self: [self])
    video = None

    def _content(self) -> str:
        return (
            self._set if self._set is not None else chosen("playwright.page", PlaywrightWorld.pages)
        )

    def locator(self, selector: Any, **options: Any) -> Any:
        return PlaywrightLocator(self, f"{getattr(selector, '_selector', selector)}")

    def frame_locator(self, selector: str) -> Any:
        return self

    def frame(self, *args: Any, **options: Any) -> Any:
        return self

    @_step
    def goto(self, url: str, **options: Any) -> Any:
        record("request", f"GET {url}")
        variants = {
            "default": None,
            "timeout": PlaywrightTimeoutError,
            "connection": PlaywrightError,
        }
        failure = chosen("playwright.goto", variants)
        if failure is PlaywrightTimeoutError:
            raise failure(f"Page.goto: Timeout 30000ms exceeded. navigating to {url}")
        if failure is not None:
            raise failure(f"Page.goto: net::ERR_CONNECTION_REFUSED at {url}")
        self.url, self._set = url, None
        return PlaywrightResponse(self, url)

    @_step
    def reload(self, **options: Any) -> Any:
        record("request", f"GET {self.url}")
        return PlaywrightResponse(self, self.url)

    @_step
    def go_back(self, **options: Any) -> Any:
        record("command", "go_back")
        return PlaywrightResponse(self, self.url)

    go_forward = go_back

    @_step
    def content(self) -> str:
        return self._content()

    @_step
    def set_content(self, html: str, **options: Any) -> None:
        self._set = html

    @_step
    def title(self) -> str:
        found = re.search(r"<title>(.*?)</title>", self._content(), re.DOTALL)
        return found[1] if found else ""

    @_step
    def wait_for_selector(self, selector: str, *, state: str = "visible", **options: Any) -> Any:
        found = self.locator(selector).first
        if state in ("visible", "attached"):
            found._there()
            return found
        return None

    @_step
    def wait_for_timeout(self, timeout: float) -> None:
        """Waiting takes no time."""

    @_step
    def wait_for_load_state(self, *args: Any, **options: Any) -> None:
        """It is loaded."""

    wait_for_url = wait_for_function = wait_for_load_state
    bring_to_front = set_viewport_size = add_init_script = add_script_tag = wait_for_load_state
    add_style_tag = route = unroute = set_extra_http_headers = emulate_media = wait_for_load_state
    expose_function = pause = wait_for_load_state

    def set_default_timeout(self, timeout: float) -> None:
        """Nothing is waited for."""

    set_default_navigation_timeout = set_default_timeout

    @_step
    def evaluate(self, expression: str, arg: Any = None, **options: Any) -> Any:
        return _evaluated(expression, arg, chosen("playwright.text", PlaywrightWorld.texts))

    @_step
    def eval_on_selector(
        self, selector: str, expression: str, arg: Any = None, **options: Any
    ) -> Any:
        return _evaluated(expression, arg, self.locator(selector).first._text())

    @_step
    def eval_on_selector_all(self, selector: str, expression: str, arg: Any = None) -> Any:
        return [
            _evaluated(expression, arg, each._text()) for each in self.locator(selector)._each()
        ]

    @_step
    def screenshot(self, *, path: Any = None, **options: Any) -> bytes:
        return _pictured("", path)

    @_step
    def pdf(self, *, path: Any = None, **options: Any) -> bytes:
        record("command", "pdf")
        if path is not None:
            with open(path, "wb") as file:
                file.write(b"%PDF-1.4\n")
        return b"%PDF-1.4\n"

    @_step
    def close(self, **options: Any) -> None:
        self._closed = True

    def is_closed(self) -> bool:
        return self._closed

    def expect_navigation(self, *args: Any, **options: Any) -> Any:
        return PlaywrightEvent(self, PlaywrightResponse(self, self.url))

    expect_response = expect_request = expect_event = expect_navigation

    def expect_popup(self, *args: Any, **options: Any) -> Any:
        return PlaywrightEvent(self, PlaywrightPage(self.context))

    expect_page = expect_popup

    def expect_download(self, *args: Any, **options: Any) -> Any:
        return PlaywrightEvent(self, PlaywrightDownload(self))


def _of_selector(name: str) -> Any:
    def call(self: Any, selector: str, *args: Any, **options: Any) -> Any:
        return getattr(self.locator(selector).first, name)(*args, **options)

    return call


for _name in (
    "click dblclick hover tap fill type press check uncheck select_option set_input_files focus"
    " inner_text text_content inner_html input_value get_attribute is_visible is_hidden is_enabled"
    " is_checked is_disabled is_editable dispatch_event".split()
):
    setattr(PlaywrightPage, _name, _of_selector(_name))


class PlaywrightEvent(_Played):
    """Something that is expected inside a `with`, and has come after it."""

    def __init__(self, page: Any, found: Any) -> None:
        self._later, self._found = page._later, found

    value = property(_step(lambda self: self._found))


class PlaywrightDownload(_Played):
    """A file that a page gives."""

    suggested_filename = "file.txt"

    def __init__(self, page: Any) -> None:
        self.page, self._later, self.url = page, page._later, page.url

    @_step
    def save_as(self, path: Any) -> None:
        with open(path, "wb") as file:
            file.write(chosen("playwright.page", PlaywrightWorld.pages).encode())
