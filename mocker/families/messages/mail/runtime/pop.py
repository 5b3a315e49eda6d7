"""POP3: a server for poplib that stands in the process."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace
from .....world.network.mail import LineServer, open_mailbox
from .....world.network.wire_socket import WireSocket
from .mailboxes import account_of, forget_accounts


class PopServer(LineServer):
    """The letters of one account; those that are marked go when the client takes its leave."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.folder = account_of("pop", address).folder("INBOX")
        self.letters = list(self.folder.letters)
        self.marked: set[int] = set()
        self.user = ""
        self.is_in = False

    def line(self, line: bytes) -> bytes:
        """One command."""
        name, *rest = line.decode("utf-8", "replace").split(" ")
        name = name.upper()
        if not self.is_in:
            return self._greeted(name, rest)
        if name in ("RETR", "TOP", "DELE", "UIDL", "LIST") and rest:
            return self._about(name, rest)
        left = [n for n in range(1, len(self.letters) + 1) if n not in self.marked]
        sizes = [len(self.letters[n - 1].content) for n in left]
        match name:
            case "STAT":
                return f"+OK {len(left)} {sum(sizes)}\r\n".encode()
            case "LIST":
                lines = [f"{n} {size}" for n, size in zip(left, sizes, strict=True)]
                return _several(f" {len(left)} messages:", lines)
            case "UIDL":
                return _several("", [f"{n} id{self.letters[n - 1].uid}" for n in left])
            case "RSET":
                self.marked.clear()
            case "QUIT":
                gone = [self.letters[n - 1] for n in self.marked]
                self.folder.letters[:] = [e for e in self.folder.letters if e not in gone]
                return b"+OK Logging out%s\r\n" % (b", messages deleted." if gone else b".")
            case "NOOP":
                pass
            case "CAPA":
                return _several("", ["CAPA", "TOP", "UIDL", "RESP-CODES", "PIPELINING"])
            case _:
                return f"-ERR Unknown command: {name}\r\n".encode()
        return b"+OK\r\n"

    def _greeted(self, name: str, rest: list[str]) -> bytes:
        """What is answered before the login."""
        match name:
            case "USER":
                self.user = " ".join(rest)
            case "PASS" if not self.user:
                return b"-ERR No username given.\r\n"
            case "PASS" | "APOP" | "AUTH":
                if chosen("pop", {"default": "", "login": "login"}):
                    self.user = ""
                    return b"-ERR [AUTH] Authentication failed.\r\n"
                self.is_in = True
                return b"+OK Logged in.\r\n"
            case "CAPA":
                return _several("", ["CAPA", "TOP", "UIDL", "USER", "SASL PLAIN LOGIN"])
            case "QUIT":
                return b"+OK Logging out\r\n"
            case _:
                return b"-ERR Unknown command.\r\n"
        return b"+OK\r\n"

    def _about(self, name: str, rest: list[str]) -> bytes:
        """A command about one letter."""
        number = int(rest[0]) if rest[0].isdigit() else 0
        if not 0 < number <= len(self.letters):
            return f"-ERR There's no message {rest[0]}.\r\n".encode()
        if number in self.marked:
            return b"-ERR Message is deleted.\r\n"
        letter = self.letters[number - 1]
        content = letter.content
        if name in ("RETR", "TOP"):
            record("read", f"pop {self.address}", f"{name} {number}")
        if name == "TOP":
            head, gap, body = content.partition(b"\r\n\r\n")
            lines = body.splitlines(keepends=True)[: int(rest[1]) if rest[1:] else 0]
            content = head + gap + b"".join(lines)
        match name:
            case "LIST":
                return f"+OK {number} {len(content)}\r\n".encode()
            case "UIDL":
                return f"+OK {number} id{letter.uid}\r\n".encode()
            case "DELE":
                record("command", f"pop {self.address}", f"DELE {number}")
                self.marked.add(number)
                return b"+OK Marked to be deleted.\r\n"
            case _:
                told = f" {len(content)} octets" if name == "RETR" else ""
                lines = [line.decode("latin-1") for line in content.splitlines()]
                return _several(told, ["." + e if e.startswith(".") else e for e in lines])


def _several(told: str, lines: list[str]) -> bytes:
    return ("\r\n".join([f"+OK{told}", *lines, "."]) + "\r\n").encode("latin-1")


def answer_pop() -> None:
    """Have every server of poplib answered."""
    forget_accounts()
    on_import("poplib", _answer_pop)


def _answer_pop(poplib: Any) -> None:
    def create_socket(self: Any, timeout: Any = None) -> Any:
        open_mailbox("pop")
        return WireSocket(PopServer(f"{self.host}:{self.port}").feed, b"+OK ready\r\n")

    for kind in (poplib.POP3, getattr(poplib, "POP3_SSL", poplib.POP3)):
        replace(kind, "_create_socket", create_socket)
    replace(poplib.POP3, "stls", lambda self, context=None: b"+OK")
