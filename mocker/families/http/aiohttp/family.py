"""`aiohttp`'s client stays real: its connectors are connected with answers, without a network.

`aioresponses` replaces the session's request as a whole, and breaks with aiohttp's inner parts
(3.14 did so); a connection that is answered byte by byte keeps redirects, cookies, forms, streams
and errors aiohttp's own, and fits every version.
"""

from __future__ import annotations

from ....answers.services.http_sites import Places, http_answers
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_ROOTS = ("aiohttp.ClientSession().*()", "aiohttp.request()", "aiohttp.*()")
_PLACES = Places(
    modules=("aiohttp",),
    json=tuple(f"{root}.json()" for root in _ROOTS),
    text=tuple(f"{root}.{name}()" for root in _ROOTS for name in ("text", "read")),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of aiohttp but its server alone."""
    found = border.named("aiohttp")
    return found if any(not c.name.startswith("aiohttp.web.") for c in found) else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_answers(border, "aiohttp", _PLACES)
    return Mock(
        treated=(Treated("aiohttp", "faked", "its connectors are connected with answers"),),
        setup=f"answer_aiohttp({http.made})\n",
        pieces=("aiohttp_http",),
        answers=http.answers,
    )


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a session that fetches JSON",
        source="""\
import aiohttp

BASE_URL = "http://localhost:8000"
TIMEOUT = aiohttp.ClientTimeout(total=30)


async def messages(session_id: str):
    async with aiohttp.ClientSession(timeout=TIMEOUT) as session:
        async with session.get(f"{BASE_URL}/sessions/{session_id}/messages") as response:
            response.raise_for_status()
            data = await response.json()
            return data.get("messages", []), response.status
""",
        target="messages",
        call="(await messages('7'))[1]",
        gives="200",
        effects=("request GET http://localhost:8000/sessions/7/messages",),
    ),
    Example(
        title="a client object with a connector",
        source="""\
import aiohttp


class Client:
    def __init__(self, token):
        self.token = token
        self.session = None

    async def __aenter__(self):
        connector = aiohttp.TCPConnector(limit=10, force_close=False)
        self.session = aiohttp.ClientSession(
            connector=connector, headers={"Authorization": self.token}
        )
        return self

    async def __aexit__(self, *exc):
        await self.session.close()

    async def send(self, text):
        async with self.session.post("https://chat.example/send", json={"text": text}) as reply:
            return reply.ok, await reply.text()


async def hello():
    async with Client("t") as client:
        return await client.send("hello")
""",
        target="hello",
        call="(await hello(), _effects[-1][2:])",
        gives=(
            "((True, 'text'), ({'text': 'hello'}, {'authorization': 't', 'content-type': "
            "'application/json'}))"
        ),
        effects=("request POST https://chat.example/send",),
    ),
    Example(
        title="errors of the library",
        source="""\
import asyncio

import aiohttp


async def status(url):
    try:
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            async with session.get(url) as reply:
                return reply.status
    except aiohttp.ClientResponseError as error:
        return error.status
    except asyncio.TimeoutError:
        return "late"
    except aiohttp.ClientConnectorError as error:
        return error.host
""",
        target="status",
        call=(
            "[await status('http://e.example/a'),"
            " __import__('slice_func_mocks').choose(aiohttp='500'), await status('http://e.example/a'),"
            " __import__('slice_func_mocks').choose(aiohttp='timeout'),"
            " await status('http://e.example/a'),"
            " __import__('slice_func_mocks').choose(aiohttp='connection'),"
            " await status('http://e.example/a')]"
        ),
        gives="[200, None, 500, None, 'late', None, 'e.example']",
        effects=("request GET http://e.example/a",) * 4,
    ),
    Example(
        title="a session with methods of its own",
        source="""\
from aiohttp import ClientSession


class Client(ClientSession):
    def __init__(self, base):
        super().__init__()
        self.base = base

    async def title(self, name):
        response = await self.get(f"{self.base}/{name}")
        found = await response.json()
        return found["title"].upper(), [each["id"] for each in found["items"]]

    async def titles(self):
        async with self:
            return await self.title("x")
""",
        target="Client.titles",
        call="await Client('http://a.example').titles()",
        gives="('TITLE-1', [1, 2])",
        effects=("request GET http://a.example/x",),
    ),
    Example(
        title="pages that are gathered",
        source="""\
import asyncio

from aiohttp import ClientSession
from bs4 import BeautifulSoup


async def title(session: ClientSession, url: str) -> str:
    async with session.get(url) as response:
        soup = BeautifulSoup(await response.read(), "html.parser")
    return soup.title.string


async def titles(urls):
    async with ClientSession() as session:
        return await asyncio.gather(*[title(session, url) for url in urls])
""",
        target="titles",
        call="[type(t).__name__ for t in await titles(['http://a.example/1', 'http://a.example/2'])]",
        gives="['NavigableString', 'NavigableString']",
        effects=("request GET http://a.example/1", "request GET http://a.example/2"),
        needs=("bs4",),
    ),
    Example(
        title="a file that is sent, and one that comes in pieces",
        source="""\
import aiohttp


async def convert(name, content):
    form = aiohttp.FormData()
    form.add_field("file", content, filename=name)
    size = 0
    async with aiohttp.ClientSession() as session:
        async with session.post("http://convert.example", data=form) as reply:
            async for chunk in reply.content.iter_chunked(3):
                size += len(chunk)
    return size, reply.content_type
""",
        target="convert",
        call="await convert('a.txt', b'abc')",
        gives="(4, 'text/plain')",
        effects=("request POST http://convert.example/",),
    ),
    Example(
        title="a redirect that is followed",
        source="""\
import aiohttp


async def final(url):
    async with aiohttp.request("GET", url) as reply:
        return str(reply.url), [r.status for r in reply.history]
""",
        target="final",
        call=(
            "(__import__('slice_func_mocks').choose(aiohttp='redirect'),"
            " await final('https://r.example/x'))[1]"
        ),
        gives="('https://r.example/redirected', [302])",
        effects=("request GET https://r.example/x", "request GET https://r.example/redirected"),
    ),
)

FAMILY = Family("aiohttp", applies, stub, EXAMPLES)
