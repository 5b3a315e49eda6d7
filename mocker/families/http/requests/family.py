"""`requests` stays real: its adapters are answered by `responses`, without a network."""

from __future__ import annotations

from ....answers.services.http_sites import Places, http_answers
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_PLACES = Places(
    modules=("requests",),
    json=("requests.*().json()", "requests.Session().*().json()"),
    text=(
        "requests.*().text",
        "requests.*().content",
        "requests.Session().*().text",
        "requests.Session().*().content",
    ),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of requests."""
    return border.named("requests")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_answers(border, "requests", _PLACES)
    return Mock(
        treated=(Treated("requests", "faked", "responses answers in place of its HTTP adapter"),),
        setup=f"answer_requests({http.made})\n",
        pieces=("requests_http",),
        requirements=("responses>=0.26",),
        answers=http.answers,
    )


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a session that fetches JSON",
        source="""\
import requests


class Api:
    def __init__(self, url):
        self.url = url
        self.session = requests.Session()

    def names(self):
        reply = self.session.get(self.url + "/users", timeout=3)
        reply.raise_for_status()
        return [user for user in reply.json()]
""",
        target="Api.names",
        call="Api('http://there.example').names()",
        gives="['text-1', 'text-2']",
        effects=("request GET http://there.example/users",),
    ),
    Example(
        title="a token that is fetched and put away",
        source="""\
import logging
import os

import requests

logger = logging.getLogger(__name__)
URL = "https://desk.example/login/authenticate"


class Auth:
    def __init__(self, key, public_key):
        self.key = key
        self.public_key = public_key

    def token(self):
        header = {"Authorization": self.key, "Content-Type": "application/json"}
        try:
            with requests.Session() as session:
                response = session.post(URL, headers=header, json={"PublicKey": self.public_key})
                response.raise_for_status()
                return type(response.json()).__name__, response.status_code
        except requests.RequestException as e:
            logger.error("no token: %s", e)
            raise
""",
        target="Auth.token",
        call="Auth('k', 'p').token()",
        gives="('dict', 200)",
        effects=("request POST https://desk.example/login/authenticate",),
    ),
    Example(
        title="a text that the slice itself takes for JSON",
        source="""\
import json

import requests


def prices(url):
    text = requests.get(url).text
    try:
        return [item["price"] + 1 for item in json.loads(text)]
    except json.JSONDecodeError:
        return []
""",
        target="prices",
        call="prices('https://shop.example/items')",
        gives="[2, 3]",
        effects=("request GET https://shop.example/items",),
    ),
    Example(
        title="data that an adapter checks against a type",
        source="""\
import requests
from pydantic import BaseModel, TypeAdapter

URL = "https://shop.example/items"


class Item(BaseModel):
    name: str
    price: float


ITEMS = TypeAdapter(list[Item])


def total():
    found = ITEMS.validate_python(requests.get(URL).json())
    return [item.name for item in found], found[0].price
""",
        target="total",
        call="total()",
        gives="(['name-1', 'name-2'], 1.5)",
        effects=("request GET https://shop.example/items",),
        needs=("pydantic",),
    ),
    Example(
        title="a download in pieces",
        source="""\
import requests


def size_of(link, size=2):
    done = 0
    with requests.get(link, stream=True, headers={"User-Agent": "loader/1"}) as response:
        total = int(response.headers.get("content-length", 0))
        for chunk in response.iter_content(chunk_size=size):
            done += len(chunk)
    return done, total, response.ok
""",
        target="size_of",
        call="size_of('https://files.example/model.zip')",
        gives="(4, 4, True)",
        effects=("request GET https://files.example/model.zip",),
    ),
    Example(
        title="a page that is taken apart",
        source="""\
import re

import requests

URL = "https://news.example"


def title(page):
    html = requests.get(f"{URL}/{page}", params={"lang": "en"}, timeout=5).text
    found = re.search("<title>(.*?)</title>", html)
    return found.group(1) if found else None
""",
        target="title",
        call="type(title('today')).__name__ in ('str', 'NoneType')",
        gives="True",
        effects=("request GET https://news.example/today?lang=en",),
    ),
    Example(
        title="a case that wants a time-out, then a missing page",
        source="""\
import requests


def state(url):
    try:
        reply = requests.head(url, timeout=1)
        reply.raise_for_status()
    except requests.exceptions.Timeout:
        return "late"
    except requests.HTTPError as error:
        return error.response.status_code
    return "here"
""",
        target="state",
        call=(
            "[state('http://a.example'), __import__('slice_func_mocks').choose(requests='timeout'),"
            " state('http://a.example'), __import__('slice_func_mocks').choose(requests='404'),"
            " state('http://a.example')]"
        ),
        gives="['here', None, 'late', None, 404]",
        effects=("request HEAD http://a.example/",) * 3,
    ),
    Example(
        title="adapters, retries and files",
        source="""\
import io

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry


class Uploader(requests.Session):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.auth = ("user", "secret")
        self.mount("https://", HTTPAdapter(max_retries=Retry(total=2, backoff_factor=0)))

    def request(self, method, path, **more):
        return super().request(method, self.base + path, **more)


def upload(name):
    session = Uploader("https://up.example")
    reply = session.post("/files", files={"file": (name, io.BytesIO(b"data"))}, data={"a": "b"})
    return reply.status_code == 201, reply.request.headers["Authorization"][:5]
""",
        target="upload",
        call="(upload('n.txt'), _effects[-1][2])",
        gives=(
            "((True, 'Basic'), [[{'content-disposition': 'form-data; name=\"a\"'}, 'b'], "
            "[{'content-disposition': 'form-data; name=\"file\"; filename=\"n.txt\"'}, 'data']])"
        ),
        effects=("request POST https://up.example/files",),
    ),
    Example(
        title="an import inside the function",
        source="""\
def names(url):
    import requests as rq
    from requests.exceptions import RequestException

    try:
        return sorted(rq.request("GET", url, cookies={"a": "b"}).json().keys())
    except RequestException:
        return None
""",
        target="names",
        call="type(names('http://late.example/x')).__name__",
        gives="'list'",
        effects=("request GET http://late.example/x",),
    ),
    Example(
        title="imported where it is needed, by name",
        source="""\
class Rates:
    def of(self, currency):
        from requests import RequestException
        from requests import get as fetch

        try:
            return fetch(f"https://api.example/rates/{currency}").json()["rate"] * 2
        except RequestException:
            return None
""",
        target="Rates.of",
        call="Rates().of('EUR')",
        gives="3.0",
        effects=("request GET https://api.example/rates/EUR",),
    ),
    Example(
        title="a session that asks for its token",
        source="""\
import requests


class Grant(requests.auth.AuthBase):
    def __init__(self, client_id, secret):
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret}
        reply = requests.post("https://login.example/oauth2/token", data=form, timeout=5)
        self.parts = list(reply.json().items())
        if "access_token" not in dict(self.parts):
            raise ValueError("the token is invalid")

    def __call__(self, request):
        found = dict(self.parts)
        request.headers["Authorization"] = f"{found['token_type']} {found['access_token']}"
        return request


def header():
    request = requests.Request("GET", "https://api.example/", auth=Grant("me", "secret"))
    return request.prepare().headers["Authorization"].partition(" ")[0]
""",
        target="header",
        call="header()",
        gives="'Bearer'",
        effects=("request POST https://login.example/oauth2/token",),
    ),
)

FAMILY = Family("requests", applies, stub, EXAMPLES)
