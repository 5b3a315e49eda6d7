"""Programs for IMAP and POP3, each with a function `run(port, user, password)`."""

from __future__ import annotations

# what is left in the mailbox is a part of what each program gives
STATE = """\
import imaplib as _imaplib


def state(port, user, password):
    box = _imaplib.IMAP4("127.0.0.1", port)
    box.login(user, password)
    names = sorted(line.decode().rpartition(' "/" ')[2] for line in box.list()[1])
    found = {}
    for name in names:
        count = int(box.select(name, readonly=True)[1][0])
        found[name] = [count, box.fetch("1:*", "(UID FLAGS RFC822.SIZE)")[1] if count else None]
    box.logout()
    return found


def main(port, user, password="secret"):
    return run(port, user, password), state(port, user, password)
"""

UNREAD = """\
import email
import imaplib
from email.header import decode_header, make_header


class Inbox:
    def __init__(self, port, user, password):
        self.box = imaplib.IMAP4("127.0.0.1", port, timeout=10)
        self.box.login(user, password)

    def unread(self, folder="INBOX"):
        status, data = self.box.select(folder)
        if status != "OK":
            raise LookupError(folder)
        yield int(data[0])
        status, found = self.box.search(None, "UNSEEN")
        for number in found[0].split():
            status, parts = self.box.fetch(number, "(RFC822)")
            for part in parts:
                if isinstance(part, tuple):
                    message = email.message_from_bytes(part[1])
                    subject = str(make_header(decode_header(message["Subject"])))
                    yield subject, message["From"], part[0], len(part[1])


def run(port, user, password):
    inbox = Inbox(port, user, password)
    log = [list(inbox.unread()), list(inbox.unread()), inbox.box.close(), inbox.box.logout()]
    return log
"""

ATTACHMENTS = """\
import email
import email.policy
import imaplib


def attachments(box):
    for uid in box.uid("search", None, "ALL")[1][0].split():
        status, data = box.uid("fetch", uid, "(BODY.PEEK[])")
        message = email.message_from_bytes(data[0][1], policy=email.policy.default)
        for part in message.walk():
            if part.get_content_maintype() == "multipart":
                continue
            if part.get_filename():
                yield uid.decode(), part.get_filename(), part.get_payload(decode=True)
        yield status, data[0][0], data[1:], message.get_body(("plain",)).get_content()


def run(port, user, password):
    with imaplib.IMAP4("127.0.0.1", port) as box:
        box.login(user, password)
        box.select("INBOX")
        found = list(attachments(box))
        return found, box.fetch("1:2", "(FLAGS)"), box.uid("store", "2", "+FLAGS", "(\\\\Seen)")
"""

ARCHIVE = """\
import imaplib


def archive(box, uids, folder):
    log = []
    for uid in uids:
        copied = box.uid("COPY", uid, folder)[0]
        if copied != "OK":
            log.append(box.create(folder)[0])
            copied = box.uid("COPY", uid, folder)[0]
        if copied == "OK":
            log.append(box.uid("STORE", uid, "+FLAGS", "(\\\\Deleted)"))
    return log + [box.expunge(), box.search(None, "ALL"), box.uid("search", None, "ALL")]


def run(port, user, password):
    box = imaplib.IMAP4("127.0.0.1", port)
    box.login(user, password)
    box.select()
    uids = box.uid("search", None, "(FROM \\"ada\\")")[1][0].split()
    log = archive(box, uids, "Archive/2026")
    log += [box.subscribe("Archive/2026")[0], box.lsub()[1], sorted(box.list()[1])]
    log += [box.list('""', "Arch*/%")[1], box.status("Archive/2026", "(UNSEEN MESSAGES UIDNEXT)")]
    log += [box.uid("MOVE", "2", "Archive/2026")[0], box.status("INBOX", "(MESSAGES)")]
    log += [box.rename("Archive/2026", "Old")[0], box.delete("Archive/2026")[0], box.select("Old")]
    log += [box.store("1:2", "FLAGS", "(\\\\Flagged \\\\Answered)")]
    log += [box.search(None, "FLAGGED UNSEEN"), box.search(None, "NOT", "ANSWERED")]
    log += [box.store("1", "-FLAGS", "\\\\Flagged"), box.store("2", "+FLAGS.SILENT", "\\\\Deleted")]
    log += [box.close()[0], box.logout()]
    return log
"""

DRAFTS = """\
import imaplib
from email.message import EmailMessage


def draft(box, folder, subject, text):
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "me@example.com", "c@example.com"
    message["Date"] = "Sat, 03 Jan 2026 10:00:00 +0000"
    message.set_content(text)
    date = imaplib.Time2Internaldate(1767430000)
    return box.append(folder, "\\\\Draft \\\\Seen", date, message.as_bytes())[0]


def run(port, user, password):
    box = imaplib.IMAP4("127.0.0.1", port)
    box.login(user, password)
    log = [box.create("Drafts")[0], draft(box, "Drafts", "First try", "one\\n..two\\n")]
    log += [draft(box, "Drafts", "Second", "three"), draft(box, '"Not there"', "x", "y")]
    box.select("Drafts", readonly=True)
    log += [box.search(None, "SUBJECT", "second"), box.search(None, "SUBJECT", "third")]
    log += [box.search(None, 'OR (SUBJECT "first") (BODY "three")'), box.search(None, "DRAFT")]
    log += [box.search(None, "SINCE", "04-Jan-2026"), box.search(None, "ON", "03-Jan-2026")]
    log += [box.search(None, "NOT", "TEXT", "two"), box.search(None, "UID", "2:*", "SEEN")]
    log += [box.fetch("1", "(BODY.PEEK[TEXT])"), box.fetch("2", "(BODY[HEADER.FIELDS (SUBJECT)])")]
    log += [box.logout()]
    return log
"""

PARTS = """\
import imaplib
import re

ITEMS = (
    "(UID FLAGS INTERNALDATE RFC822.SIZE)", "(ENVELOPE)", "BODYSTRUCTURE", "(BODY)",
    "RFC822.HEADER", "(BODY.PEEK[HEADER.FIELDS (DATE FROM X-No)])", "(BODY.PEEK[1])",
    "(BODY.PEEK[2])", "(BODY.PEEK[2.MIME])", "(BODY.PEEK[TEXT]<3.7>)", "FAST",
    "(FLAGS RFC822.TEXT)", "(UID RFC822)",
    "(BODY[HEADER])", "(FLAGS BODY.PEEK[HEADER.FIELDS.NOT (From To)])",
)


def sizes(box):
    found = {}
    for line in box.fetch("1:*", "(RFC822.SIZE FLAGS)")[1]:
        match = re.match(rb"(\\d+) \\(RFC822.SIZE (\\d+) FLAGS \\(([^)]*)\\)\\)", line)
        found[int(match[1])] = int(match[2]), imaplib.ParseFlags(line)
    return found


def run(port, user, password):
    box = imaplib.IMAP4("127.0.0.1", port)
    box.login(user, password)
    box.select()
    log = [sizes(box), box.response("EXISTS"), box.response("PERMANENTFLAGS")]
    log += [box.fetch(str(number), item) for item in ITEMS for number in (1, 2)]
    log += [box.uid("fetch", "1:*", "(FLAGS)"), box.uid("FETCH", "9", "(RFC822)"), sizes(box)]
    log += [imaplib.Internaldate2tuple(box.fetch("2", "INTERNALDATE")[1][0]) is not None]
    log += [box.sort("REVERSE DATE", "UTF-8", "ALL"), box.thread("REFERENCES", "UTF-8", "ALL")]
    return log, box.logout()
"""

ERRORS = """\
import imaplib


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except (imaplib.IMAP4.error, OSError) as error:
        return type(error).__name__, str(error)


def run(port, user, password):
    box = imaplib.IMAP4("127.0.0.1", port)
    log = [attempt(box.select), attempt(box.fetch, "1", "(RFC822)")]
    log.append(attempt(box.login, user, password))
    log += [attempt(box.search, None, "ALL"), attempt(box.select, "Nowhere"), attempt(box.expunge)]
    log += [attempt(box.select, "Sent Items"), attempt(box.select)]
    log.append(attempt(box.login, user, password))
    log += [attempt(box.fetch, "7", "(FLAGS)"), attempt(box.fetch, "1", "(NONSENSE)")]
    log += [attempt(box.search, None, "NONSENSE"), attempt(box.store, "1", "+NONSENSE", "x")]
    log += [attempt(box.copy, "1", "Nowhere"), attempt(box.uid, "nonsense", "1"), attempt(box.noop)]
    log += [attempt(box.create, "INBOX"), attempt(box.delete, "Nowhere")]
    log.append(attempt(box.xatom, "NONSENSE"))
    log += [attempt(box.rename, "Nowhere", "There"), attempt(box.status, "Nowhere", "(MESSAGES)")]
    log += [attempt(box.select, "INBOX", True), attempt(box.store, "1", "+FLAGS", "\\\\Seen")]
    log += [attempt(box.fetch, "1", "(FLAGS BODY[1])"), attempt(box.unselect), attempt(box.check)]
    log += [box.state, attempt(box.logout), box.state, attempt(box.noop), attempt(box.select)]
    return log
"""

REFUSED = """\
import imaplib


class Account:
    def __init__(self, port, user, password):
        self.box = imaplib.IMAP4("127.0.0.1", port)
        self.user, self.password = user, password

    def check(self, how):
        try:
            if how == "login":
                return self.box.login(self.user, self.password)
            return self.box.authenticate("PLAIN", self.answer)
        except imaplib.IMAP4.error as error:
            return "refused", str(error), self.box.state

    def answer(self, challenge):
        return f"\\0{self.user}\\0{self.password}"


def main(port, user, password):
    account = Account(port, user, password)
    return account.check("login"), account.check("authenticate"), account.box.logout()
"""

POP_ALL = """\
import poplib
from email import parser, policy


def run(port, user, password):
    box = poplib.POP3("127.0.0.1", port, timeout=10)
    log = [box.user(user), box.pass_(password), box.stat()]
    for number in range(1, len(box.list()[1]) + 1):
        reply, lines, octets = box.retr(number)
        message = parser.BytesParser(policy=policy.default).parsebytes(b"\\r\\n".join(lines))
        log.append((reply, octets, message["subject"], message["from"], message.is_multipart()))
        log.append([part.get_content() for part in message.walk() if part.get_filename()])
    return log, box.quit()
"""

POP_DELETE = """\
import poplib


class Mailbox:
    def __init__(self, port, user, password):
        self.server = poplib.POP3("127.0.0.1", port)
        self.server.user(user)
        self.server.pass_(password)

    def __enter__(self):
        return self.server

    def __exit__(self, *error):
        return self.server.quit() and None


def run(port, user, password):
    log = []
    with Mailbox(port, user, password) as server:
        log += [server.list(), server.dele(1), server.stat(), server.list(), server.uidl()]
        log += [server.rset(), server.stat(), server.dele(1), server.noop()]
    with Mailbox(port, user, password) as server:
        log += [server.stat(), server.list(), server.uidl(1), server.dele(1)]
    dropped = Mailbox(port, user, password).server
    log += [dropped.stat(), dropped.close()]
    return log
"""

POP_KEPT = """\
import poplib


def run(port, user, password):
    first = poplib.POP3("127.0.0.1", port)
    first.user(user)
    first.pass_(password)
    log = [first.dele(2), first.close()]
    server = poplib.POP3("127.0.0.1", port)
    server.user(user)
    server.pass_(password)
    log += [server.stat(), server.top(2, 1), server.top(1, 0), server.list(2), server.quit()]
    return log
"""

POP_NEW = """\
import poplib


def new_messages(server, seen):
    for line in server.uidl()[1]:
        number, identity = line.decode().split()
        if identity not in seen:
            seen.add(identity)
            yield identity, server.top(int(number), 0)[1][:3]


def run(port, user, password):
    server = poplib.POP3("127.0.0.1", port)
    try:
        server.user(user)
        server.pass_(password)
        seen = {"id1"}
        return list(new_messages(server, seen)), list(new_messages(server, seen)), sorted(seen)
    finally:
        server.quit()
"""

POP_ERRORS = """\
import poplib


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except poplib.error_proto as error:
        return "refused", str(error)


def run(port, user, password):
    server = poplib.POP3("127.0.0.1", port)
    log = [attempt(server.stat), attempt(server.retr, 1), attempt(server.user, user)]
    log += [attempt(server.pass_, password), attempt(server.retr, 7), attempt(server.dele, 7)]
    log += [attempt(server.list, 7), attempt(server.uidl, 7), attempt(server.top, 7, 0)]
    log += [attempt(server.dele, 1), attempt(server.dele, 1), attempt(server.retr, 1)]
    log += [attempt(server._shortcmd, "NONSENSE"), attempt(server.rset), attempt(server.quit)]
    return log
"""

POP_REFUSED = """\
import poplib


def run(port, user, password):
    server = poplib.POP3("127.0.0.1", port)
    try:
        server.user(user)
        server.pass_(password)
        return server.stat()
    except poplib.error_proto as error:
        return str(error), error.args
    finally:
        server.quit()
"""

# name: source, what the mock is to answer, the password
IMAP = {
    "unread": (UNREAD + STATE, "default", "secret"),
    "attachments": (ATTACHMENTS + STATE, "default", "secret"),
    "archive": (ARCHIVE + STATE, "missing", "secret"),
    "drafts": (DRAFTS + STATE, "missing", "secret"),
    "parts": (PARTS + STATE, "default", "secret"),
    "errors": (ERRORS + STATE, "missing", "secret"),
    "refused": (REFUSED, "login", "wrong"),
}
POP = {
    "all": (POP_ALL, "default", "secret"),
    "delete": (POP_DELETE, "default", "secret"),
    "kept": (POP_KEPT, "default", "secret"),
    "new": (POP_NEW, "default", "secret"),
    "errors": (POP_ERRORS, "default", "secret"),
    "refused": (POP_REFUSED, "login", "wrong"),
}
