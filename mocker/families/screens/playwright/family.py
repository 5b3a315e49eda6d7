"""Browsers of playwright: its two interfaces are stood in for, without a driver and a browser."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated
from ....shapes.answer_shape import variants_at

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


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of playwright."""
    return border.touching(*_TOPS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Elements are there for every locator, with texts of the shape that the slice reads."""
    del contacts
    texts = _texts(border, *_TEXTS)
    pages = {k: v or _PAGE for k, v in _texts(border, *(f"{p}.content()" for p in _PAGES)).items()}
    pages.setdefault("empty", "<html><head></head><body></body></html>")
    tops = [top for top in _TOPS if border.modules(top)]
    return Mock(
        treated=tuple(Treated(top, "stubbed", "it drives a browser") for top in tops),
        setup=f"play_alone(\n    {texts!r},\n    {pages!r},\n)\n",
        pieces=("playwright_browsers", "playwright_expectations"),
        modules=tuple(
            StubModule(name, text)
            for name, text in _MODULES.items()
            if name.partition(".")[0] in tops
        ),
    )


def _texts(border: Border, *places: str) -> dict[str, str]:
    found = variants_at(border, *places, kind="text")
    return {v.name: v.value if isinstance(v.value, str) else "" for v in found}


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="prices of a shop",
        source="""\
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright


def prices(url):
    with sync_playwright() as p:
        browser = p.chromium.launch(headless=True)
        page = browser.new_page()
        page.goto(url, wait_until="networkidle")
        try:
            page.wait_for_selector(".card", timeout=5000)
        except PlaywrightTimeout:
            browser.close()
            return None
        found = [float(card.inner_text()) for card in page.query_selector_all(".card .price")]
        link = page.locator("a.next").first.get_attribute("href")
        browser.close()
        return sum(found), link
""",
        target="prices",
        call="(prices('https://shop.example'), __import__('slice_func_mocks').choose(**{'playwright.elements': 'none'}), prices('https://shop.example'))",
        gives="((6.0, 'http://page.example/1'), None, None)",
        effects=("request GET https://shop.example",) * 2,
    ),
    Example(
        title="a form that is filled in",
        source="""\
from playwright.sync_api import Page, expect, sync_playwright


class LoginPage:
    def __init__(self, page: Page):
        self.page = page
        self.name = page.get_by_label("User name")
        self.button = page.get_by_role("button", name="Sign in")

    def login(self, name, password):
        self.page.goto("https://app.example/login")
        self.name.fill(name)
        self.page.fill("#password", password)
        self.page.locator("#remember").check()
        self.button.click()
        expect(self.page.locator(".welcome")).to_be_visible()
        return self.name.input_value(), self.page.locator("#remember").is_checked(), self.page.url
""",
        target="LoginPage.login",
        call="LoginPage(__import__('slice_func_mocks').playwright_page()).login('ann', 'x')",
        gives="('ann', True, 'https://app.example/login')",
        effects=(
            "request GET https://app.example/login", "command type label=User name#1",
            "command type #password#1", "command check #remember#1",
            "command click role=button[name='Sign in']#1",
        ),
    ),
    Example(
        title="pages that are awaited",
        source="""\
import asyncio

from playwright.async_api import async_playwright


async def titles(*urls):
    async with async_playwright() as p:
        browser = await p.firefox.launch()
        context = await browser.new_context(user_agent="bot", viewport={"width": 800, "height": 600})

        async def one(url):
            page = await context.new_page()
            answer = await page.goto(url)
            if not answer.ok:
                return None
            rows = await page.locator("tr").all()
            cells = [(await row.text_content()).strip() for row in rows]
            await page.close()
            return await page.title(), len(cells)

        found = await asyncio.gather(*(one(url) for url in urls))
        await context.add_cookies([{"name": "a", "value": "b", "url": urls[0]}])
        names = [cookie["name"] for cookie in await context.cookies()]
        await browser.close()
    return found, names
""",
        target="titles",
        call="await titles('http://a.example', 'http://b.example')",
        gives="([('Page', 3), ('Page', 3)], ['a'])",
        effects=(
            "request GET http://a.example", "request GET http://b.example", "command add_cookies",
        ),
    ),
    Example(
        title="a page for BeautifulSoup, scrolled to its end",
        source="""\
from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright


class Scraper:
    def __init__(self):
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch()
        self.page = self.browser.new_page()

    def items(self, url):
        self.page.goto(url)
        last = 0
        while True:
            self.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
            self.page.wait_for_timeout(1000)
            height = self.page.evaluate("document.body.scrollHeight")
            if height == last:
                break
            last = height
        soup = BeautifulSoup(self.page.content(), "html.parser")
        self.browser.close()
        self.playwright.stop()
        return [each.get_text(strip=True) for each in soup.select("li.item")], last
""",
        target="Scraper.items",
        call="Scraper().items('http://a.example')[1]",
        gives="1000",
        effects=("request GET http://a.example", *("command script",) * 4),
    ),
    Example(
        title="a download, a popup, and a page that does not come",
        source="""\
from playwright.sync_api import Error, sync_playwright


def fetch(url, path):
    with sync_playwright() as p:
        browser = p.webkit.launch()
        page = browser.new_page(accept_downloads=True)
        try:
            page.goto(url)
        except Error as error:
            return error.message.partition(":")[0]
        with page.expect_download() as info:
            page.get_by_text("Export").click()
        info.value.save_as(path)
        with page.expect_popup() as popup:
            page.click("a.more", button="left")
        popup.value.wait_for_load_state()
        page.keyboard.press("Escape")
        page.screenshot(path="page.png", full_page=True)
    with open(path) as file:
        return info.value.suggested_filename, "<html>" in file.read(), popup.value.url
""",
        target="fetch",
        call="(fetch('http://a.example', 'x.html'), __import__('slice_func_mocks').choose(**{'playwright.goto': 'connection'}), fetch('http://a.example', 'y'))",
        gives="(('file.txt', True, 'about:blank'), None, 'Page.goto')",
        effects=(
            "request GET http://a.example", "command click text=Export#1",
            "command click a.more#1", "command press keyboard", "command screenshot",
            "request GET http://a.example",
        ),
    ),
)  # fmt: skip

FAMILY = Family("playwright", applies, stub, EXAMPLES)
