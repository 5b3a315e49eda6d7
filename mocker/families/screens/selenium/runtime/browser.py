"""A browser below selenium: it answers as a driver's server would, and notes what it is told."""

from __future__ import annotations

import json
import re
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace

__all__ = ["web_driver", "web_element"]  # what cases may call

_SCREEN = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_ELEMENT_COUNTS = {"default": 5, "one": 1, "none": 0}


class Browser:
    """The state of one browser."""

    texts: dict[str, str] = {}
    """Variant → what elements show; empty for the number of the element."""
    pages: dict[str, str] = {}
    tag = "div"
    """Of elements whose locator does not say."""

    def __init__(self) -> None:
        self.url = "about:blank"
        self.cookies: list[dict[str, Any]] = []
        self.windows = ["window-1"]
        self.typed: dict[str, str] = {}
        self.clicked: dict[str, int] = {}

    def answer(self, command: str, sent: dict[str, Any]) -> Any:
        """The value that the driver's server gives to a command."""
        known = getattr(self, f"do_{command}", None)
        if known is not None:
            return known(sent)
        if command.startswith(("get", "is", "status")):
            return _DRIVER_GIVES.get(command)
        kept = {k: as_data(v) for k, v in sent.items() if k not in ("sessionId", "id")}
        record("command", command, *([kept] if kept else []))
        return _DRIVER_GIVES.get(command)

    # ------------------------------------------------------------------------- pages

    def do_newSession(self, sent: dict[str, Any]) -> Any:
        name = json.dumps(sent)
        name = next((n for n in ("firefox", "MicrosoftEdge", "safari") if n in name), "chrome")
        given = {"browserName": name, "browserVersion": "130.0", "platformName": "linux"}
        return {"sessionId": "session", "capabilities": given}

    def do_get(self, sent: dict[str, Any]) -> None:
        self.url = sent["url"]
        record("request", f"GET {self.url}")

    def do_getCurrentUrl(self, sent: dict[str, Any]) -> str:
        return self.url

    def do_getPageSource(self, sent: dict[str, Any]) -> str:
        return chosen("selenium.page", self.pages)

    def do_getTitle(self, sent: dict[str, Any]) -> str:
        found = re.search(r"<title>(.*?)</title>", self.do_getPageSource(sent), re.DOTALL)
        return found[1] if found else ""

    def do_getWindowHandles(self, sent: dict[str, Any]) -> list[str]:
        return list(self.windows)

    do_w3cGetWindowHandles = do_getWindowHandles

    def do_getCurrentWindowHandle(self, sent: dict[str, Any]) -> str:
        return self.windows[0]

    do_w3cGetCurrentWindowHandle = do_getCurrentWindowHandle

    def do_newWindow(self, sent: dict[str, Any]) -> dict[str, str]:
        self.windows.append(f"window-{len(self.windows) + 1}")
        return {"handle": self.windows[-1], "type": sent.get("type", "tab")}

    def do_addCookie(self, sent: dict[str, Any]) -> None:
        self.cookies.append(sent["cookie"])
        record("command", "addCookie", as_data(sent["cookie"]))

    def do_getCookies(self, sent: dict[str, Any]) -> list[dict[str, Any]]:
        return list(self.cookies)

    def do_getCookie(self, sent: dict[str, Any]) -> Any:
        return next((c for c in self.cookies if c.get("name") == sent["name"]), None)

    def do_deleteAllCookies(self, sent: dict[str, Any]) -> None:
        self.cookies.clear()

    # ------------------------------------------------------------------------- elements

    def _find(self, sent: dict[str, Any], *, many: bool) -> Any:
        where = f"{sent['using']}={sent['value']}"
        inside = f"{sent['id']} > " if "id" in sent else ""
        count = chosen("selenium.elements", _ELEMENT_COUNTS)
        if many:
            return [{_ELEMENT: f"{inside}{where}#{n}"} for n in range(1, count + 1)]
        if not count:
            raise LookupError(f"no such element: {where}")
        return {_ELEMENT: f"{inside}{where}#1"}

    def do_findElement(self, sent: dict[str, Any]) -> Any:
        return self._find(sent, many=False)

    def do_findElements(self, sent: dict[str, Any]) -> Any:
        return self._find(sent, many=True)

    do_findChildElement = do_findElementFromShadowRoot = do_findElement
    do_findChildElements = do_findElementsFromShadowRoot = do_findElements

    def do_getElementText(self, sent: dict[str, Any]) -> str:
        return chosen("selenium.text", self.texts) or sent["id"].rpartition("#")[2]

    def do_getElementTagName(self, sent: dict[str, Any]) -> str:
        using, _, value = sent["id"].rpartition(" > ")[2].rpartition("#")[0].partition("=")
        last = re.split(r"[/\s>]+", re.sub(r"\[[^]]*\]", "", value))[-1]
        named = re.match(r"[a-z][a-z0-9]*$|[a-z][a-z0-9]*(?=[.#:\[])", last)
        return named[0] if named and using != "id" else self.tag

    def attribute(self, key: str, name: str) -> Any:
        """What get_attribute gives."""
        text = self.do_getElementText({"id": key})
        match name:
            case "href" | "src" | "action":
                return f"http://page.example/{key.rpartition('#')[2]}"
            case "value":
                return self.typed.get(key, text)
            case "outerHTML":
                tag = self.do_getElementTagName({"id": key})
                return f"<{tag}>{text}</{tag}>"
            case (
                "multiple"
                | "required"
                | "checked"
                | "selected"
                | "disabled"
                | "readonly"
                | "hidden"
            ):
                return "true" if self.clicked.get(key, 0) % 2 and name[0] in "cs" else None
            case _:
                return text

    def do_getElementAttribute(self, sent: dict[str, Any]) -> Any:
        return self.attribute(sent["id"], sent["name"])

    do_getElementProperty = do_getElementAttribute

    def do_isElementSelected(self, sent: dict[str, Any]) -> bool:
        return bool(self.clicked.get(sent["id"], 0) % 2)

    def do_clickElement(self, sent: dict[str, Any]) -> None:
        self.clicked[sent["id"]] = self.clicked.get(sent["id"], 0) + 1
        record("command", f"click {sent['id']}")

    def do_clearElement(self, sent: dict[str, Any]) -> None:
        self.typed[sent["id"]] = ""
        record("command", f"clear {sent['id']}")

    def do_sendKeysToElement(self, sent: dict[str, Any]) -> None:
        text = sent.get("text", "")
        self.typed[sent["id"]] = self.typed.get(sent["id"], "") + text
        record("command", f"type {sent['id']}", text)

    # ------------------------------------------------------------------------- scripts

    def do_executeScript(self, sent: dict[str, Any]) -> Any:
        script, args = sent["script"], sent["args"]
        if script.startswith("/* getAttribute */"):
            return self.attribute(args[0][_ELEMENT], args[1])
        if script.startswith("/* isDisplayed */"):
            return True
        record("command", "script", script, as_data(args))
        if "readyState" in script:
            return "complete"
        if re.search(r"return.*(Height|Width|length|scrollTop|[xX]Offset|[yY]Offset)", script):
            return 1000
        if re.search(r"return.*(innerHTML|outerHTML)", script):
            return self.do_getPageSource(sent)
        return True if "return" in script else None

    do_w3cExecuteScript = do_executeAsyncScript = do_w3cExecuteScriptAsync = do_executeScript


_DRIVER_RECT = {"x": 0, "y": 0, "width": 1280, "height": 720}
_DRIVER_GIVES: dict[str, Any] = {
    "getElementRect": _DRIVER_RECT,
    "getWindowRect": _DRIVER_RECT,
    "setWindowRect": _DRIVER_RECT,
    "fullscreenWindow": _DRIVER_RECT,
    "minimizeWindow": _DRIVER_RECT,
    "maximizeWindow": _DRIVER_RECT,
    "w3cMaximizeWindow": _DRIVER_RECT,
    "isElementEnabled": True,
    "screenshot": _SCREEN,
    "elementScreenshot": _SCREEN,
    "getElementValueOfCssProperty": "block",
    "getAlertText": "alert",
    "w3cGetAlertText": "alert",
    "getLog": [],
    "getAvailableLogTypes": [],
    "getTimeouts": {"script": 30000, "pageLoad": 300000, "implicit": 0},
    "printPage": "JVBERi0xLjQK",
    "close": [],
    "executeCdpCommand": {},
}


class _WaitingTakesNoTime:
    """The module `time` for selenium's waits."""

    now = 0.0

    @classmethod
    def sleep(cls, seconds: float) -> None:
        cls.now += seconds

    @classmethod
    def monotonic(cls) -> float:
        return cls.now

    time = monotonic


def browse_alone(texts: dict[str, str], pages: dict[str, str], tag: str) -> None:
    """Answer all commands of selenium below its connection."""
    Browser.texts, Browser.pages, Browser.tag = texts, pages, tag
    on_import("selenium.webdriver.remote.remote_connection", _patch_selenium_connection)
    on_import("selenium.webdriver.common.service", _patch_selenium_service)
    on_import("selenium.webdriver.common.driver_finder", _patch_finder)
    on_import("selenium.webdriver.common.utils", lambda module: replace(
        module, "free_port", lambda: 9515))  # fmt: skip
    on_import("selenium.webdriver.support.wait", lambda module: replace(
        module, "time", _WaitingTakesNoTime))  # fmt: skip


def _patch_selenium_connection(module: Any) -> None:
    def execute(connection: Any, command: str, params: Any) -> dict[str, Any]:
        browser = vars(connection).setdefault("_browser", Browser())
        try:
            return {"value": browser.answer(command, json.loads(json.dumps(params or {})))}
        except LookupError as error:
            found = {"error": "no such element", "message": str(error.args[0]), "stacktrace": ""}
            return {"status": 404, "value": json.dumps({"value": found})}

    replace(module.RemoteConnection, "execute", execute)
    replace(module.RemoteConnection, "close", lambda connection: None)


def _patch_selenium_service(module: Any) -> None:
    replace(module.Service, "start", lambda service: None)
    replace(module.Service, "stop", lambda service: None)


def _patch_finder(module: Any) -> None:
    replace(module.DriverFinder, "get_browser_path", lambda finder: "")
    replace(module.DriverFinder, "get_driver_path", lambda finder: "/usr/bin/driver")


def web_driver(url: str = "about:blank") -> Any:
    """A driver for functions that take one."""
    from selenium import webdriver

    driver = webdriver.Chrome()
    driver.command_executor._browser.url = url
    return driver


def web_element(value: str = "element", by: str = "css selector") -> Any:
    """An element for functions that take one."""
    from selenium.webdriver.remote.webelement import WebElement

    return WebElement(web_driver(), f"{by}={value}#1")
