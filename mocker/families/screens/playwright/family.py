"""Playwright's browsers: both its interfaces are replaced, without a driver or browser."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule
from ....shapes.answer_shape import text_variants_at

_TOPS = ("playwright", "playwright_stealth")
_PAGE = (
    "<html><head><title>Page</title></head><body><h1>Page</h1>"
    '<p class="text">1</p><a href="/next">next</a></body></html>'
)
_CLASSES = {
    "Page": "PlaywrightPage",
    "Frame": "PlaywrightPage",
    "Locator": "PlaywrightLocator",
    "FrameLocator": "PlaywrightPage",
    "ElementHandle": "PlaywrightLocator",
    "Browser": "PlaywrightBrowser",
    "BrowserContext": "PlaywrightContext",
    "BrowserType": "PlaywrightKind",
    "Playwright": "Playwright",
    "Response": "PlaywrightResponse",
    "Request": "PlaywrightResponse",
    "Route": "PlaywrightResponse",
    "Download": "PlaywrightDownload",
    "Error": "PlaywrightError",
    "TimeoutError": "PlaywrightTimeoutError",
    "expect": "playwright_expect",
}
_NAMES = "".join(f"from slice_func_mocks import {own} as {n}\n" for n, own in _CLASSES.items())
_MODULES = {
    "playwright": "",
    "playwright.sync_api": f"{_NAMES}from slice_func_mocks import sync_playwright\n",
    "playwright.async_api": f"{_NAMES}from slice_func_mocks import async_playwright\n",
    "playwright_stealth": (
        "def stealth_sync(page, *args, **options):\n    pass\n\n\n"
        "async def stealth_async(page, *args, **options):\n    pass\n"
    ),
}
_LAUNCHED = tuple(
    f"{began}.{kind}.launch()"
    for began in (
        "playwright.sync_api.sync_playwright()",
        "playwright.sync_api.sync_playwright().start()",
        "playwright.async_api.async_playwright()",
        "playwright.async_api.async_playwright().start()",
    )
    for kind in ("chromium", "firefox", "webkit")
)
_PAGES = (
    *(f"{each}.new_page()" for each in _LAUNCHED),
    *(f"{each}.new_context().new_page()" for each in _LAUNCHED),
    "playwright.sync_api.Page()",
    "playwright.async_api.Page()",
)
_FOUND = (
    "locator()",
    "locator().first",
    "locator().nth()",
    "locator().all()[]",
    "query_selector()",
    "query_selector_all()[]",
    "get_by_role()",
    "get_by_text()",
    "get_by_test_id()",
    "wait_for_selector()",
)
_TEXTS = tuple(
    f"{page}.{text}"
    for page in _PAGES
    for text in (
        *(f"{found}.{read}()" for found in _FOUND for read in ("inner_text", "text_content")),
        "locator().all_inner_texts()[]",
        "locator().all_text_contents()[]",
        "inner_text()",
        "text_content()",
    )
)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each locator finds elements, with texts of the shape that the slice reads."""
    del contacts
    texts = text_variants_at(border, *_TEXTS)
    pages = {
        k: v or _PAGE
        for k, v in text_variants_at(border, *(f"{p}.content()" for p in _PAGES)).items()
    }
    pages.setdefault("empty", "<html><head></head><body></body></html>")
    tops = [top for top in _TOPS if border.modules(top)]
    return Mock(
        treated=tuple(ModuleTreatment(top, "stubbed", "it drives a browser") for top in tops),
        setup=f"play_alone(\n    {texts!r},\n    {pages!r},\n)\n",
        pieces=("playwright_browsers", "playwright_expectations"),
        modules=tuple(
            StubModule(name, text)
            for name, text in _MODULES.items()
            if name.partition(".")[0] in tops
        ),
    )


FAMILY = Family("playwright", stub)
