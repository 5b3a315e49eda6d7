"""urllib, urllib3 and http.client stay real: connections of http.client are answered."""

from __future__ import annotations

from ....answers.services.http_sites import Places, http_answers
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_MODULES = ("urllib.request", "urllib3", "http.client", "xmlrpc.client")
_CLIENTS = ("http.client.HTTPConnection()", "http.client.HTTPSConnection()")
_POOLS = ("urllib3.PoolManager().*()", "urllib3.request()")
_PLACES = Places(
    modules=_MODULES,
    json=(
        "json.loads()",
        "json.load()",
        *(f"{pool}.json()" for pool in _POOLS),
    ),
    text=(
        "urllib.request.urlopen().read()",
        "urllib.request.OpenerDirector().open().read()",
        *(f"{client}.getresponse().read()" for client in _CLIENTS),
        *(f"{pool}.data" for pool in _POOLS),
    ),
)
_QUIET = ("urllib.request.quote", "urllib.request.unquote", "urllib.request.pathname2url")


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of these modules that can ask a server."""
    found = border.named(*_MODULES)
    return tuple(c for c in found if not c.name.startswith(_QUIET))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    used = [module for module in _MODULES if any(c.name.startswith(module) for c in contacts)]
    why = "connections of http.client are answered in the process"
    http = http_answers(border, "urllib", _PLACES)
    return Mock(
        treated=tuple(Treated(module, "faked", why) for module in used),
        setup=f"answer_http_client({http.made})\n",
        pieces=("urllib_http",),
        answers=http.answers,
    )


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="JSON by urlopen",
        source="""\
import json
import urllib.request
from urllib.parse import urlencode


def weather(city):
    url = "https://weather.example/now?" + urlencode({"q": city})
    with urllib.request.urlopen(url, timeout=10) as reply:
        data = json.loads(reply.read().decode())
    return data.get("temperature"), reply.status
""",
        target="weather",
        call="weather('Rome')[1]",
        gives="200",
        effects=("request GET https://weather.example/now?q=Rome",),
    ),
    Example(
        title="a file that is fetched",
        source="""\
import os
from urllib.request import Request, urlopen, urlretrieve


def fetch(url, folder):
    path = os.path.join(folder, url.rpartition("/")[2])
    urlretrieve(url, path)
    request = Request(url, headers={"User-Agent": "Mozilla/5.0"})
    with open(path, "rb") as file:
        return urlopen(request).read() == file.read()
""",
        target="fetch",
        call="fetch('http://files.example/a.bin', __import__('tempfile').mkdtemp())",
        gives="True",
        effects=("request GET http://files.example/a.bin",) * 2,
    ),
    Example(
        title="errors of the library",
        source="""\
import urllib.error
import urllib.request


def reachable(url):
    try:
        return urllib.request.urlopen(url).getcode()
    except urllib.error.HTTPError as error:
        return error.code
    except urllib.error.URLError as error:
        return type(error.reason).__name__
""",
        target="reachable",
        call=(
            "[reachable('https://p.example/'),"
            " __import__('slice_func_mocks').choose(urllib='403'), reachable('https://p.example/'),"
            " __import__('slice_func_mocks').choose(urllib='connection'),"
            " reachable('https://p.example/')]"
        ),
        gives="[200, None, 403, None, 'ConnectionRefusedError']",
        effects=("request GET https://p.example/",) * 3,
    ),
    Example(
        title="a connection of http.client",
        source="""\
import http.client
import json


class Hook:
    def __init__(self, host):
        self.conn = http.client.HTTPSConnection(host, timeout=5)

    def send(self, text):
        body = json.dumps({"text": text})
        self.conn.request("POST", "/hook", body, {"Content-Type": "application/json"})
        reply = self.conn.getresponse()
        reply.read()
        return reply.status, reply.reason
""",
        target="Hook.send",
        call="(Hook('hook.example').send('a'), _effects[-1][2])",
        gives="((200, 'OK'), {'text': 'a'})",
        effects=("request POST https://hook.example/hook",),
    ),
    Example(
        title="a pool of urllib3",
        source="""\
import urllib3

http = urllib3.PoolManager(headers={"X-Key": "k"})


def twice(url):
    first = http.request("GET", url, fields={"n": 1})
    second = http.request("POST", url, json={"n": 2}, retries=urllib3.Retry(1))
    return first.status, second.status, type(first.data).__name__
""",
        target="twice",
        call="twice('https://pool.example/x')",
        gives="(200, 200, 'bytes')",
        effects=("request GET https://pool.example/x?n=1", "request POST https://pool.example/x"),
    ),
    Example(
        title="a procedure on another machine",
        source="""\
import xmlrpc.client


def status(url, name):
    try:
        with xmlrpc.client.ServerProxy(url, allow_none=True) as server:
            return server.system.status(name)
    except xmlrpc.client.ProtocolError as error:
        return error.errcode
""",
        target="status",
        call=(
            "[status('http://rpc.example/RPC2', 'a'),"
            " __import__('slice_func_mocks').choose(urllib='401'),"
            " status('http://rpc.example/RPC2', 'a')]"
        ),
        gives="['text', None, 401]",
        effects=("request POST http://rpc.example/RPC2",) * 2,
    ),
    Example(
        title="an opener with a password and cookies",
        source="""\
import http.cookiejar
import urllib.request


def login(url, user, password):
    manager = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    manager.add_password(None, url, user, password)
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(
        urllib.request.HTTPBasicAuthHandler(manager), urllib.request.HTTPCookieProcessor(jar)
    )
    opener.addheaders = [("User-Agent", "own/1")]
    return opener.open(url).read().decode("utf-8"), len(jar)
""",
        target="login",
        call="login('http://in.example/', 'u', 'p')",
        gives="('text', 0)",
        effects=("request GET http://in.example/",),
    ),
)

FAMILY = Family("urllib", applies, stub, EXAMPLES)
