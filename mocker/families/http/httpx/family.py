"""`httpx` stays real: its transports are answered by `respx`, without a network."""

from __future__ import annotations

from ....answers.services.http_sites import Places, http_answers
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_ROOTS = ("httpx.*()", "httpx.Client().*()", "httpx.AsyncClient().*()")
_PLACES = Places(
    modules=("httpx",),
    json=tuple(f"{root}.json()" for root in _ROOTS),
    text=tuple(f"{root}.{name}" for root in _ROOTS for name in ("text", "content")),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of httpx."""
    return border.named("httpx")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_answers(border, "httpx", _PLACES)
    return Mock(
        treated=(Treated("httpx", "faked", "respx answers in place of its transports"),),
        setup=f"answer_httpx({http.made})\n",
        pieces=("httpx_http",),
        requirements=("respx>=0.22",),
        answers=http.answers,
    )


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a client of the module",
        source="""\
import httpx

client = httpx.Client(base_url="https://api.example/v1", headers={"X-Key": "k"})


def issues(repo, state="open"):
    reply = client.get(f"/repos/{repo}/issues", params={"state": state})
    reply.raise_for_status()
    return len(reply.json()), reply.is_success
""",
        target="issues",
        call="issues('a/b')[1]",
        gives="True",
        effects=("request GET https://api.example/v1/repos/a/b/issues?state=open",),
    ),
    Example(
        title="an asynchronous client of an object",
        source="""\
import asyncio

import httpx


class Api:
    def __init__(self, token: str) -> None:
        self._client = httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"})

    async def both(self, names: list[str]) -> list[int]:
        async with self._client as client:
            replies = await asyncio.gather(*(client.get(f"https://a.example/{n}") for n in names))
        return [reply.status_code for reply in replies]
""",
        target="Api.both",
        call="await Api('t').both(['x', 'y'])",
        gives="[200, 200]",
        effects=("request GET https://a.example/x", "request GET https://a.example/y"),
    ),
    Example(
        title="a stream of lines",
        source="""\
import httpx


async def lines(url):
    found = []
    async with httpx.AsyncClient(timeout=httpx.Timeout(5.0)) as client:
        async with client.stream("POST", url, json={"stream": True}) as reply:
            async for line in reply.aiter_lines():
                found.append(line)
    return found
""",
        target="lines",
        call="await lines('https://s.example/go')",
        gives="['text']",
        effects=("request POST https://s.example/go",),
    ),
    Example(
        title="a transport given by hand",
        source="""\
import httpx


def handler(request):
    return httpx.Response(418, json={"path": request.url.path})


def ask(path):
    with httpx.Client(transport=httpx.MockTransport(handler)) as client:
        reply = client.get("http://hand.example" + path)
    return reply.status_code, reply.json()["path"]
""",
        target="ask",
        call="ask('/tea')",
        gives="(418, '/tea')",
    ),
    Example(
        title="a transport with retries, and errors of the library",
        source="""\
import httpx


class Refused(Exception):
    pass


def fetch(url):
    transport = httpx.HTTPTransport(retries=2)
    with httpx.Client(transport=transport, follow_redirects=True) as client:
        try:
            return client.put(url, content=b"x").raise_for_status().status_code
        except httpx.TimeoutException:
            return "late"
        except httpx.HTTPStatusError as error:
            return error.response.status_code
        except httpx.TransportError as error:
            raise Refused(str(error.request.url)) from error
""",
        target="fetch",
        call=(
            "(fetch('http://r.example/a'),"
            " __import__('slice_func_mocks').choose(httpx='timeout'), fetch('http://r.example/a'),"
            " __import__('slice_func_mocks').choose(httpx='503'), fetch('http://r.example/a'),"
            " __import__('slice_func_mocks').choose(httpx='connection'),"
            " fetch('http://r.example/a'))"
        ),
        gives="Refused",
        effects=("request PUT http://r.example/a",) * 4,
    ),
    Example(
        title="a client that is handed on with other headers",
        source="""\
from dataclasses import dataclass, field

import httpx


@dataclass
class Client:
    base_url: str
    headers: dict = field(default_factory=dict)
    _client: httpx.Client | None = None

    def with_headers(self, headers):
        if self._client is not None:
            self._client.headers.update(headers)
        return Client(self.base_url, {**self.headers, **headers})

    def get_httpx_client(self) -> httpx.Client:
        if self._client is None:
            self._client = httpx.Client(base_url=self.base_url, headers=self.headers)
        return self._client


def status(client: Client) -> int:
    return client.with_headers({"X-A": "b"}).get_httpx_client().request(method="get", url="/s").status_code
""",
        target="status",
        call="status(Client('http://w.example'))",
        gives="200",
        effects=("request GET http://w.example/s",),
    ),
)

FAMILY = Family("httpx", applies, stub, EXAMPLES)
