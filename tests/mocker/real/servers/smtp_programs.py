"""Programs for SMTP, each with a function `run(port, password)`."""

from __future__ import annotations

STARTTLS = """\
import smtplib
import ssl
from email.message import EmailMessage


class Mailer:
    def __init__(self, port, password):
        self.port, self.password = port, password

    def connect(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        server = smtplib.SMTP("127.0.0.1", self.port, timeout=10)
        self.log = [server.ehlo()[0], server.has_extn("starttls")]
        self.log.append(server.starttls(context=context)[0])
        self.log += [server.ehlo()[0], server.has_extn("auth"), server.does_esmtp]
        server.login("user", self.password)
        return server

    def send(self, to, subject, text):
        message = EmailMessage()
        message["From"], message["To"], message["Cc"] = "a@b.example", ", ".join(to), "x@y.example"
        message["Bcc"], message["Subject"] = "hidden@z.example", subject
        message.set_content(text)
        message.add_alternative(f"<p>{text}</p>", subtype="html")
        message.add_attachment(b"\\x00\\x01", maintype="image", subtype="png", filename="a.png")
        with self.connect() as server:
            return server.send_message(message), server.noop()[0], self.log


def run(port, password):
    try:
        people = ["c@d.example", "Ä <e@f.example>"]
        return Mailer(port, password).send(people, "Grüße", "süß\\n.\\n")
    except smtplib.SMTPAuthenticationError as error:
        return error.smtp_code, error.smtp_error, str(error)
"""

REFUSED = """\
import smtplib
import ssl


def run(port, password):
    server = smtplib.SMTP("127.0.0.1", port)
    context = ssl._create_unverified_context()
    server.starttls(context=context)
    log = []
    for _ in range(2):
        try:
            log.append(server.login("user", password)[0])
        except smtplib.SMTPAuthenticationError as error:
            log.append((error.smtp_code, error.smtp_error, server.noop()[0]))
    log += [server.quit()[0]]
    try:
        server.sendmail("a@b.example", ["c@d.example"], "Subject: x\\r\\n\\r\\ny")
    except smtplib.SMTPServerDisconnected as error:
        log.append(str(error))
    return log
"""

BY_HAND = """\
import smtplib


def run(port, password):
    server = smtplib.SMTP()
    log = [server.connect("127.0.0.1", port)[0], server.helo("me.example")[0]]
    log.append(server.rcpt("x@y.example")[0])
    log += [server.docmd("DATA")[0], server.mail("a@b.example")[0], server.docmd("DATA")[0]]
    log += [server.mail("again@b.example")[0], server.rcpt("c@d.example")[0], server.rset()[0]]
    log += [server.rcpt("c@d.example")[0], server.mail("a@b.example")[0]]
    log.append(server.rcpt("c@d.example")[0])
    log.append(server.data("Subject: by hand\\r\\n\\r\\n.one\\r\\ntwo")[0])
    log.append(server.docmd("NONSENSE")[0])
    log += [server.verify("someone")[0], server.noop()[0], server.rcpt("after@d.example")[0]]
    server.close()
    return log
"""

TWICE = """\
import smtplib
from email.mime.text import MIMEText


def send_all(server, people):
    refused = {}
    for name, address in people.items():
        message = MIMEText(f"Dear {name}", "plain", "utf-8")
        message["Subject"] = "News"
        message["To"] = address
        refused.update(server.sendmail("news@b.example", address, message.as_string()))
    return refused


def run(port, password):
    with smtplib.SMTP("127.0.0.1", port) as server:
        found = send_all(server, {"Ann": "ann@d.example", "Bo": "Bo <bo@d.example>"})
    with smtplib.SMTP("127.0.0.1", port) as server:
        try:
            server.sendmail("a@b.example", [], "nobody")
        except smtplib.SMTPException as error:
            return found, type(error).__name__, str(error)
        return found
"""

LOG = """\
import logging
import logging.handlers


def run(port, password):
    logger = logging.getLogger("shop")
    logger.propagate = False
    handler = logging.handlers.SMTPHandler(
        ("127.0.0.1", port), "shop@b.example", ["a@d.example", "b@d.example"], "Trouble: no tea"
    )
    handler.setFormatter(logging.Formatter("%(levelname)s\\n%(message)s"))
    logger.addHandler(handler)
    logger.error("no %s", "tea")
    logger.removeHandler(handler)
    return len(logger.handlers)
"""

TLS = """\
import smtplib
import ssl


def run(port, password):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with smtplib.SMTP_SSL("127.0.0.1", port, context=context) as server:
            log = [server.login("user", password)[0]]
            text = b"Subject: \\xc3\\xa4\\r\\n\\r\\nb"
            log.append(server.sendmail("a@b.example", "c@d.example", text))
            return log
    except smtplib.SMTPAuthenticationError as error:
        return error.smtp_code
"""

ASYNCIO = """\
import asyncio
import ssl
from email.mime.text import MIMEText

import aiosmtplib


def letter(to, text):
    message = MIMEText(text)
    message["From"], message["To"], message["Subject"] = "a@b.example", to, "Hi"
    return message


async def run(port, password):
    context = ssl._create_unverified_context()
    log = []
    try:
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False)
        async with client:
            log += [client.is_connected, (await client.ehlo()).code]
            log += [(await client.starttls(tls_context=context)).code]
            log += [(await client.login("user", password)).code]
            for to in ("c@d.example", "e@f.example"):
                refused, told = await client.send_message(letter(to, f"for {to}\\n.\\n"))
                log.append(refused)
            log.append((await client.noop()).code)
        log.append(client.is_connected)
        await aiosmtplib.send(
            letter("g@h.example", "last"), hostname="127.0.0.1", port=port, start_tls=True,
            tls_context=context, username="user", password=password,
        )
        await client.noop()
    except aiosmtplib.SMTPAuthenticationError as error:
        log.append((error.code, error.message))
    except aiosmtplib.SMTPServerDisconnected as error:
        log.append(str(error))
    return log
"""

# name: source, the password, whether all is by TLS
PROGRAMS = {
    "starttls": (STARTTLS, "secret", False),
    "starttls_wrong": (STARTTLS, "wrong", False),
    "refused": (REFUSED, "wrong", False),
    "by_hand": (BY_HAND, "secret", False),
    "twice": (TWICE, "secret", False),
    "log": (LOG, "secret", False),
    "asyncio": (ASYNCIO, "secret", False),
    "asyncio_wrong": (ASYNCIO, "wrong", False),
    "tls": (TLS, "secret", True),
    "tls_wrong": (TLS, "wrong", True),
}
