"""Browsers: selenium stays real, above a browser that answers and notes instead of showing."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated
from ....shapes.answer_shape import variants_at

_TOPS = ("selenium", "undetected_chromedriver", "webdriver_manager", "seleniumwire")
_PAGE = (
    "<html><head><title>Page</title></head><body><h1>Page</h1>"
    '<p class="text">1</p><a href="/next">next</a></body></html>'
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Selenium, and what starts its drivers."""
    return border.touching(*_TOPS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Elements are there for every locator, with texts of the shape that the slice reads."""
    del contacts
    places = [
        f"selenium.webdriver.{browser}()" for browser in ("Chrome", "Firefox", "Edge", "Remote")
    ]
    texts = _texts(border, *(f"{p}.find_element().text" for p in places))
    pages = {
        k: v or _PAGE for k, v in _texts(border, *(f"{p}.page_source" for p in places)).items()
    }
    pages.setdefault("empty", "<html><head></head><body></body></html>")
    tag = (
        "select"
        if border.named(
            "selenium.webdriver.support.ui.Select", "selenium.webdriver.support.select.Select"
        )
        else "div"
    )
    treated = [Treated("selenium", "faked", "real, above a browser that answers in its place")]
    modules: list[StubModule] = []
    for top in _TOPS[1:]:
        if border.modules(top):
            treated.append(Treated(top, "stubbed", "it fetches or changes a browser"))
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


def _texts(border: Border, *places: str) -> dict[str, str]:
    found = variants_at(border, *places, kind="text")
    return {v.name: v.value if isinstance(v.value, str) else "" for v in found}


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

EXAMPLES = (
    Example(
        title="a filter that is clicked on",
        source="""\
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver


class Filtration:
    def __init__(self, driver: WebDriver):
        self.driver = driver

    def apply(self, *stars):
        for star in stars:
            boxes = self.driver.find_elements(By.XPATH, '//div[@data-group="class"]//input')
            boxes[star - 1].click()
        return boxes[0].tag_name
""",
        target="Filtration.apply",
        call="Filtration(__import__('slice_func_mocks').web_driver()).apply(2, 5)",
        gives="'input'",
        effects=(
            'command click xpath=//div[@data-group="class"]//input#2',
            'command click xpath=//div[@data-group="class"]//input#5',
        ),
    ),
    Example(
        title="a bot that derives from the browser",
        source="""\
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, TimeoutException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as EC
from selenium.webdriver.support.ui import WebDriverWait
from webdriver_manager.chrome import ChromeDriverManager


class Booking(webdriver.Chrome):
    def __init__(self, teardown=True):
        self.teardown = teardown
        options = Options()
        options.add_argument("--headless=new")
        super().__init__(service=Service(ChromeDriverManager().install()), options=options)
        self.implicitly_wait(15)
        self.maximize_window()

    def __exit__(self, *args):
        if self.teardown:
            self.quit()

    def search(self, text):
        self.get("https://shop.example")
        try:
            field = WebDriverWait(self, 10).until(EC.visibility_of_element_located((By.NAME, "q")))
        except TimeoutException:
            return None
        field.clear()
        field.send_keys(text)
        self.find_element(By.CSS_SELECTOR, "button.go").click()
        return [link.get_attribute("href") for link in self.find_elements(By.TAG_NAME, "a")][:2]


def run(text):
    with Booking() as bot:
        return bot.search(text), bot.current_url
""",
        target="run",
        call="run('shoes')",
        gives="(['http://page.example/1', 'http://page.example/2'], 'https://shop.example')",
        effects=(
            "command setTimeouts",
            "command w3cMaximizeWindow",
            "request GET https://shop.example",
            'command clear css selector=[name="q"]#1',
            'command type css selector=[name="q"]#1',
            "command click css selector=button.go#1",
            "command quit",
        ),
    ),
    Example(
        title="elements that are not there",
        source="""\
from selenium.common.exceptions import NoSuchElementException
from selenium.webdriver.common.by import By


def price(card):
    try:
        return float(card.find_element(By.CLASS_NAME, "price").text)
    except NoSuchElementException:
        return None
""",
        target="price",
        call="(lambda m: [price(m.web_element()), m.choose(**{'selenium.elements': 'none'}), price(m.web_element())])(__import__('slice_func_mocks'))",
        gives="[1.0, None, None]",
    ),
    Example(
        title="waits that time out, and scrolling",
        source="""\
import undetected_chromedriver as uc
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

driver = uc.Chrome(options=uc.ChromeOptions(), headless=True)


def scroll(title):
    last = driver.execute_script("return document.body.scrollHeight")
    while True:
        driver.execute_script("window.scrollTo(0, document.body.scrollHeight);")
        new = driver.execute_script("return document.body.scrollHeight")
        if new == last:
            break
        last = new
    try:
        WebDriverWait(driver, 60).until(lambda d: d.title == title)
    except TimeoutException as error:
        return type(error).__name__, driver.title, new
    return driver.title, new
""",
        target="scroll",
        call="[scroll('Page'), scroll('Other')]",
        gives="[('Page', 1000), ('TimeoutException', 'Page', 1000)]",
        effects=("command script",) * 6,
    ),
    Example(
        title="a page for BeautifulSoup, a select and actions",
        source="""\
from bs4 import BeautifulSoup
from selenium import webdriver
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select


class Scraper:
    def __init__(self):
        self.driver = webdriver.Firefox()

    def title(self, url):
        self.driver.get(url)
        Select(self.driver.find_element(By.ID, "sort")).select_by_value("price")
        ActionChains(self.driver).move_by_offset(1, 2).send_keys(Keys.ENTER).perform()
        self.driver.save_screenshot("page.png")
        soup = BeautifulSoup(self.driver.page_source, "html.parser")
        return soup.find("h1").get_text(strip=True), len(self.driver.window_handles)
""",
        target="Scraper.title",
        call="Scraper().title('http://a.example')",
        gives="('h-1-1', 1)",
        effects=(
            "request GET http://a.example",
            'command click css selector=[id="sort"]#1 > css selector=option[value ="price"]#1',
            "command actions",
            "command screenshot",
        ),
    ),
)

FAMILY = Family("selenium", applies, stub, EXAMPLES)
