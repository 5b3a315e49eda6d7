"""A message that is noted is the message that a real server would have got."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from slicefunc.mocker.world.network.mail import shown_letter

from tests.mocker.compared import mocked, real

aiosmtpd = pytest.importorskip("aiosmtpd")

PLAIN = """\
import smtplib

def run(port):
    text = "Subject: Hi\\r\\nFrom: a@b.example\\r\\n\\r\\n.dot\\r\\n..dots\\r\\nlast"
    try:
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.login("user", "secret")
            return server.sendmail("a@b.example", ["c@d.example", "e@f.example"], text)
    except smtplib.SMTPAuthenticationError as error:
        return error.smtp_code
    except smtplib.SMTPRecipientsRefused as error:
        return sorted((name, reply[0]) for name, reply in error.recipients.items())
    except smtplib.SMTPDataError as error:
        return error.smtp_code
"""
PARTS = """\
import smtplib
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

class Sender:
    def __init__(self, port):
        self.server = smtplib.SMTP("127.0.0.1", port, timeout=5)

    def send(self, to, html):
        message = MIMEMultipart("alternative")
        message["Subject"] = "Grüße"
        message["From"], message["To"] = "Me <a@b.example>", to
        message.attach(MIMEText("plain", "plain"))
        message.attach(MIMEText(html, "html", "utf-8"))
        part = MIMEApplication(bytes(range(40)), Name="data.bin")
        part["Content-Disposition"] = 'attachment; filename="data.bin"'
        message.attach(part)
        self.server.ehlo()
        refused = self.server.send_message(message)
        code = self.server.quit()[0]
        return refused, code

def run(port):
    try:
        return Sender(port).send("c@d.example, e@f.example", "<b>ä</b>")
    except smtplib.SMTPException as error:
        return type(error).__name__
"""


class Handler:
    """Keeps what it is given."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.seen: list[object] = []

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
        if self.variant == "refused":
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802
        letter = shown_letter(envelope.content)
        self.seen.append((envelope.mail_from, envelope.rcpt_tos, letter))
        return "554 rejected" if self.variant == "rejected" else "250 OK"


@pytest.mark.parametrize("variant", ["default", "login", "refused", "rejected"])
@pytest.mark.parametrize("source", [PLAIN, PARTS], ids=["plain", "parts"])
def test_a_noted_message_is_like_one_that_is_sent(source: str, variant: str, tmp_path: Path):
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    handler = Handler(variant)
    controller = Controller(
        handler,
        hostname="127.0.0.1",
        port=port,
        auth_require_tls=False,
        authenticator=lambda *_: AuthResult(success=variant != "login", handled=variant != "login"),
    )
    controller.start()
    try:
        there = real(source, f"run({port})", tmp_path)
    finally:
        controller.stop()
    here, effects = mocked(source, "run", f"run({port})", tmp_path, f"choose(smtp={variant!r})")
    assert here == there
    assert [effect[2:] for effect in effects] == handler.seen
    assert handler.seen or variant in ("login", "refused")
