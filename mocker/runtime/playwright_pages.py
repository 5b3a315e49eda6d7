"""Pages of playwright without a browser: every locator finds elements, and what is done is noted."""

from __future__ import annotations

import contextlib
import functools
import json
import re
from typing import Any

from .as_data import as_data
from .world import chosen, record

__all__ = ["playwright_page"]  # what cases may call


class PlaywrightError(Exception):
    """What playwright raises."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.name = "Error"


class PlaywrightTimeoutError(PlaywrightError):
    """An element, or an event, has not come."""


class PlaywrightWorld:
    """What pages show."""

    texts: dict[str, str] = {}
    """Variant → what elements show; empty for the number of the element."""
    pages: dict[str, str] = {}


def play_alone(texts: dict[str, str], pages: dict[str, str]) -> None:
    """Say what elements and pages show."""
    PlaywrightWorld.texts, PlaywrightWorld.pages = texts, pages


def _step(function: Any) -> Any:
    """A method that is awaited where the interface is the asynchronous one."""

    @functools.wraps(function)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        if not self._later:
            return function(self, *args, **options)

        async def later() -> Any:
            return function(self, *args, **options)

        return later()

    return call


def _step_noted(name: str) -> Any:
    def call(self: Any, *args: Any, **options: Any) -> Any:
        kept = {k: v for k, v in options.items() if k not in ("timeout", "delay", "force")}
        record(
            "command",
            f"{name} {self._place}".rstrip(),
            *map(as_data, args),
            *([as_data(kept)] if kept else []),
        )

    return _step(call)


class _Played:
    """Anything of playwright; knows which interface it is of."""

    _later = False
    _place = ""

    def on(self, event: str, handler: Any) -> None:
        """Events do not come by themselves."""

    once = remove_listener = on

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None


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

    def get_by_text(self, text: Any, **options: Any) -> Any:
        return self.locator(f"text={getattr(text, 'pattern', text)}")

    def get_by_label(self, text: Any, **options: Any) -> Any:
        return self.locator(f"label={getattr(text, 'pattern', text)}")

    def get_by_placeholder(self, text: Any, **options: Any) -> Any:
        return self.locator(f"placeholder={getattr(text, 'pattern', text)}")

    def get_by_test_id(self, text: Any, **options: Any) -> Any:
        return self.locator(f"testid={getattr(text, 'pattern', text)}")

    get_by_alt_text = get_by_title = get_by_placeholder

    @_step
    def all(self) -> list[Any]:
        return self._each()

    @_step
    def count(self) -> int:
        return self._count()

    @_step
    def query_selector(self, selector: str, **options: Any) -> Any:
        found = self.locator(selector)
        return found.nth(0) if self._elements_count() else None

    @_step
    def query_selector_all(self, selector: str, **options: Any) -> list[Any]:
        return self.locator(selector)._each()

    def _elements_count(self) -> int:
        return chosen("playwright.elements", {"default": 3, "one": 1, "none": 0})

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

    @_step
    def click(self, **options: Any) -> None:
        self._do("click")

    @_step
    def dblclick(self, **options: Any) -> None:
        self._do("dblclick")

    @_step
    def hover(self, **options: Any) -> None:
        self._do("hover")

    tap = click

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
    def press(self, key: str, **options: Any) -> None:
        self._do("press", key)

    @_step
    def check(self, **options: Any) -> None:
        self._do("check")
        self.page._checked[self._place] = True

    @_step
    def uncheck(self, **options: Any) -> None:
        self._do("uncheck")
        self.page._checked[self._place] = False

    @_step
    def set_checked(self, checked: bool, **options: Any) -> None:
        self._do("check" if checked else "uncheck")
        self.page._checked[self._place] = checked

    @_step
    def select_option(self, value: Any = None, **options: Any) -> list[str]:
        wanted = value if value is not None else next(iter(options.values()), "")
        self._do("select", wanted)
        return list(wanted) if isinstance(wanted, (list, tuple)) else [str(wanted)]

    @_step
    def set_input_files(self, files: Any, **options: Any) -> None:
        self._do("upload", files if isinstance(files, (str, list)) else str(files))

    @_step
    def focus(self, **options: Any) -> None:
        self._do("focus")

    blur = focus
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

    @property
    def value(self) -> Any:
        if not self._later:
            return self._found

        async def later() -> Any:
            return self._found

        return later()


class PlaywrightDownload(_Played):
    """A file that a page gives."""

    suggested_filename = "file.txt"

    def __init__(self, page: Any) -> None:
        self.page, self._later, self.url = page, page._later, page.url

    @_step
    def save_as(self, path: Any) -> None:
        with open(path, "wb") as file:
            file.write(chosen("playwright.page", PlaywrightWorld.pages).encode())


class PlaywrightContext(_Played):
    """Pages with cookies of their own."""

    def __init__(self, browser: Any) -> None:
        self.browser, self._later = browser, browser._later
        self.pages: list[Any] = []
        self._cookies: list[dict[str, Any]] = []
        self.tracing = self

    @_step
    def new_page(self, **options: Any) -> Any:
        self.pages.append(PlaywrightPage(self))
        return self.pages[-1]

    @_step
    def cookies(self, *urls: Any) -> list[dict[str, Any]]:
        return [dict(cookie) for cookie in self._cookies]

    @_step
    def add_cookies(self, cookies: Any) -> None:
        self._cookies.extend(cookies)
        record("command", "add_cookies", as_data(cookies))

    @_step
    def clear_cookies(self, **options: Any) -> None:
        self._cookies.clear()

    @_step
    def storage_state(self, *, path: Any = None, **options: Any) -> dict[str, Any]:
        state = {"cookies": list(self._cookies), "origins": []}
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(state, file)
        return state

    @_step
    def close(self, **options: Any) -> None:
        """Nothing is open."""

    def route(self, *args: Any, **options: Any) -> Any:
        return self.close()

    add_init_script = grant_permissions = set_extra_http_headers = start = stop = route

    def set_default_timeout(self, timeout: float) -> None:
        """Nothing is waited for."""

    set_default_navigation_timeout = set_default_timeout


class PlaywrightBrowser(_Played):
    """A browser that shows nothing."""

    version = "130.0"

    def __init__(self, kind: Any) -> None:
        self.browser_type, self._later = kind, kind._later
        self.contexts: list[Any] = []
        self._open = True

    def _context(self) -> Any:
        self.contexts.append(PlaywrightContext(self))
        return self.contexts[-1]

    @_step
    def new_context(self, **options: Any) -> Any:
        return self._context()

    @_step
    def new_page(self, **options: Any) -> Any:
        context = self._context()
        context.pages.append(PlaywrightPage(context))
        return context.pages[-1]

    @_step
    def close(self, **options: Any) -> None:
        self._open = False

    def is_connected(self) -> bool:
        return self._open


class PlaywrightKind(_Played):
    """One kind of browser."""

    executable_path = "/usr/bin/browser"

    def __init__(self, owner: Any, name: str) -> None:
        self._later, self.name = owner._later, name

    @_step
    def launch(self, **options: Any) -> Any:
        return PlaywrightBrowser(self)

    def connect(self, *args: Any, **options: Any) -> Any:
        return self.launch()

    connect_over_cdp = connect

    @_step
    def launch_persistent_context(self, *args: Any, **options: Any) -> Any:
        context = PlaywrightBrowser(self)._context()
        context.pages.append(PlaywrightPage(context))
        return context


class _Devices(dict):  # type: ignore[type-arg]
    """Descriptions of devices: each has the same."""

    def __missing__(self, name: str) -> dict[str, Any]:
        return {"user_agent": name, "viewport": {"width": 390, "height": 844}, "is_mobile": True}


class Playwright(_Played):
    """What is there while playwright runs."""

    def __init__(self, *, later: bool) -> None:
        self._later = later
        self.chromium, self.firefox, self.webkit = (
            PlaywrightKind(self, name) for name in ("chromium", "firefox", "webkit")
        )
        self.devices = _Devices()

    @_step
    def start(self) -> Any:
        return self

    @_step
    def stop(self) -> None:
        """Nothing runs."""


def sync_playwright() -> Any:
    """The blocking interface."""
    return Playwright(later=False)


def async_playwright() -> Any:
    """The interface that is awaited."""
    return Playwright(later=True)


class _Expected:
    """Assertions about a page or a locator: elements are there, and hold what they show."""

    def __init__(self, subject: Any, *, negated: bool = False) -> None:
        self._subject, self._negated, self._later = subject, negated, subject._later

    @property
    def _not(self) -> Any:
        return _Expected(self._subject, negated=not self._negated)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(("to_", "not_to_")):
            raise AttributeError(name)
        expects_none = name.startswith("not_") != self._negated

        def check(*wanted: Any, **options: Any) -> Any:
            there = _holds(self._subject, name.removeprefix("not_"), wanted)
            if there == expects_none:
                raise AssertionError(f"{name}: {wanted}")

        def call(*wanted: Any, **options: Any) -> Any:
            if not self._later:
                return check(*wanted)

            async def later() -> None:
                check(*wanted)

            return later()

        return call


def _holds(subject: Any, name: str, wanted: tuple[Any, ...]) -> bool:
    with contextlib.suppress(PlaywrightError):
        shown = subject._text() if subject._selector else subject._content()
        match name:
            case "to_have_count":
                return subject._count() == wanted[0]
            case "to_have_url":
                return bool(
                    re.search(getattr(wanted[0], "pattern", re.escape(str(wanted[0]))), subject.url)
                )
            case "to_be_hidden" | "to_be_disabled" | "to_be_empty":
                return False
            case "to_be_checked":
                return bool(subject.page._checked.get(subject._place))
            case "to_have_text" | "to_contain_text" | "to_have_value" | "to_have_title":
                pattern = getattr(wanted[0], "pattern", re.escape(str(wanted[0])))
                return bool(re.search(pattern, shown))
            case _:
                return True
    return name in ("to_be_hidden", "to_be_empty") or (name, wanted) == ("to_have_count", (0,))


def playwright_expect(subject: Any, message: Any = None) -> Any:
    """What tests call `expect`."""
    return _Expected(subject)


def playwright_page(url: str = "about:blank", *, is_async: bool = False) -> Any:
    """A page for functions that take one."""
    browser = PlaywrightBrowser(PlaywrightKind(Playwright(later=is_async), "chromium"))
    page = PlaywrightPage(browser._context())
    page.url = url
    return page
