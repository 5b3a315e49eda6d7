"""`httpcore` stays real: connections of its backends are answered, threads' and event loops' alike."""

from __future__ import annotations

from ....answers.services.http_sites import Places, http_answers
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_POOLS = tuple(
    f"httpcore.{awaited}{kind}"
    for awaited in ("", "Async")
    for kind in ("ConnectionPool", "HTTPConnection", "HTTPProxy", "SOCKSProxy")
)
_BACKENDS = ("httpcore.SyncBackend", "httpcore.AnyIOBackend", "httpcore.TrioBackend")
_READ = (
    "httpcore.request().content",
    *(f"{pool}().request().content" for pool in _POOLS),
)
_PLACES = Places(modules=("httpcore",), json=("json.loads()", "json.load()"), text=_READ)


def applies(border: Border) -> tuple[Contact, ...]:
    """Whatever connects; its exceptions and the parts of a message do not."""
    return border.named("httpcore.request", "httpcore.stream", *_POOLS, *_BACKENDS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_answers(border, "httpcore", _PLACES)
    return Mock(
        treated=(Treated("httpcore", "faked", "its connections are answered in the process"),),
        setup=f"answer_httpcore({http.made})\n",
        pieces=("httpcore_http",),
        answers=http.answers,
    )


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a pool of a transport",
        source="""\
import httpcore


class Transport:
    def __init__(self, retries=0):
        self._pool = httpcore.ConnectionPool(retries=retries, http2=False)

    def get(self, host, target):
        request = httpcore.Request(
            "GET",
            httpcore.URL(scheme=b"https", host=host.encode(), port=None, target=target.encode()),
            headers=[(b"Host", host.encode()), (b"X-Key", b"k")],
        )
        reply = self._pool.handle_request(request)
        try:
            return reply.status, reply.read(), reply.extensions["http_version"]
        finally:
            reply.close()
""",
        target="Transport.get",
        call="(Transport().get('a.example', '/x?n=1'), _effects[-1][3])",
        gives="((200, b'text', b'HTTP/1.1'), {'x-key': 'k'})",
        effects=("request GET https://a.example/x?n=1",),
    ),
    Example(
        title="an event loop's pool, through a proxy",
        source="""\
import json

import httpcore


async def both(first, second):
    async with httpcore.AsyncHTTPProxy(proxy_url="http://proxy.example:3128") as pool:
        one = await pool.request("POST", first, content=json.dumps({"n": 1}).encode())
        async with pool.stream("GET", second) as two:
            return one.status, [part async for part in two.aiter_stream()]
""",
        target="both",
        call="await both('http://a.example/in', 'https://b.example/out')",
        gives="(200, [b'text'])",
        effects=("request POST http://a.example/in", "request GET https://b.example/out"),
    ),
    Example(
        title="errors of the library",
        source="""\
import httpcore


def state(url):
    try:
        with httpcore.stream("GET", url) as reply:
            return reply.status
    except (httpcore.ConnectError, httpcore.TimeoutException) as error:
        return type(error).__name__
""",
        target="state",
        call=(
            "[state('https://s.example/'),"
            " __import__('slice_func_mocks').choose(httpcore='503'), state('https://s.example/'),"
            " __import__('slice_func_mocks').choose(httpcore='connection'),"
            " state('https://s.example/'),"
            " __import__('slice_func_mocks').choose(httpcore='timeout'), state('https://s.example/')]"
        ),
        gives="[200, None, 503, None, 'ConnectError', None, 'ReadTimeout']",
        effects=("request GET https://s.example/",) * 4,
    ),
    Example(
        title="one request, and what its answer says of itself",
        source="""\
import httpcore


def shown(url):
    reply = httpcore.request("GET", url, headers={"Accept": "text/plain"})
    names = {name.lower() for name, _ in reply.headers}
    if reply.status >= 400:
        raise ValueError(f"{url}: {reply.status}")
    return f"{reply.status} {len(names) >= 0} {reply.content.decode()}"
""",
        target="shown",
        call="shown('https://c.example/page')",
        gives="'200 True text'",
        effects=("request GET https://c.example/page",),
    ),
    Example(
        title="many requests by one pool",
        source="""\
import httpcore


class Checker:
    def __init__(self, limit=4):
        self.pool = httpcore.ConnectionPool(max_connections=limit, keepalive_expiry=5.0)

    def states(self, urls):
        found = {}
        with self.pool as pool:
            for url in urls:
                try:
                    found[url] = pool.request("HEAD", url).status
                except httpcore.NetworkError:
                    found[url] = None
        return found
""",
        target="Checker.states",
        call="Checker().states(['https://a.example/', 'https://b.example/'])",
        gives="{'https://a.example/': 200, 'https://b.example/': 200}",
        effects=("request HEAD https://a.example/", "request HEAD https://b.example/"),
    ),
)

FAMILY = Family("httpcore", applies, stub, EXAMPLES)
