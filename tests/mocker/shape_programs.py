"""Programs in the manner of real code, each with an answer from outside whose shape it decides.

`outside` is a module that is not there; a test gives it the inferred answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Program:
    """A program, where its answer comes in, and what it does with the answers."""

    title: str
    source: str
    call: str
    gives: str
    """`repr` of the result for the default answer."""
    kind: Literal["any", "json", "text", "number"] = "json"
    place: str = "outside.fetch()"
    others: tuple[str, ...] = ()
    """Results, or names of exceptions, that other answers must lead to."""


PROGRAMS = (
    Program(
        "a list below a key, each with a name",
        """\
import outside

def names(url):
    data = outside.fetch(url)
    return [user["name"].upper() for user in data["results"]]
""",
        "names('u')",
        "['NAME-1', 'NAME-2']",
        others=("[]",),
    ),
    Program(
        "an error key is reported instead of data",
        """\
import outside

def load():
    answer = outside.fetch()
    if "error" in answer:
        raise ValueError(answer["error"]["message"])
    return answer["data"]["id"] + 1
""",
        "load()",
        "2",
        others=("ValueError",),
    ),
    Program(
        "through a method, an attribute of self and a helper",
        """\
import outside

class Shop:
    def __init__(self):
        self.session = outside
        self.prices = {}

    def get(self, path):
        reply = self.session.fetch(path)
        return reply

    def update(self):
        body = self.get("/items")
        for item in body.get("items", []):
            self.prices[item["sku"]] = price_of(item)
        return self.prices


def price_of(item):
    return round(item["price"] * 1.2, 2)
""",
        "Shop().update()",
        "{'sku-1': 1.8, 'sku-2': 3.0}",
        others=("{}",),
    ),
    Program(
        "the status decides",
        """\
import outside

def wait():
    job = outside.fetch()
    status = job["status"].lower()
    if status == "failed":
        raise RuntimeError("job failed")
    if status != "done":
        return None
    return job["output"][0]["url"]
""",
        "wait()",
        "'https://example.com/url-1'",
        others=(
            "RuntimeError",
            "None",
        ),
    ),
    Program(
        "polling ends",
        """\
import outside

def poll():
    rounds = 0
    while True:
        state = outside.fetch()
        if state["state"] == "COMPLETED":
            break
        rounds += 1
        if rounds > 100:
            raise TimeoutError
    return state["result"]["total"] / state["result"]["count"]
""",
        "poll()",
        "1.0",
    ),
    Program(
        "pages are followed to the last",
        """\
import outside

def every():
    found = []
    page = 1
    while page:
        body = outside.fetch(page)
        found.extend(body["items"])
        page = body.get("next")
        if len(found) > 50:
            raise RecursionError
    return found
""",
        "every()",
        "['item-1', 'item-2']",
    ),
    Program(
        "a text that holds JSON",
        """\
import json
import outside

def first():
    text = outside.fetch()
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        return "broken"
    return data["choices"][0]["message"]["content"].strip()
""",
        "first()",
        "'content-1'",
        kind="text",
        others=("'broken'",),
    ),
    Program(
        "lines of a table",
        """\
import outside

def totals():
    total = {}
    for line in outside.fetch().splitlines():
        name, amount = line.split(",")
        total[name.strip()] = float(amount)
    return total
""",
        "sorted(totals().values())",
        "[2.0, 4.0]",
        kind="text",
    ),
    Program(
        "a CSV with a header",
        """\
import csv
import io
import outside

def ages():
    reader = csv.DictReader(io.StringIO(outside.fetch()))
    return {row["name"]: int(row["age"]) for row in reader if row["active"] == "yes"}
""",
        "ages()",
        "{'name-1': 1, 'name-2': 2}",
        kind="text",
    ),
    Program(
        "a page of HTML",
        """\
from bs4 import BeautifulSoup
import outside

def links():
    soup = BeautifulSoup(outside.fetch(), "html.parser")
    table = soup.find("table", {"class": "results"})
    if table is None:
        return None
    found = []
    for row in table.find_all("tr")[1:]:
        cells = row.find_all("td")
        link = cells[2].find("a")["href"]
        found.append((cells[0].text.strip(), int(cells[1].text), link))
    return found
""",
        "len(links())",
        "2",
        kind="text",
    ),
    Program(
        "selectors of CSS",
        """\
from bs4 import BeautifulSoup
import outside

def titles():
    soup = BeautifulSoup(outside.fetch(), "lxml" if False else "html.parser")
    cards = soup.select("div.card > h2.title a[href]")
    price = soup.select_one("#price span.value").get_text(strip=True)
    return [(a.get("href"), a.text) for a in cards], float(price.replace("$", ""))
""",
        "len(titles()[0])",
        "2",
        kind="text",
    ),
    Program(
        "an attribute that has to be there",
        """\
from bs4 import BeautifulSoup
import outside

def links():
    soup = BeautifulSoup(outside.fetch(), "html.parser")
    cards = [card.find("a", href=True)["href"] for card in soup.find_all("div", class_="card")]
    return cards, [a["href"] for a in soup.select("li > a[href]")]
""",
        "[len(found) == 2 and all(u.startswith('https://') for u in found) for found in links()]",
        "[True, True]",
        kind="text",
    ),
    Program(
        "a date in a layout",
        """\
from datetime import datetime
import outside

LAYOUT = "%d/%m/%Y %H:%M"

def year():
    return datetime.strptime(outside.fetch()["when"], LAYOUT).year
""",
        "year()",
        "2024",
    ),
    Program(
        "a pattern that must be found",
        r"""
import re
import outside

VERSION = re.compile(r"v(\d+)\.(\d+)(?:-(alpha|beta))?")

def version():
    found = VERSION.search(outside.fetch())
    if not found:
        raise ValueError("no version")
    return int(found.group(1)), int(found.group(2))
""",
        "version()",
        "(1, 1)",
        kind="text",
        others=("ValueError",),
    ),
    Program(
        "a model that is validated",
        """\
from dataclasses import dataclass
from typing import Optional
import outside

@dataclass
class Address:
    city: str
    zip: Optional[str]

@dataclass
class User:
    id: int
    name: str
    tags: list[str]
    score: float = 0.5

def user():
    raw = outside.fetch()
    address = Address(**raw.pop("address"))
    made = User(**raw)
    return made.id + len(made.tags) + made.score, address.city
""",
        "user()",
        "(4.5, 'city-1')",
    ),
    Program(
        "annotations say it",
        """\
from typing import TypedDict
import outside

class Row(TypedDict):
    id: int
    title: str

def rows() -> list[Row]:
    found: list[Row] = outside.fetch()
    return sorted(found, key=lambda row: row["id"], reverse=True)
""",
        "[row['id'] for row in rows()]",
        "[2, 1]",
    ),
    Program(
        "items, keys and values of a mapping",
        """\
import outside

def best():
    rates = outside.fetch()["rates"]
    return max(rates.items(), key=lambda pair: pair[1])[0], sum(rates.values())
""",
        "best()",
        "('key-2', 4.0)",
    ),
    Program(
        "a sequence of known length",
        """\
import outside

def middle():
    low, high = outside.fetch()["range"]
    return (low + high) / 2
""",
        "middle()",
        "1.5",
    ),
    Program(
        "a query that finds somebody or nobody",
        """\
import outside

class Users:
    def __init__(self):
        self.cursor = outside.connect().cursor()

    def login(self, name, password):
        self.cursor.execute("SELECT id, password, level FROM users WHERE name = ?", (name,))
        row = self.cursor.fetchone()
        if row is None:
            return "nobody"
        if row[2] >= 10:
            return "admin"
        return row[0]
""",
        "Users().login('a', 'b')",
        "'admin'",
        kind="any",
        place="outside.connect().cursor().fetchone()",
        others=(
            "'nobody'",
            "'text-1'",
        ),
    ),
    Program(
        "asynchronous answers",
        """\
import outside

async def load(session, url):
    async with session.get(url) as reply:
        return await reply.json()

async def main():
    async with outside.Session() as session:
        body = await load(session, "u")
        return [entry["name"] for entry in body["entries"] if entry["kind"] == "file"]
""",
        "main()",
        "['name-1', 'name-2']",
        place="outside.Session().*().json()",
        others=(
            "['name-2']",
            "[]",
        ),
    ),
    Program(
        "a key that a loop goes through",
        """\
import outside

FIELDS = ("open", "close")

def spread():
    quote = outside.fetch()
    values = {}
    for field in FIELDS:
        values[field] = float(quote[field])
    return values["open"] - values["close"]
""",
        "spread()",
        "0.0",
    ),
    Program(
        "a missing key is caught",
        """\
import outside

def city():
    try:
        return outside.fetch()["address"]["city"]
    except KeyError:
        return "unknown"
""",
        "city()",
        "'city-1'",
        others=("'unknown'",),
    ),
    Program(
        "a name is taken for several things in turn",
        """\
import outside

def words():
    data = outside.fetch()
    data = data["payload"]
    data = data["text"]
    data = data.strip().split(" ")
    return [word for word in data if word]
""",
        "len(words())",
        "2",
    ),
    Program(
        "a base class from outside",
        """\
import outside

class Client(outside.Base):
    def balance(self, account):
        answer = self.request("GET", account)
        if answer["ok"]:
            return answer["balance"] * 100
        raise LookupError(answer["reason"])
""",
        "Client().balance('a')",
        "150.0",
        place="outside.Base().request()",
        others=("LookupError",),
    ),
    Program(
        "states of services whose names nobody knows",
        """\
import outside

def late():
    for name, state in outside.fetch().items():
        if state != "ok":
            raise LookupError(name)
    return "all well"
""",
        "late()",
        "'all well'",
        others=("LookupError",),
    ),
    Program(
        "rows below a heading",
        """\
import outside

def total():
    for row in outside.fetch()[1:]:
        if row["amount"] < 0:
            raise ArithmeticError(row["amount"])
    return "in order"
""",
        "total()",
        "'in order'",
        others=("ArithmeticError",),
    ),
    Program(
        "one thing, or a list of them",
        """\
import outside

def kinds():
    answer = outside.fetch()
    if isinstance(answer, list):
        return [one["kind"].upper() for one in answer]
    return answer["kind"].upper()
""",
        "kinds()",
        "'KIND-1'",
        others=("['KIND-1', 'KIND-2']",),
    ),
    Program(
        "an answer that is no table at all",
        """\
import outside

def label():
    answer = outside.fetch()
    if not isinstance(answer, dict):
        raise TypeError(type(answer).__name__)
    return answer["label"].lower()
""",
        "label()",
        "'label-1'",
        others=("TypeError",),
    ),
    Program(
        "numbers and dates that may be neither",
        """\
from datetime import datetime

import outside

def age():
    person = outside.fetch()
    try:
        born = datetime.strptime(person["born"], "%Y").year
    except ValueError:
        born = None
    try:
        died = int(person["died"])
    except ValueError:
        died = None
    return born, died
""",
        "age()",
        "(2024, 1)",
        others=("(None, 1)", "(2024, None)"),
    ),
    Program(
        "the first of none",
        """\
import outside

def first():
    try:
        return outside.fetch()[0].upper()
    except IndexError:
        return None
""",
        "first()",
        "'TEXT-1'",
        others=("None",),
    ),
    Program(
        "digits in a text",
        """\
import outside

def count():
    text = outside.fetch()["n"]
    if not text.isdigit():
        raise ValueError(text)
    return int(text) + 1
""",
        "count()",
        "2",
        others=("ValueError",),
    ),
    Program(
        "more than there is room for",
        """\
import outside

def seats():
    guests = outside.fetch()
    if len(guests) > 3:
        raise OverflowError(len(guests))
    return [guest.title() for guest in guests]
""",
        "seats()",
        "['Text-1', 'Text-2']",
        others=("[]", "OverflowError"),
    ),
    Program(
        "a mark that nobody should bear",
        """\
import outside

def enter():
    user = outside.fetch()
    if user.get("blocked"):
        raise PermissionError(user["name"])
    return user["name"].title()
""",
        "enter()",
        "'Name-1'",
        others=("PermissionError",),
    ),
    Program(
        "written in a format, and read again",
        """\
import json
import outside

def kept():
    return None, json.dumps(outside.fetch())

def operation():
    error, text = kept()
    found = json.loads(text)
    if "status" not in found or found["status"] == "failed":
        raise ValueError("failed")
    return found["id"] + 1
""",
        "operation()",
        "2",
        others=("ValueError",),
    ),
    Program(
        "asked for each of its own keys",
        """\
import outside

def totals():
    table = outside.fetch()
    found = {}
    for name in table:
        if "none" not in name:
            found[name.upper()] = sum(table[name].values())
    return found
""",
        "totals()",
        "{'KEY-1': 3, 'KEY-2': 3}",
        others=("{}",),
    ),
    Program(
        "parsed from what a program prints, and compared with bytes",
        """\
import json
import outside

def same():
    data = json.loads(outside.fetch())
    data["content"] = data["text"].encode()
    return data["file"] == b"abc", data["content"][:4]
""",
        "same()",
        "(False, b'text')",
        kind="text",
    ),
)
