"""Browsers of playwright, their contexts, and the ways to a page."""

from __future__ import annotations

import json
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.world import record
from .playwright_pages import PlaywrightPage
from .playwright_steps import _Played, _step

__all__ = ["playwright_page"]  # what cases may call


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


def playwright_page(url: str = "about:blank", *, is_async: bool = False) -> Any:
    """A page for functions that take one."""
    browser = PlaywrightBrowser(PlaywrightKind(Playwright(later=is_async), "chromium"))
    page = PlaywrightPage(browser._context())
    page.url = url
    return page
