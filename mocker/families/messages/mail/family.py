"""smtplib, imaplib, poplib and aiosmtplib stay real: their servers stand in the process."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_MODULES = ("smtplib", "imaplib", "poplib", "aiosmtplib")
_ABOVE = ("flask_mail", "flask_mailman", "yagmail", "redmail", "envelopes", "imap_tools")
"""Libraries that talk through these modules."""
_PIECES = {
    "imaplib": "imap",
    "imap_tools": "imap",
    "poplib": "pop",
    "aiosmtplib": "asyncio_mail",
}
_HANDLER = "logging.handlers.SMTPHandler"


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of these modules, and what talks through them."""
    return (*border.named(*_MODULES, _HANDLER), *border.touching(*_ABOVE))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Every message is taken and noted; mailboxes begin with the same two messages."""
    tops = {contact.name.partition(".")[0] for contact in contacts}
    used = [module for module in (*_MODULES, *_ABOVE) if module in tops]
    used += ["logging.handlers"] if "logging" in tops else []
    why = "it talks to a server in the process, which notes what it is given"
    pieces = list(dict.fromkeys(_PIECES.get(module, "mail") for module in used))
    return Mock(
        treated=tuple(Treated(module, "faked", why) for module in used),
        setup="".join(f"answer_{piece}()\n" for piece in pieces),
        pieces=tuple(pieces),
    )


_CHOOSE = "__import__('slice_func_mocks').choose"

EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a message by TLS",
        source="""\
import smtplib
import ssl
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText


class Mailer:
    def __init__(self, user, password):
        self.user = user
        self.password = password

    def send(self, to, subject, body):
        message = MIMEMultipart()
        message["From"] = self.user
        message["To"] = ", ".join(to)
        message["Subject"] = subject
        message.attach(MIMEText(body, "plain"))
        try:
            with smtplib.SMTP_SSL("smtp.example", 465, context=ssl.create_default_context()) as server:
                server.login(self.user, self.password)
                return server.sendmail(self.user, to, message.as_string())
        except smtplib.SMTPAuthenticationError as error:
            return error.smtp_code
        except smtplib.SMTPException as error:
            return type(error).__name__
""",
        target="Mailer.send",
        call=(
            "[Mailer('a@b.example', 'p').send(['c@d.example'], 'Hi', 'Text'), _effects[-1][2:],"
            f" {_CHOOSE}(smtp='login'), Mailer('a', 'p').send(['c@d.example'], 'Hi', 'Text'),"
            f" {_CHOOSE}(smtp='refused'), Mailer('a', 'p').send(['c@d.example'], 'Hi', 'Text')]"
        ),
        gives=(
            "[{}, ('a@b.example', ['c@d.example'], {'from': 'a@b.example', 'subject': 'Hi', "
            "'to': 'c@d.example', 'parts': [['text/plain', None, 'Text']]}), None, 535, None, "
            "'SMTPRecipientsRefused']"
        ),
        effects=("message smtp smtp.example:465",),
    ),
    Example(
        title="a message by STARTTLS, with a file",
        source="""\
import smtplib
from email.message import EmailMessage

HOST, PORT = "mail.example", 587


def report(to, text, data):
    message = EmailMessage()
    message["Subject"] = "Report"
    message["From"] = "me@example.com"
    message["To"] = to
    message.set_content(text)
    message.add_attachment(data, maintype="image", subtype="png", filename="plot.png")
    server = smtplib.SMTP(HOST, PORT, timeout=10)
    try:
        server.ehlo()
        server.starttls()
        server.login("me", "secret")
        server.send_message(message)
    finally:
        server.quit()
    return True
""",
        target="report",
        call="(report('a@b.example', 'see', b'\\xff\\x00'), _effects[-1][4]['parts'])",
        gives=(
            "(True, [['text/plain', None, 'see'], ['image/png', 'plot.png', {'base64': '/wA='}]])"
        ),
        effects=("message smtp mail.example:587",),
    ),
    Example(
        title="the mails of a folder",
        source="""\
import email
import imaplib


def subjects(host, user, password, folder="INBOX"):
    box = imaplib.IMAP4_SSL(host)
    box.login(user, password)
    box.select(folder)
    status, found = box.search(None, "UNSEEN")
    titles = []
    for number in found[0].split():
        status, data = box.fetch(number, "(RFC822)")
        for part in data:
            if isinstance(part, tuple):
                message = email.message_from_bytes(part[1])
                titles.append((message["subject"], message.is_multipart()))
        box.store(number, "+FLAGS", "\\\\Seen")
    box.close()
    box.logout()
    return status, titles
""",
        target="subjects",
        call="subjects('imap.example', 'u', 'p')",
        gives="('OK', [('Hello', False), ('Report', True)])",
        effects=(
            "read imap imap.example:993",
            "read imap imap.example:993",
            "read imap imap.example:993",
            "command imap imap.example:993",
            "read imap imap.example:993",
            "command imap imap.example:993",
            "command imap imap.example:993",
        ),
    ),
    Example(
        title="a mailbox of POP",
        source="""\
import poplib
from email.parser import BytesParser


class Box:
    def __init__(self, host):
        self.server = poplib.POP3(host)

    def fetch(self, user, password):
        self.server.user(user)
        self.server.pass_(password)
        count, _ = self.server.stat()
        found = []
        for number in range(1, count + 1):
            _, lines, _ = self.server.retr(number)
            found.append(BytesParser().parsebytes(b"\\r\\n".join(lines))["from"])
            self.server.dele(number)
        self.server.quit()
        return found
""",
        target="Box.fetch",
        call="Box('pop.example').fetch('u', 'p')",
        gives="['Ada <ada@example.com>', 'Bob <bob@example.com>']",
        effects=(
            "read pop pop.example:110",
            "command pop pop.example:110",
            "read pop pop.example:110",
            "command pop pop.example:110",
        ),
    ),
    Example(
        title="a log that goes out as mail",
        source="""\
import logging
from logging.handlers import SMTPHandler


def complain(text):
    logger = logging.getLogger("shop")
    logger.propagate = False
    handler = SMTPHandler(("mail.example", 25), "shop@example.com", ["a@example.com"], "Failure")
    handler.setLevel(logging.ERROR)
    logger.addHandler(handler)
    logger.error(text)
    logger.info("fine")
    logger.removeHandler(handler)
""",
        target="complain",
        call="complain('no tea'), _effects[-1][4]['parts']",
        gives="(None, [['text/plain', None, 'no tea']])",
        effects=("message smtp mail.example:25",),
    ),
    Example(
        title="a message by asyncio",
        source="""\
from email.message import EmailMessage

import aiosmtplib


async def invite(people, host="mail.example"):
    failed = []
    for person in people:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = "me@example.com", person, "Party"
        message.set_content("Come")
        try:
            await aiosmtplib.send(
                message, hostname=host, port=587, start_tls=True, username="me", password="p"
            )
        except aiosmtplib.SMTPException as error:
            failed.append((person, type(error).__name__))
    return failed
""",
        target="invite",
        call=(
            f"[await invite(['a@b.example']), _effects[-1][3], {_CHOOSE}(smtp='login'),"
            f" await invite(['a@b.example']), {_CHOOSE}(smtp='refused'),"
            f" await invite(['c@d.example']), {_CHOOSE}(smtp='connection'),"
            " await invite(['c@d.example'])]"
        ),
        gives=(
            "[[], ['a@b.example'], None, [('a@b.example', 'SMTPAuthenticationError')], None, "
            "[('c@d.example', 'SMTPRecipientsRefused')], None, "
            "[('c@d.example', 'SMTPConnectError')]]"
        ),
        effects=("message smtp mail.example:587",),
        needs=("aiosmtplib",),
    ),
    Example(
        title="a server that is not there",
        source="""\
import smtplib
import socket


def alive(host):
    try:
        with smtplib.SMTP(host, timeout=2) as server:
            return server.noop()[0]
    except (ConnectionRefusedError, socket.gaierror, socket.timeout) as error:
        return type(error).__name__
""",
        target="alive",
        call=(
            f"[alive('a.example'), {_CHOOSE}(smtp='connection'), alive('a.example'),"
            f" {_CHOOSE}(smtp='timeout'), alive('a.example')]"
        ),
        gives="[250, None, 'ConnectionRefusedError', None, 'TimeoutError']",
    ),
)

FAMILY = Family("mail", applies, stub, EXAMPLES)
