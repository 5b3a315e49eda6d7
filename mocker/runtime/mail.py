"""Mail: servers for smtplib, imaplib and poplib that stand in the process."""

from __future__ import annotations

import base64
import re
from typing import Any

from .on_import import on_import
from .wire_socket import WireSocket
from .world import chosen, record, replace

MAIL_VARIANTS = {"default": "default", "connection": "connection", "timeout": "timeout"}
UNSTEADY_HEADERS = {"date", "message-id", "mime-version", "user-agent"}
"""Headers that differ from run to run, or say nothing."""
LETTERS = (
    b"From: Ada <ada@example.com>\r\nTo: user@example.com\r\nSubject: Hello\r\n"
    b"Date: Thu, 01 Jan 2026 00:00:00 +0000\r\nMessage-ID: <1@example.com>\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n\r\nFirst text\r\n",
    b"From: Bob <bob@example.com>\r\nTo: user@example.com\r\nSubject: Report\r\n"
    b"Date: Fri, 02 Jan 2026 00:00:00 +0000\r\nMessage-ID: <2@example.com>\r\n"
    b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="part"\r\n\r\n'
    b"--part\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nSecond text\r\n"
    b'--part\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename="table.csv"'
    b"\r\n\r\nid,name\r\n1,first\r\n--part--\r\n",
)


def shown_letter(content: bytes) -> dict[str, Any]:
    """A message as plain data, without what differs from run to run."""
    import email
    import email.policy

    letter = email.message_from_bytes(content, policy=email.policy.default)
    shown: dict[str, Any] = {
        name.lower(): str(value)
        for name, value in sorted(letter.items())
        if name.lower() not in UNSTEADY_HEADERS and not name.lower().startswith("content-")
    }
    parts: list[Any] = []
    for part in letter.walk():
        if not part.is_multipart():
            body = part.get_payload(decode=True) or b""
            try:
                text: Any = body.decode(part.get_content_charset() or "utf-8")
            except (UnicodeDecodeError, LookupError):
                text = {"base64": base64.b64encode(body).decode("ascii")}
            if isinstance(text, str):
                text = text.replace("\r\n", "\n").rstrip("\n")
            parts.append([part.get_content_type(), part.get_filename(), text])
    shown["parts"] = parts
    return shown


def _open_mailbox(place: str, address: str) -> None:
    """Raise what a connection to a server raises where the case wants it to fail."""
    variant = chosen(place, {**MAIL_VARIANTS, "unknown": "unknown"})
    if variant == "connection":
        raise ConnectionRefusedError(111, "Connection refused")
    if variant == "timeout":
        raise TimeoutError("timed out")
    if variant == "unknown":
        import socket

        raise socket.gaierror(-2, "Name or service not known")


class LineServer:
    """A server that is told lines, and answers each."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.received = b""

    def feed(self, data: bytes) -> bytes:
        """What comes back for these bytes."""
        self.received += data
        sent = b""
        while b"\r\n" in self.received:
            line, _, self.received = self.received.partition(b"\r\n")
            sent += self.line(line)
        return sent

    def line(self, line: bytes) -> bytes:
        """The answer to one line."""
        raise NotImplementedError


class SmtpServer(LineServer):
    """Takes every message, and notes it."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.sender = ""
        self.recipients: list[str] = []
        self.content: bytes | None = None
        self.variant = chosen(
            "smtp", {name: name for name in ("default", "refused", "login", "rejected")}
        )
        self.expected: list[bytes] = []

    def line(self, line: bytes) -> bytes:
        """One command, or one line of a message."""
        if self.content is not None:
            return self._content(line)
        if self.expected:
            self.expected.pop()
            return b"334 UGFzc3dvcmQ6\r\n" if self.expected else self._logged_in()
        command = line[:4].upper()
        text = line.decode("utf-8", "replace")
        address = re.search(r"<([^>]*)>", text)
        match command:
            case b"EHLO":
                return (
                    b"250-mail.example\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-STARTTLS\r\n"
                    b"250-AUTH PLAIN LOGIN\r\n250 SIZE 50000000\r\n"
                )
            case b"MAIL":
                self.sender, self.recipients = address[1] if address else "", []
            case b"RCPT":
                if self.variant == "refused":
                    return b"550 5.1.1 User unknown\r\n"
                self.recipients.append(address[1] if address else "")
            case b"DATA":
                self.content = b""
                return b"354 End data with <CR><LF>.<CR><LF>\r\n"
            case b"AUTH":
                words = line.split()
                if words[1].upper() == b"LOGIN":
                    self.expected = [b"password"] if len(words) > 2 else [b"password", b"user"]
                    return b"334 UGFzc3dvcmQ6\r\n" if len(words) > 2 else b"334 VXNlcm5hbWU6\r\n"
                return self._logged_in()
            case b"STAR":
                return b"220 Ready to start TLS\r\n"
            case b"QUIT":
                return b"221 Bye\r\n"
            case b"VRFY":
                return b"252 Maybe\r\n"
            case _:
                pass
        return b"250 OK\r\n"

    def _logged_in(self) -> bytes:
        if self.variant == "login":
            return b"535 5.7.8 Authentication failed\r\n"
        return b"235 2.7.0 Authentication successful\r\n"

    def _content(self, line: bytes) -> bytes:
        assert self.content is not None
        if line != b".":
            self.content += (line[1:] if line.startswith(b"..") else line) + b"\r\n"
            return b""
        letter, self.content = shown_letter(self.content), None
        record("message", f"smtp {self.address}", self.sender, self.recipients, letter)
        return b"554 5.6.0 Rejected\r\n" if self.variant == "rejected" else b"250 OK\r\n"


class ImapServer(LineServer):
    """One mailbox with the same two messages everywhere; what is to change is noted."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.letters = chosen("imap", {"default": LETTERS, "empty": (), "login": LETTERS})
        self.appended: bytes | None = None
        self.literal = 0

    def feed(self, data: bytes) -> bytes:
        """Lines, and after `APPEND` so many bytes."""
        if not self.literal:
            return super().feed(data)
        self.received += data
        if len(self.received) < self.literal + 2:
            return b""
        content, rest = self.received[: self.literal], self.received[self.literal + 2 :]
        tag, self.literal, self.received = self.appended or b"", 0, b""
        record("message", f"imap {self.address}", shown_letter(content))
        return tag + b" OK APPEND completed\r\n" + super().feed(rest)

    def line(self, line: bytes) -> bytes:
        """One command with its tag."""
        tag, _, rest = line.partition(b" ")
        words = rest.decode("utf-8", "replace").split(" ")
        name = words[0].upper()
        by_uid = name == "UID"
        if by_uid:
            words = words[1:]
            name = words[0].upper()
        size = re.search(r"\{(\d+)\}$", words[-1])
        if name == "APPEND" and size:
            self.appended, self.literal = tag, int(size[1])
            return b"+ Ready\r\n"
        if name == "LOGIN" and chosen("imap", {"default": "", "login": "login"}):
            return tag + b" NO [AUTHENTICATIONFAILED] Invalid credentials\r\n"
        if name == "IDLE":
            return b"+ idling\r\n"
        found = self._found(name, words, by_uid=by_uid)
        if name not in ("CAPABILITY", "LOGIN", "AUTHENTICATE", "LOGOUT", "NOOP"):
            reads = ("SELECT", "EXAMINE", "SEARCH", "FETCH", "LIST", "LSUB", "STATUS", "SORT")
            record("read" if name in reads else "command", f"imap {self.address}", " ".join(words))
        return found + tag + f" OK {name} completed\r\n".encode()

    def _found(self, name: str, words: list[str], *, by_uid: bool) -> bytes:
        numbers = " ".join(str(n + 1) for n in range(len(self.letters)))
        match name:
            case "CAPABILITY":
                return b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n"
            case "SELECT" | "EXAMINE":
                return (
                    f"* FLAGS (\\Answered \\Seen \\Deleted)\r\n* {len(self.letters)} EXISTS\r\n"
                    "* 0 RECENT\r\n* OK [UIDVALIDITY 1] Valid\r\n"
                ).encode()
            case "SEARCH" | "SORT":
                return f"* {name} {numbers}".rstrip().encode() + b"\r\n"
            case "LIST" | "LSUB":
                return f'* {name} (\\HasNoChildren) "/" "INBOX"\r\n'.encode()
            case "STATUS":
                return f"* STATUS {words[1]} (MESSAGES {len(self.letters)} UNSEEN 0)\r\n".encode()
            case "FETCH":
                return b"".join(self._fetched(n, words, by_uid) for n in self._numbers(words[1]))
            case "LOGOUT":
                return b"* BYE Logging out\r\n"
            case _:
                return b""

    def _numbers(self, said: str) -> list[int]:
        last = len(self.letters)
        found: set[int] = set()
        for part in said.replace("*", str(last)).split(","):
            first, _, to = part.partition(":")
            found.update(range(int(first), int(to or first) + 1))
        return sorted(n for n in found if 1 <= n <= last)

    def _fetched(self, number: int, words: list[str], by_uid: bool) -> bytes:
        letter = self.letters[number - 1]
        wanted = " ".join(words[2:]).upper()
        head, _, body = letter.partition(b"\r\n\r\n")
        if "HEADER" in wanted:
            letter = head + b"\r\n\r\n"
        elif "TEXT" in wanted and "RFC822.TEXT" not in wanted and "RFC822 " not in wanted:
            letter = body
        uid = f"UID {number} " if by_uid or "UID" in wanted else ""
        if not re.search(r"RFC822|BODY", wanted):
            return f"* {number} FETCH ({uid}FLAGS (\\Seen))\r\n".encode()
        part = re.search(r"RFC822\S*|BODY(?:\.PEEK)?\[[^\]]*\]", wanted)
        label = (part[0] if part else "RFC822").strip("()").replace(".PEEK", "")
        start = f"* {number} FETCH ({uid}{label} {{{len(letter)}}}\r\n"
        return start.encode() + letter + b")\r\n"


class PopServer(LineServer):
    """The same mailbox for POP."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.letters = chosen("pop", {"default": LETTERS, "empty": (), "login": LETTERS})

    def line(self, line: bytes) -> bytes:
        """One command."""
        name, *rest = line.decode("utf-8", "replace").split(" ")
        sizes = [f"{n} {len(letter)}" for n, letter in enumerate(self.letters, 1)]
        number = int(rest[0]) if rest and rest[0].isdigit() else 0
        match name.upper():
            case "PASS" if chosen("pop", {"default": "", "login": "login"}):
                return b"-ERR Authentication failed\r\n"
            case "STAT":
                return f"+OK {len(sizes)} {sum(map(len, self.letters))}\r\n".encode()
            case "LIST" if not rest:
                return _listed(sizes)
            case "UIDL" if not rest:
                return _listed([f"{n} id{n}" for n in range(1, len(sizes) + 1)])
            case "RETR" | "TOP" if 0 < number <= len(sizes):
                record("read", f"pop {self.address}", f"{name} {number}")
                return b"+OK\r\n" + self.letters[number - 1] + b".\r\n"
            case "RETR" | "TOP":
                return b"-ERR no such message\r\n"
            case "DELE":
                record("command", f"pop {self.address}", f"DELE {number}")
                return b"+OK\r\n"
            case "CAPA":
                return _listed(["USER", "UIDL", "TOP"])
            case _:
                return b"+OK\r\n"


def _listed(lines: list[str]) -> bytes:
    return ("\r\n".join(["+OK", *lines, "."]) + "\r\n").encode()


def answer_mail() -> None:
    """Have every mail server of the three libraries answered."""
    on_import("smtplib", _answer_smtp)
    on_import("imaplib", _answer_imap)
    on_import("poplib", _answer_pop)


def _answer_smtp(smtplib: Any) -> None:
    def get_socket(self: Any, host: Any, port: Any, timeout: Any) -> Any:
        if timeout is not None and not timeout:
            raise ValueError("Non-blocking socket (timeout=0) is not supported")
        _open_mailbox("smtp", f"{host}:{port}")
        return WireSocket(SmtpServer(f"{host}:{port}").feed, b"220 mail.example ready\r\n")

    def starttls(self: Any, *_: Any, **__: Any) -> Any:
        self.ehlo_or_helo_if_needed()
        if not self.has_extn("starttls"):
            raise smtplib.SMTPNotSupportedError("STARTTLS extension not supported by server.")
        response, reply = self.docmd("STARTTLS")
        self.helo_resp = self.ehlo_resp = None
        self.esmtp_features = {}
        self.does_esmtp = False
        return response, reply

    for kind in (smtplib.SMTP, getattr(smtplib, "SMTP_SSL", smtplib.SMTP)):
        replace(kind, "_get_socket", get_socket)
    replace(smtplib.SMTP, "starttls", starttls)
    import socket

    real = socket.getfqdn
    replace(socket, "getfqdn", lambda name="": "localhost" if not name else real(name))


def _answer_imap(imaplib: Any) -> None:
    def create_socket(self: Any, timeout: Any = None) -> Any:
        address = f"{self.host}:{self.port}"
        _open_mailbox("imap", address)
        return WireSocket(ImapServer(address).feed, b"* OK ready\r\n")

    def starttls(self: Any, *_: Any, **__: Any) -> Any:
        return "OK", [b"Begin TLS negotiation now"]

    for kind in (imaplib.IMAP4, getattr(imaplib, "IMAP4_SSL", imaplib.IMAP4)):
        replace(kind, "_create_socket", create_socket)
    replace(imaplib.IMAP4, "starttls", starttls)


def _answer_pop(poplib: Any) -> None:
    def create_socket(self: Any, timeout: Any = None) -> Any:
        address = f"{self.host}:{self.port}"
        _open_mailbox("pop", address)
        return WireSocket(PopServer(address).feed, b"+OK ready\r\n")

    for kind in (poplib.POP3, getattr(poplib, "POP3_SSL", poplib.POP3)):
        replace(kind, "_create_socket", create_socket)
    replace(poplib.POP3, "stls", lambda self, context=None: b"+OK")
