"""Selenium stays real, over a browser that answers and notes instead of showing."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule
from ....shapes.answer_shape import text_variants_at

_TOPS = ("selenium", "undetected_chromedriver", "webdriver_manager", "seleniumwire")
_PAGE = (
    "<html><head><title>Page</title></head><body><h1>Page</h1>"
    '<p class="text">1</p><a href="/next">next</a></body></html>'
)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each locator finds elements, with texts of the shape that the slice reads."""
    del contacts
    places = [
        f"selenium.webdriver.{browser}()" for browser in ("Chrome", "Firefox", "Edge", "Remote")
    ]
    texts = text_variants_at(border, *(f"{p}.find_element().text" for p in places))
    pages = {
        k: v or _PAGE
        for k, v in text_variants_at(border, *(f"{p}.page_source" for p in places)).items()
    }
    pages.setdefault("empty", "<html><head></head><body></body></html>")
    tag = (
        "select"
        if border.named(
            "selenium.webdriver.support.ui.Select", "selenium.webdriver.support.select.Select"
        )
        else "div"
    )
    treated = [
        ModuleTreatment("selenium", "faked", "real, above a browser that answers in its place")
    ]
    modules: list[StubModule] = []
    for top in _TOPS[1:]:
        if border.modules(top):
            treated.append(ModuleTreatment(top, "stubbed", "it fetches or changes a browser"))
            modules += [
                StubModule(name, text)
                for name, text in _MODULES.items()
                if name.partition(".")[0] == top
            ]
    return Mock(
        treated=tuple(treated),
        setup=f"browse_alone(\n    {texts!r},\n    {pages!r},\n    {tag!r},\n)\n",
        pieces=("browser",),
        requirements=("selenium>=4.20",),
        modules=tuple(modules),
    )


_MANAGER = '''\
class DriverManager:
    """Fetches nothing."""

    def __init__(self, *args, **kwargs):
        pass

    def install(self):
        return "/usr/bin/driver"


ChromeDriverManager = GeckoDriverManager = EdgeChromiumDriverManager = IEDriverManager = DriverManager
OperaDriverManager = DriverManager
'''
_MODULES = {
    "undetected_chromedriver": '''\
from selenium import webdriver
from selenium.webdriver import ChromeOptions
from selenium.webdriver.remote.webelement import WebElement


class Chrome(webdriver.Chrome):
    """Chrome, under its usual name."""

    def __init__(self, options=None, *args, **kwargs):
        super().__init__(options=options)


def install(*args, **kwargs):
    return "/usr/bin/driver"
''',
    "seleniumwire": "from . import webdriver\n",
    "seleniumwire.webdriver": "from selenium.webdriver import *\nfrom selenium.webdriver import Chrome as _Chrome\n\n\nclass Chrome(_Chrome):\n    requests = ()\n\n    def __init__(self, *args, seleniumwire_options=None, **kwargs):\n        super().__init__(*args, **kwargs)\n",
    "webdriver_manager": "",
    "webdriver_manager.chrome": _MANAGER,
    "webdriver_manager.firefox": _MANAGER,
    "webdriver_manager.microsoft": _MANAGER,
    "webdriver_manager.opera": _MANAGER,
    "webdriver_manager.core": "",
    "webdriver_manager.core.utils": 'class ChromeType:\n    GOOGLE = "google-chrome"\n    CHROMIUM = "chromium"\n    BRAVE = "brave-browser"\n    MSEDGE = "edge"\n',
    "webdriver_manager.core.os_manager": 'class ChromeType:\n    GOOGLE = "google-chrome"\n    CHROMIUM = "chromium"\n    BRAVE = "brave-browser"\n    MSEDGE = "edge"\n',
}  # fmt: skip

FAMILY = Family("selenium", stub)
