"""IMAP: a server for imaplib that stands in the process."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace
from .....world.network.mail import LineServer, open_mailbox, shown_letter
from .....world.network.wire_socket import WireSocket
from .imap_fetch import FETCH_SHORTCUTS, fetched, quoted
from .imap_search import ImapError, ImapSearch, in_set
from .mailboxes import LETTER_DATES, MailFolder, account_of, forget_accounts

IMAP_CAPABILITIES = (
    "IMAP4rev1 SASL-IR ID ENABLE IDLE NAMESPACE UIDPLUS MOVE SORT UNSELECT CHILDREN STARTTLS"
    " AUTH=PLAIN AUTH=LOGIN AUTH=XOAUTH2"
)
IMAP_FLAGS = "\\Answered \\Flagged \\Deleted \\Seen \\Draft"
IMAP_FIXED = {
    "CAPABILITY": (f"* CAPABILITY {IMAP_CAPABILITIES}\r\n".encode(), "Capability completed."),
    "LOGOUT": (b"* BYE Logging out\r\n", "Logout completed."),
    "NOOP": (b"", "NOOP completed."),
    "CHECK": (b"", "Check completed."),
    "ENABLE": (b"* ENABLED\r\n", "Enabled."),
    "ID": (b'* ID ("name" "mail.example")\r\n', "ID completed."),
    "NAMESPACE": (b'* NAMESPACE (("" "/")) NIL NIL\r\n', "Namespace completed."),
}
"""Commands whose answer is always the same."""
IMAP_READS = "SELECT EXAMINE SEARCH FETCH LIST LSUB STATUS SORT THREAD".split()
IMAP_QUIET = "CAPABILITY LOGIN AUTHENTICATE LOGOUT NOOP CHECK IDLE ID ENABLE NAMESPACE".split()
"""What neither reads nor changes a mailbox."""
_IMAP_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|\0|[()]|[^\s()"\[\]]*\[[^\]]*\](?:<[\d.]+>)?|[^\s()"]+', re.DOTALL
)


class ImapRefusedError(Exception):
    """A command that is understood, and cannot be done."""


class ImapServer(LineServer):
    """One account; what is asked for and changed is noted."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.account = account_of("imap", address)
        self.folder: MailFolder | None = None
        self.is_writable = False
        self.wanted: int | None = None
        self.text = ""
        self.literals: list[bytes] = []
        self.go_on: Callable[[bytes], bytes] | None = None

    def feed(self, data: bytes) -> bytes:
        """Lines, and between them as many bytes as they say."""
        self.received += data
        sent = b""
        while True:
            if self.wanted is not None:
                if len(self.received) < self.wanted:
                    return sent
                self.literals.append(self.received[: self.wanted])
                self.received, self.wanted = self.received[self.wanted :], None
            line, end, rest = self.received.partition(b"\r\n")
            if not end:
                return sent
            self.received = rest
            size = re.search(rb"\{(\d+)(\+?)\}$", line)
            if self.go_on:
                sent += self.go_on(line)
            elif size:
                self.text += line[: size.start()].decode("utf-8", "replace") + "\0"
                self.wanted = int(size[1])
                sent += b"" if size[2] else b"+ OK\r\n"
            else:
                text, self.text = self.text + line.decode("utf-8", "replace"), ""
                sent += self.command(text)
                self.literals = []

    def command(self, text: str) -> bytes:
        """One command with its tag."""
        tag, _, rest = text.partition(" ")
        words = self._parsed(rest)
        name = str(words.pop(0)).upper() if words else ""
        by_uid = name == "UID" and bool(words)
        if by_uid:
            name = str(words.pop(0)).upper()
        if name not in ("APPEND", *IMAP_QUIET):
            kind = "read" if name in IMAP_READS else "command"
            record(kind, f"imap {self.address}", rest.replace("\0", "{}"))
        action = getattr(self, f"do_{name.lower()}", self.do_nothing)
        try:
            found, told = IMAP_FIXED.get(name) or action(words, tag if name in TAGGED else by_uid)
        except ImapRefusedError as refusal:
            return f"{tag} NO {refusal}.\r\n".encode()
        except (ImapError, ValueError, IndexError) as error:
            told = str(error) if isinstance(error, ImapError) else "Invalid arguments"
            return f"{tag} BAD Error in IMAP command {name}: {told}.\r\n".encode()
        return found + (f"{tag} OK {told}\r\n".encode() if told else b"")

    def _parsed(self, text: str) -> list[Any]:
        literals = iter(self.literals)
        levels: list[list[Any]] = [[]]
        for token in _IMAP_TOKEN.findall(text):
            if token == "(":
                levels.append([])
            elif token == ")" and len(levels) > 1:
                inner = levels.pop()
                levels[-1].append(inner)
            elif token == "\0":
                levels[-1].append(next(literals).decode("latin-1"))
            elif token.startswith('"'):
                levels[-1].append(re.sub(r"\\(.)", r"\1", token[1:-1]))
            else:
                levels[-1].append(token)
        return levels[0]

    # ------------------------------------------------------------------------- coming and going

    def do_nothing(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        raise ImapError("Unknown command")

    def do_login(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        if chosen("imap", {"default": "", "login": "login"}):
            raise ImapRefusedError("[AUTHENTICATIONFAILED] Authentication failed")
        return b"", "Logged in"

    def do_authenticate(self, words: list[Any], tag: str) -> tuple[bytes, str]:
        left = [b"VXNlcm5hbWU6", b"UGFzc3dvcmQ6"] if words[0].upper() == "LOGIN" else [b""]

        def answered(line: bytes) -> bytes:
            if left and line != b"*":
                return b"+ " + left.pop(0) + b"\r\n"
            self.go_on = None
            if line == b"*" or chosen("imap", {"default": "", "login": "login"}):
                return f"{tag} NO [AUTHENTICATIONFAILED] Authentication failed.\r\n".encode()
            return f"{tag} OK Logged in\r\n".encode()

        self.go_on = answered
        return answered(b""), ""

    def do_idle(self, words: list[Any], tag: str) -> tuple[bytes, str]:
        def done(line: bytes) -> bytes:
            self.go_on = None
            return f"{tag} OK Idle completed.\r\n".encode()

        self.go_on = done
        return b"+ idling\r\n", ""

    # -------------------------------------------------------------------------------- folders

    def _named(self, name: str, code: str = "") -> MailFolder:
        folder = self.account.folder(name)
        if folder is None:
            raise ImapRefusedError(f"{code}Mailbox doesn't exist: {name}")
        return folder

    def do_select(self, words: list[Any], by_uid: bool, writable: bool = True) -> tuple[bytes, str]:
        closed = "* OK [CLOSED] Previous mailbox closed.\r\n" if self.folder else ""
        self.folder = None
        self.folder = folder = self._named(words[0])
        self.is_writable = writable
        unseen = [n for n, each in enumerate(folder.letters, 1) if "\\Seen" not in each.flags]
        first = f"* OK [UNSEEN {unseen[0]}] First unseen.\r\n" if unseen else ""
        kept = f"{IMAP_FLAGS} \\*" if writable else ""
        answer = (
            f"{closed}* FLAGS ({IMAP_FLAGS})\r\n* OK [PERMANENTFLAGS ({kept})] Flags permitted.\r\n"
            f"* {len(folder.letters)} EXISTS\r\n* 0 RECENT\r\n{first}"
            f"* OK [UIDVALIDITY {folder.validity}] UIDs valid\r\n"
            f"* OK [UIDNEXT {folder.next}] Predicted next UID\r\n"
        )
        told = "[READ-WRITE] Select" if writable else "[READ-ONLY] Examine"
        return answer.encode(), f"{told} completed."

    def do_examine(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        return self.do_select(words, by_uid, writable=False)

    def do_close(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        if self.folder and self.is_writable:
            self.folder.expunge()
        self.folder = None
        return b"", "Close completed."

    def do_unselect(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        self.folder = None
        return b"", "Unselect completed."

    def do_list(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        if words[1] == "":
            return b'* LIST (\\Noselect) "/" ""\r\n', "List completed."
        names = {name for name in self.account.folders if name != "INBOX"}
        for name in tuple(names):
            names.update(name[: at.start()] for at in re.finditer("/", name))
        pattern = re.escape(words[0] + words[1]).replace(r"\*", ".*").replace("%", "[^/]*")
        lines = ""
        for name in [*sorted(names), "INBOX"]:
            if re.fullmatch(pattern, name, re.IGNORECASE if name == "INBOX" else 0):
                is_above = any(other.startswith(f"{name}/") for other in names)
                flags = "" if name in self.account.folders else "\\Noselect "
                flags += "\\HasChildren" if is_above else "\\HasNoChildren"
                lines += f'* LIST ({flags}) "/" {_shown_name(name)}\r\n'
        return lines.encode(), "List completed."

    def do_lsub(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        names = sorted(self.account.subscribed)
        lines = "".join(f'* LSUB () "/" {_shown_name(name)}\r\n' for name in names)
        return lines.encode(), "Lsub completed."

    def do_subscribe(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        if words[0] not in self.account.subscribed:
            self.account.subscribed.append(words[0])
        return b"", "Subscribe completed."

    def do_unsubscribe(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        if words[0] in self.account.subscribed:
            self.account.subscribed.remove(words[0])
        return b"", "Unsubscribe completed."

    def do_status(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        folder = self._named(words[0])
        counts = {
            "MESSAGES": len(folder.letters),
            "RECENT": 0,
            "UIDNEXT": folder.next,
            "UIDVALIDITY": folder.validity,
            "UNSEEN": sum("\\Seen" not in each.flags for each in folder.letters),
        }
        asked = [word.upper() for word in words[1]]
        shown = " ".join(f"{name} {count}" for name, count in counts.items() if name in asked)
        return f"* STATUS {_shown_name(words[0])} ({shown})\r\n".encode(), "Status completed."

    def do_create(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        name = words[0].rstrip("/")
        if name in self.account.folders or name.upper() == "INBOX":
            raise ImapRefusedError("[ALREADYEXISTS] Mailbox already exists")
        self.account.make(name)
        return b"", "Create completed."

    def do_delete(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        self._named(words[0], "[NONEXISTENT] ")
        del self.account.folders[words[0]]
        self.account.gone.add(words[0])
        return b"", "Delete completed."

    def do_rename(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        before, after = words
        self._named(before, "[NONEXISTENT] ")
        if after in self.account.folders:
            raise ImapRefusedError("[ALREADYEXISTS] Target mailbox already exists")
        folders = self.account.folders
        for name in [n for n in folders if n == before or n.startswith(f"{before}/")]:
            folders[after + name[len(before) :]] = folders.pop(name)
            self.account.gone.add(name)
        self.account.gone.discard(after)
        return b"", "Rename completed."

    # -------------------------------------------------------------------------------- letters

    def _opened(self) -> MailFolder:
        if self.folder is None:
            raise ImapError("No mailbox selected")
        return self.folder

    def _chosen(self, said: str, by_uid: bool) -> list[tuple[int, Any]]:
        """The letters of a set, each with its number."""
        letters = self._opened().letters
        numbered = list(enumerate(letters, 1))
        if by_uid:
            wanted = in_set(said, letters[-1].uid if letters else 0)
            return [(n, each) for n, each in numbered if each.uid in wanted]
        wanted = in_set(said, len(letters))
        if wanted and letters and max(wanted) > len(letters):
            raise ImapError("Invalid messageset")
        return [(n, each) for n, each in numbered if n in wanted]

    def do_search(self, words: list[Any], by_uid: bool, name: str = "SEARCH") -> tuple[bytes, str]:
        letters = self._opened().letters
        found = ImapSearch(words, letters).found()
        numbers = [letters[n - 1].uid if by_uid else n for n in found]
        shown = f"* {' '.join([name, *map(str, numbers)])}\r\n"
        return shown.encode(), f"{name.capitalize()} completed."

    def do_sort(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        found, told = self.do_search(words[2:], by_uid, "SORT")
        if "REVERSE" in [str(word).upper() for word in words[0]]:
            _, name, *numbers = found.split()
            found = b" ".join([b"*", name, *numbers[::-1]]) + b"\r\n"
        return found, told

    def do_thread(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        found, _ = self.do_search(words[2:], by_uid)
        numbers = b"".join(b"(%s)" % number for number in found.split()[2:])
        return b"* THREAD " + numbers + b"\r\n", "Thread completed."

    def do_fetch(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        items = words[1] if isinstance(words[1], list) else words[1:]
        items = [item.upper() for item in items]
        items = FETCH_SHORTCUTS.get(items[0], items) if len(items) == 1 else items
        if by_uid and "UID" not in items:
            items = ["UID", *items]
        answer = b""
        for number, letter in self._chosen(words[0], by_uid):
            shown = fetched(letter, items, is_writable=self.is_writable)
            answer += f"* {number} FETCH (".encode() + shown + b")\r\n"
        return answer, "Fetch completed."

    def do_store(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        how, _, silent = words[1].upper().partition(".")
        if how not in ("FLAGS", "+FLAGS", "-FLAGS"):
            raise ImapError("Invalid arguments")
        flags = words[2] if isinstance(words[2], list) else words[2:]
        flags = {f"\\{e[1:].capitalize()}" if e.startswith("\\") else e for e in flags}
        answer = ""
        for number, letter in self._chosen(words[0], by_uid) if self.is_writable else ():
            if how == "FLAGS":
                letter.flags = set(flags)
            elif how == "+FLAGS":
                letter.flags |= flags
            else:
                letter.flags -= flags
            uid = f"UID {letter.uid} " if by_uid else ""
            if not silent:
                answer += f"* {number} FETCH ({uid}FLAGS ({letter.shown_flags()}))\r\n"
        return answer.encode(), "Store completed."

    def do_expunge(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        gone = self._opened().expunge() if self.is_writable else []
        return b"".join(b"* %d EXPUNGE\r\n" % number for number in gone), "Expunge completed."

    def do_copy(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        target = self._named(words[1], "[TRYCREATE] ")
        chosen_letters = [letter for _, letter in self._chosen(words[0], by_uid)]
        copies = [
            target.add(each.content, each.flags, each.date, is_own=each.is_own)
            for each in chosen_letters
        ]
        if not copies:
            return b"", "No messages found."
        before, after = (",".join(str(e.uid) for e in each) for each in (chosen_letters, copies))
        return b"", f"[COPYUID {target.validity} {before} {after}] Copy completed."

    def do_move(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        letters = self._opened().letters
        moved = self._chosen(words[0], by_uid)
        _, told = self.do_copy(words, by_uid)
        gone = [letter for _, letter in moved]
        letters[:] = [each for each in letters if each not in gone]
        answer = b"".join(b"* %d EXPUNGE\r\n" % number for number, _ in moved[::-1])
        start = f"* OK {told.partition(']')[0]}] Moved UIDs.\r\n" if moved else ""
        return start.encode() + answer, "Move completed."

    def do_append(self, words: list[Any], by_uid: bool) -> tuple[bytes, str]:
        name, *about, content = words
        flags = next((word for word in about if isinstance(word, list)), [])
        date = next((word for word in about if isinstance(word, str)), LETTER_DATES[0])
        content = content.encode("latin-1")
        record("message", f"imap {self.address}", name, list(flags), shown_letter(content))
        folder = self._named(name, "[TRYCREATE] ")
        letter = folder.add(content, flags, date.strip())
        told = f"[APPENDUID {folder.validity} {letter.uid}] Append completed."
        is_open = folder is self.folder
        return b"* %d EXISTS\r\n" % len(folder.letters) if is_open else b"", told


TAGGED = ("AUTHENTICATE", "IDLE")
"""Commands that end with a later line."""


def _shown_name(name: str) -> str:
    return name if re.fullmatch(r"[\w./\[\]&+-]+", name) else quoted(name)


class ImapSocket(WireSocket):
    """A connection that nothing can be sent to once it is closed."""

    is_closed = False

    def sendall(self, data: Any, *_: Any) -> None:
        """What is answered waits to be read."""
        if self.is_closed:
            raise OSError(9, "Bad file descriptor")
        super().sendall(data)

    def close(self, *_: Any) -> None:
        """That was all."""
        self.is_closed = True


def answer_imap() -> None:
    """Have every server of imaplib answered."""
    forget_accounts()
    on_import("imaplib", _answer_imap)


def _answer_imap(imaplib: Any) -> None:
    def create_socket(self: Any, timeout: Any = None) -> Any:
        open_mailbox("imap")
        return ImapSocket(ImapServer(f"{self.host}:{self.port}").feed, b"* OK ready\r\n")

    def starttls(self: Any, *_: Any, **__: Any) -> Any:
        return "OK", [b"Begin TLS negotiation now."]

    for kind in (imaplib.IMAP4, getattr(imaplib, "IMAP4_SSL", imaplib.IMAP4)):
        replace(kind, "_create_socket", create_socket)
    replace(imaplib.IMAP4, "starttls", starttls)
