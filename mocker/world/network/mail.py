"""Mail: servers for smtplib that stand in the process, and what those of other kinds share."""

from __future__ import annotations

import base64
import re
from typing import Any

from ..core.on_import import on_import
from ..core.world import chosen, record, replace
from .wire_socket import WireSocket

MAIL_VARIANTS = {"default": "default", "connection": "connection", "timeout": "timeout"}
UNSTEADY_HEADERS = {"date", "message-id", "mime-version", "user-agent"}
"""Headers that differ from run to run, or say nothing."""


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


def open_mailbox(place: str) -> None:
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
        self.sender: str | None = None
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
                self.sender, self.recipients = None, []
                return (
                    b"250-mail.example\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-STARTTLS\r\n"
                    b"250-AUTH PLAIN LOGIN\r\n250 SIZE 50000000\r\n"
                )
            case b"MAIL" if self.sender is not None:
                return b"503 5.5.1 Error: nested MAIL command\r\n"
            case b"MAIL":
                self.sender, self.recipients = address[1] if address else "", []
            case b"RCPT" if self.sender is None:
                return b"503 5.5.1 Error: need MAIL command\r\n"
            case b"RCPT":
                if self.variant == "refused":
                    return b"550 5.1.1 User unknown\r\n"
                self.recipients.append(address[1] if address else "")
            case b"DATA" if not self.recipients:
                return b"503 5.5.1 Error: need RCPT command\r\n"
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
            case b"RSET":
                self.sender, self.recipients = None, []
            case b"HELO" | b"NOOP":
                pass
            case b"HELP":
                return b"214 Supported commands: AUTH DATA EHLO HELO MAIL NOOP QUIT RCPT RSET\r\n"
            case _:
                return b"500 5.5.2 Error: command not recognized\r\n"
        return b"250 OK\r\n"

    def _logged_in(self) -> bytes:
        if self.variant == "login":
            return b"535 5.7.8 Authentication credentials invalid\r\n"
        return b"235 2.7.0 Authentication successful\r\n"

    def _content(self, line: bytes) -> bytes:
        assert self.content is not None
        if line != b".":
            self.content += (line[1:] if line.startswith(b"..") else line) + b"\r\n"
            return b""
        letter, self.content = shown_letter(self.content), None
        record("message", f"smtp {self.address}", self.sender or "", self.recipients, letter)
        self.sender, self.recipients = None, []
        return b"554 5.6.0 Rejected\r\n" if self.variant == "rejected" else b"250 OK\r\n"


def answer_mail() -> None:
    """Have every server of smtplib answered."""
    on_import("smtplib", _answer_smtp)


def _answer_smtp(smtplib: Any) -> None:
    def get_socket(self: Any, host: Any, port: Any, timeout: Any) -> Any:
        if timeout is not None and not timeout:
            raise ValueError("Non-blocking socket (timeout=0) is not supported")
        open_mailbox("smtp")
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
