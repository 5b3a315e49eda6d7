"""The server's end of an HTTP connection: bytes of requests in, bytes of answers out."""

from __future__ import annotations

import re

from .http_answers import HttpAnswers


class HttpWire:
    """One connection to one origin, as `https://api.example`; a proxy may lead elsewhere."""

    def __init__(self, origin: str, answers: HttpAnswers) -> None:
        self.origin = re.sub(r"^(http://.*):80$|^(https://.*):443$", r"\1\2", origin)
        self.answers = answers
        self.received = b""
        self.continued = False

    def feed(self, data: bytes) -> bytes:
        """What comes back for these bytes.

        Raises:
            HttpFailure: the case wants no answer.
        """
        self.received += data
        sent = b""
        while True:
            head, end, rest = self.received.partition(b"\r\n\r\n")
            if not end:
                return sent
            first, *lines = head.decode("latin-1").split("\r\n")
            headers = {name: value.strip() for name, _, value in (x.partition(":") for x in lines)}
            said = {name.lower(): value for name, value in headers.items()}
            if said.get("expect", "").lower() == "100-continue" and not self.continued:
                self.continued = True
                sent += b"HTTP/1.1 100 Continue\r\n\r\n"
            body, left = _wire_body(said, rest)
            if body is None:
                return sent
            self.received, self.continued = left, False
            method, target, *_ = first.split(" ")
            sent += self._answer(method, target, headers, body)

    def _answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> bytes:
        if method == "CONNECT":
            self.origin = "https://" + target.removesuffix(":443")
            return b"HTTP/1.1 200 Connection established\r\n\r\n"
        url = target if "://" in target.partition("?")[0] else self.origin + target
        found = self.answers.ask(method, url, headers, body)
        lines = [f"HTTP/1.1 {found.status} {found.reason}"]
        lines += [f"{name}: {value}" for name, value in found.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + found.body


def _wire_body(said: dict[str, str], rest: bytes) -> tuple[bytes | None, bytes]:
    """The body of a request and what follows it; `None` while it is not complete."""
    if "chunked" not in said.get("transfer-encoding", ""):
        size = int(said.get("content-length", "0"))
        return (rest[:size], rest[size:]) if len(rest) >= size else (None, rest)
    body = b""
    while True:
        line, end, after = rest.partition(b"\r\n")
        if not end:
            return None, rest
        size = int(line.partition(b";")[0], 16)
        if len(after) < size + 2:
            return None, rest
        body, rest = body + after[:size], after[size + 2 :]
        if size == 0:
            return body, rest
