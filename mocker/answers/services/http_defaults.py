"""The servers that a slice requests from, and the form in which it reads the responses."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...contacts import Border
from ...shapes.answer_shape import variants_at
from ...source.kept_code import Definition, kept_code
from .service_answers import ServiceAnswers, answered_at, has_known_format

_VERBS = frozenset("get post put patch delete head options".split())
_SECOND = frozenset("request stream build_request Request send_request".split())
_FIRST = frozenset("urlopen urlretrieve urlopen Request ws_connect".split())
_TEXT_READS = frozenset(
    "text content body read iter_content iter_lines iter_bytes iter_text aiter_lines aiter_bytes "
    "aiter_text iter_stream aiter_stream iter_chunked iter_any raw data readlines urlretrieve "
    "ServerProxy".split()
)
_IMAGES = frozenset("imdecode imread PhotoImage from_bytes loadFromData".split())
_HTML = frozenset(
    "BeautifulSoup HTMLParser Selector PyQuery HtmlResponse document_fromstring".split()
)
_XML = frozenset("ElementTree etree fromstring parseString feedparser minidom xmltodict".split())

_PAGE = (
    "<!DOCTYPE html><html><head><title>Title</title></head><body><h1>Heading</h1>"
    '<p>Text</p><ul><li><a href="/page">Link</a></li></ul>'
    "<table><tr><th>name</th></tr><tr><td>value</td></tr></table></body></html>"
)
_FEED = (
    '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Title</title>'
    "<item><title>Item</title><link>https://example.com/item</link>"
    "<description>Text</description></item></channel></rss>"
)
_CALLED = (
    "<?xml version='1.0'?><methodResponse><params><param><value><string>text</string></value>"
    "</param></params></methodResponse>"
)
_TABLE = "id,name,value\n1,first,1.5\n2,second,2.5\n"
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
    "53de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
_ARCHIVE = bytes.fromhex("504b0506" + "00" * 18)

Bodies = dict[str, object]


@dataclass(frozen=True, slots=True)
class Body:
    """A response body, and the places where the slice reads it."""

    kind: str
    """Content type."""
    bodies: Bodies
    """Variant → body."""
    read: ServiceAnswers

    @property
    def served(self) -> tuple[str, Bodies]:
        """Return the content type and the bodies, for the server."""
        return self.kind, self.bodies

    @property
    def listed(self) -> tuple[tuple[str, str], ...]:
        """Return the places, each with its default as a Python literal."""
        return self.read.listed(self.bodies["default"])


@dataclass(frozen=True, slots=True)
class SiteAnswers:
    """The responses at addresses of one pattern."""

    pattern: str
    body: Body


@dataclass(frozen=True, slots=True)
class BodyPlaces:
    """The places where a library returns a body, in the notation of `variants_at`."""

    modules: tuple[str, ...]
    """Module names of the library."""
    json: tuple[str, ...]
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Http:
    """The responses to one library."""

    made: str
    """The expression that makes its `HttpAnswers` in the script."""
    answers: tuple[tuple[str, str], ...]
    """Places where the slice reads a body, with the default body of all addresses."""


def http_defaults(border: Border, name: str, places: BodyPlaces) -> Http:
    """Return the responses to a library of that name."""
    kept = kept_code(border).definitions
    body = _body(border, _read_near(border, kept, places), places)
    sites = [(site.pattern, *site.body.served) for site in _served(border, kept, places, body)]
    status = _status(kept)
    headers = _headers(kept)
    more = f", status={status}" if status != 200 else ""
    more += f", headers={headers!r}" if headers else ""
    return Http(f"HttpAnswers({name!r}, {sites!r}{more})", body.listed)


def object_contents(border: Border, modules: tuple[str, ...], places: tuple[str, ...]) -> Bodies:
    """Return the contents of an object fetched from a service at these places, by variant."""
    kept = kept_code(border).definitions
    read = _read_near(border, kept, BodyPlaces(modules, (), places))
    found = _variants(border, places, "text")
    default = found.get("default")
    if not isinstance(default, bytes) and not has_known_format(default):
        _, found = _by_parser(border, read)
    texts = {
        name: value if isinstance(value, str | bytes) else json.dumps(value)
        for name, value in found.items()
    }
    return {"default": "", **texts}


def _served(
    border: Border, kept: Sequence[Definition], places: BodyPlaces, others: Body
) -> Iterator[SiteAnswers]:
    """Yield one response for each address that differs, then one for all others."""
    texts = _constants(kept)
    asking = [(one, found) for one in kept if (found := sorted(set(_addresses(one, texts))))]
    own: list[SiteAnswers] = []
    for one, addresses in asking if len(asking) > 1 else ():
        read = _read([one])
        if read.reads_json or read.reads_text:
            there = [c for c in border.contacts if (c.path, c.qualname) == (one.path, one.qualname)]
            found = _body(replace(border, contacts=tuple(there)), read, places)
            if found.served != others.served:
                own += [SiteAnswers(address, found) for address in addresses]
    unique = {site.pattern: site for site in reversed(own)}
    by_length = sorted(unique.values(), key=lambda s: (-len(s.pattern.replace("*", "")), s.pattern))
    yield from (site for site in by_length if site.pattern.strip("*"))
    yield SiteAnswers("*", others)


# --------------------------------------------------------------------------- bodies


@dataclass(frozen=True, slots=True)
class _Read:
    """The ways in which responses are read."""

    reads_json: bool
    reads_text: bool
    names: frozenset[str]
    texts: frozenset[str]


def _read_near(border: Border, kept: Sequence[Definition], places: BodyPlaces) -> _Read:
    """Return how responses are read near the library's names; if passed on, anywhere."""
    named = {(c.path, c.qualname) for c in border.named(*places.modules)}
    near = _read([one for one in kept if (one.path, one.qualname) in named])
    everywhere = _read(kept)
    return near if near.reads_text and not everywhere.reads_json else everywhere


def _read(kept: Sequence[Definition]) -> _Read:
    names: set[str] = set()
    texts: set[str] = set()
    for node in (node for one in kept for node in one.nodes):
        match node:
            case ast.Call(func=ast.Attribute(attr="json"), args=[]):
                names.add(".json()")
            case ast.Attribute(attr=name):
                names.add(name)
                if isinstance(node.value, ast.Name):
                    names.add(f"{node.value.id}.{name}")
            case ast.Name(id=name):
                names.add(name)
            case ast.Constant(value=str(text)):
                texts.add(text)
            case _:
                pass
    return _Read(".json()" in names, bool(names & _TEXT_READS), frozenset(names), frozenset(texts))


def _body(border: Border, read: _Read, places: BodyPlaces) -> Body:
    """Return a body for that way of reading."""
    if read.reads_json or not read.reads_text:
        found = answered_at(border, places.json, "json")
        return Body("application/json", found.variants, found)
    found = answered_at(border, places.text, "text")
    default = found.variants["default"]
    if isinstance(default, bytes):
        return Body("application/octet-stream", found.variants, found)
    if found.is_user_declared:
        kind = _kind_of(str(default))
        is_json = "json" in kind
        bodies = {n: _of_json(v) if is_json else v for n, v in found.variants.items()}
        return Body(kind, bodies, found)
    kind, bodies = _by_parser(border, read)
    return Body(kind, {**bodies, **found.written_variants}, found)


def _of_json(text: object) -> object:
    """Return the value of a JSON text; bytes for other text. Both are sent as the text."""
    if isinstance(text, bytes):
        return text
    try:
        return json.loads(str(text))
    except ValueError:
        return str(text).encode()


def _variants(border: Border, places: Sequence[str], kind: str) -> Bodies:
    found = variants_at(border, *places, kind="json" if kind == "json" else "text")
    return {variant.name: variant.value for variant in found}


def _by_parser(border: Border, read: _Read) -> tuple[str, Bodies]:
    """Return the kind and bodies that the code's parsers accept, if the text is unknown."""
    names = read.names
    if names & {"json.loads", "json.load", "loads", "orjson", "ujson"}:
        parsed = _variants(border, ("json.loads()", "json.load()"), "json")
        if any(text.startswith("data:") for text in read.texts):
            events = {n: f"data: {json.dumps(v)}\n\ndata: [DONE]\n\n" for n, v in parsed.items()}
            return "text/event-stream", dict(events)
        return "application/json", parsed
    if names & {"ZipFile", "unpack_archive"}:
        return "application/zip", {"default": _ARCHIVE}
    if names & _IMAGES or "Image.open" in names:
        return "image/png", {"default": _PIXEL}
    if names & _HTML or any("html.parser" in text for text in read.texts):
        return "text/html; charset=utf-8", {"default": _PAGE, "empty": "<html></html>"}
    if names & {"read_csv", "csv", "DictReader"}:
        return "text/csv; charset=utf-8", {"default": _TABLE, "empty": _TABLE.partition("\n")[0]}
    if "ServerProxy" in names:
        return "text/xml", {"default": _CALLED}
    if names & _XML:
        return "application/xml", {"default": _FEED}
    if "safe_load" in names:
        return "text/yaml; charset=utf-8", {"default": "name: value\n"}
    return "text/plain; charset=utf-8", {"default": "text", "empty": ""}


def _kind_of(text: str) -> str:
    start = text.lstrip()[:15].lower()
    if start.startswith(("<!doctype html", "<html")):
        return "text/html; charset=utf-8"
    if start.startswith("<?xml"):
        return "application/xml"
    try:
        json.loads(text)
    except ValueError:
        return "text/plain; charset=utf-8"
    return "application/json"


# ------------------------------------------------------------------------- addresses


def _addresses(one: Definition, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield patterns of the addresses that a definition requests: `https://api.example/users/*`."""
    for node in one.nodes:
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(attr=name) | ast.Name(id=name):
                pass
            case _:
                continue
        index = 0 if name in _VERBS or name in _FIRST else 1 if name in _SECOND else None
        given = {k.arg: k.value for k in node.keywords if k.arg}
        value = given.get("url")
        if value is None and index is not None and len(node.args) > index:
            value = node.args[index]
        if value is None or index is None:
            continue
        address = _pattern(value, texts).partition("?")[0].partition("#")[0]
        if "/" in address:
            yield address if "://" in address or address.startswith("*") else "*" + address


def _pattern(node: ast.expr, texts: Mapping[str, str]) -> str:
    """Return a text with `*` for unknown parts."""
    match node:
        case ast.Constant(value=str(text)):
            return text.replace("*", "")
        case ast.JoinedStr(values=values):
            return "".join(_pattern(value, texts) for value in values)
        case ast.FormattedValue(value=value):
            return _pattern(value, texts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _pattern(left, texts) + _pattern(right, texts)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return texts.get(name, "*")
        case _:
            return "*"


def _constants(kept: Sequence[Definition]) -> dict[str, str]:
    """Return names and attributes bound to only one text → that text."""
    found: dict[str, set[str]] = {}
    for node in (node for one in kept for node in one.nodes):
        match node:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case _:
                continue
        match target:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                text = _pattern(value, {})
                found.setdefault(name, set()).add(text)
            case _:
                pass
    return {name: min(texts) for name, texts in found.items() if len(texts) == 1}


# ----------------------------------------------------------------- statuses and headers


def _status(kept: Sequence[Definition]) -> int:
    """Return 200, or the only other success status that the slice compares with."""
    compared: set[int] = set()
    for node in (node for one in kept for node in one.nodes):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any("status" in ast.unparse(side) for side in sides):
                values = {
                    inner.value
                    for side in sides
                    for inner in ast.walk(side)
                    if isinstance(inner, ast.Constant) and type(inner.value) is int
                }
                compared |= {value for value in values if 200 <= value < 300}
                if any(
                    not isinstance(op, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)) for op in node.ops
                ):
                    return 200
    return min(compared) if compared and 200 not in compared else 200


def _headers(kept: Sequence[Definition]) -> dict[str, str]:
    """Return headers and cookies of a response that the slice reads by subscript."""
    found: dict[str, str] = {}
    for node in (node for one in kept for node in one.nodes):
        match node:
            case ast.Subscript(
                value=ast.Attribute(attr="headers" | "cookies" as of),
                slice=ast.Constant(value=str(name)),
                ctx=ast.Load(),
            ) if name.lower() not in ("content-type", "content-length"):
                if of == "cookies":
                    found["Set-Cookie"] = f"{name}=value; Path=/"
                else:
                    found[name] = _header_value(name.lower())
            case _:
                pass
    return dict(sorted(found.items()))


def _header_value(name: str) -> str:
    if name in ("last-modified", "date", "expires"):
        return "Thu, 01 Jan 2026 00:00:00 GMT"
    if name == "location":
        return "/redirected"
    if name == "content-disposition":
        return 'attachment; filename="file.txt"'
    words = ("limit", "remaining", "count", "total", "reset", "after", "page", "size", "age")
    return "1" if any(word in name for word in words) else "value"
