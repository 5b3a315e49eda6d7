"""What servers answer: a function of the request and of the case, whatever library asks."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any, NamedTuple

from ..core.world import choices, chosen_name, effects, record

QUIET_HEADERS = {"accept-encoding", "connection", "content-length", "host", "transfer-encoding"}
"""Headers that come from the library and not from the code that uses it."""
EMPTY_STATUSES = {204, 205, 304}
MULTIPART = re.compile(r'multipart/[\w-]+;\s*boundary="?([^";]+)"?')
NEXT_PAGE = re.compile(r"next|cursor|continuation|has_?more", re.IGNORECASE)
"""Keys that say that there is more."""


class HttpAnswer(NamedTuple):
    """Status, headers and body of an answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def reason(self) -> str:
        """The words beside the status."""
        try:
            return HTTPStatus(self.status).phrase
        except ValueError:
            return "Unknown"


class HttpFailure(Exception):  # noqa: N818
    """No answer: `timeout` or `connection`; each library raises what it raises then."""


class HttpAnswers:
    """What the servers of one library answer.

    The case chooses by the library's name, or by the name and the start of an address
    (`requests https://api.example/users`). Any status is a choice (`404`), and so are `timeout`,
    `connection`, `redirect`, and the variants of the body.
    """

    agents: tuple[str, ...] = ()
    """How the library names itself to servers; that is no effect of the code that uses it."""

    def __init__(
        self,
        place: str,
        sites: list[tuple[str, str, dict[str, Any]]],
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.place = place
        self.sites = [(_address_pattern(site), kind, bodies) for site, kind, bodies in sites]
        self.status = status
        self.headers = headers or {}

    def ask(self, method: str, url: str, headers: Any, body: Any) -> HttpAnswer:
        """Note a request, and answer it.

        Raises:
            HttpFailure: the case wants none.
        """
        url = url.partition("#")[0]
        shown = _shown_headers(headers, self.agents)
        content = body if isinstance(body, bytes) else _http_body(body)
        kind = next((v for k, v in shown.items() if k == "content-type"), "")
        if "content-type" in shown:
            shown["content-type"] = kind.partition("boundary=")[0].rstrip("; ")
        record("request", f"{method} {url}", shown_body(content, kind), shown)
        answer = self._answer(method, url, is_last=_is_repeated())
        if b"grant_type" in content and answer.status == HTTPStatus.OK:
            return _with_token(answer)
        return answer

    def _answer(self, method: str, url: str, *, is_last: bool) -> HttpAnswer:
        kind, bodies = next(
            (kind, bodies) for pattern, kind, bodies in self.sites if pattern.fullmatch(url)
        )
        name = self.chosen_for(url)
        status = name if re.fullmatch(r"[1-5]\d\d", name) else "404"
        chosen_name(self.place, name, *bodies, status, "redirect", "timeout", "connection")
        if name in ("timeout", "connection"):
            raise HttpFailure(name)
        if name == "redirect" and not url.endswith("/redirected"):
            base = re.match(r"\w+://[^/?]*", url)
            return HttpAnswer(302, {"Location": (base[0] if base else "") + "/redirected"}, b"")
        status, value = self.status, next(iter(bodies.values()))
        if name in bodies:
            value = _last_page(bodies[name], bodies) if is_last else bodies[name]
        elif re.fullmatch(r"[1-5]\d\d", name):
            status = int(name)
            if status >= 400:
                value = _http_refusal(status, kind)
        content = _http_encoded(value, kind)
        if status in EMPTY_STATUSES:
            content = b""
        headers = {"Content-Type": kind, **self.headers, "Content-Length": str(len(content))}
        return HttpAnswer(status, headers, b"" if method == "HEAD" else content)

    def chosen_for(self, url: str) -> str:
        """The name of the variant that the case wants for this address."""
        fitting = [
            place
            for place in choices
            if place == self.place
            or (place.startswith(self.place + " ") and f"{self.place} {url}".startswith(place))
        ]
        return choices[max(fitting, key=len)] if fitting else "default"


def _is_repeated() -> bool:
    """Whether the request noted last is the third of its kind in a row, as of who reads pages."""
    return len(effects) > 2 and effects[-1] == effects[-2] == effects[-3]


def _last_page(value: Any, bodies: dict[str, Any]) -> Any:
    """The answer without a word of a next page: another body that is so, if there is one."""
    said = _leaves(value)
    for other in bodies.values():
        leaves = _leaves(other)
        changed = {k for k in said.keys() | leaves.keys() if said.get(k) != leaves.get(k)}
        if changed and all(map(NEXT_PAGE.search, changed)):
            return other
    if not isinstance(value, dict):
        return value
    return {k: None if NEXT_PAGE.search(k) else each for k, each in value.items()}


def _leaves(value: Any, path: str = "") -> dict[str, Any]:
    """What stands in an answer, by the keys that lead there."""
    if not isinstance(value, dict) or not value:
        return {path: value}
    inner = (_leaves(each, f"{path}.{key}") for key, each in value.items())
    return {key: leaf for leaves in inner for key, leaf in leaves.items()}


def _with_token(answer: HttpAnswer) -> HttpAnswer:
    """What OAuth 2 requires of an answer that grants something, besides what there is."""
    try:
        found = json.loads(answer.body)
    except ValueError:
        found = None
    told = found if isinstance(found, dict) else {}
    grant = {"access_token": "token-1", "token_type": "Bearer", "expires_in": 3600, **told}
    content = json.dumps(grant).encode()
    said = {"Content-Type": "application/json", "Content-Length": str(len(content))}
    return HttpAnswer(answer.status, {**answer.headers, **said}, content)


def shown_body(content: bytes, kind: str) -> Any:
    """A request's body as plain data: JSON read, parts taken apart, text as it is."""
    if not content:
        return None
    parts = MULTIPART.match(kind)
    if parts:
        return _multipart(content, parts[1].encode())
    if "json" in kind:
        try:
            return json.loads(content)
        except ValueError:
            pass
    return shown_bytes(content)


def shown_bytes(content: bytes) -> Any:
    """Bytes as text; in base 64 where they are none."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        import base64

        return {"base64": base64.b64encode(content).decode("ascii")}


def _multipart(content: bytes, boundary: bytes) -> list[Any]:
    found: list[Any] = []
    for part in content.split(b"--" + boundary)[1:-1]:
        head, _, body = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        lines = [line.partition(b":") for line in head.split(b"\r\n")]
        said = {k.strip().lower(): v.strip().decode("utf-8", "replace") for k, _, v in lines}
        said.pop(b"content-length", None)
        named = {k.decode("utf-8", "replace"): v for k, v in said.items()}
        found.append([dict(sorted(named.items())), shown_bytes(body.removesuffix(b"\r\n"))])
    return found


def _http_body(body: Any) -> bytes:
    if body is None:
        return b""
    if hasattr(body, "read"):
        body = body.read()
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    return b"".join(map(_http_body, body))


def _shown_headers(headers: Any, agents: tuple[str, ...]) -> dict[str, str]:
    shown: dict[str, str] = {}
    for name, value in headers.items():
        key, text = _header_text(name).lower(), _header_text(value)
        is_default = (key == "user-agent" and text.startswith(agents)) or (
            key == "accept" and text == "*/*"
        )
        if key not in QUIET_HEADERS and not is_default:
            shown[key] = text
    return dict(sorted(shown.items()))


def _header_text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _address_pattern(site: str) -> re.Pattern[str]:
    """`https://api.example/users/*` fits what follows, and any query."""
    return re.compile(".*".join(map(re.escape, site.split("*"))) + r"/?(\?.*)?", re.DOTALL)


def _http_encoded(value: Any, kind: str) -> bytes:
    if isinstance(value, bytes):
        return value
    if "json" in kind:
        return json.dumps(value).encode()
    return str(value).encode()


def _http_refusal(status: int, kind: str) -> Any:
    reason = HttpAnswer(status, {}, b"").reason
    if "json" in kind:
        return {"error": reason, "message": reason, "detail": reason, "code": status}
    if "html" in kind:
        return f"<html><head><title>{status} {reason}</title></head><body>{reason}</body></html>"
    return reason
