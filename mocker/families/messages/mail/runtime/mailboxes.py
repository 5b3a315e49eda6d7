"""Mailboxes of servers that stand in the process: two letters in each that nobody has touched."""

from __future__ import annotations

from typing import Any

from .....world.core.world import chosen, restart_with

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
LETTER_DATES = ("01-Jan-2026 00:00:00 +0000", "02-Jan-2026 00:00:00 +0000")
FLAG_ORDER = ("\\Answered", "\\Flagged", "\\Deleted", "\\Seen", "\\Draft")
_accounts: dict[tuple[str, str], Any] = {}


class Letter:
    """A message in a folder."""

    def __init__(self, content: bytes, uid: int, flags: Any, date: str, is_own: bool) -> None:
        self.content = content
        self.uid = uid
        self.flags = set(flags)
        self.date = date
        self.is_own = is_own

    def shown_flags(self) -> str:
        """The flags in the order in which servers tell them."""
        known = [flag for flag in FLAG_ORDER if flag in self.flags]
        return " ".join([*known, *sorted(self.flags.difference(FLAG_ORDER))])


class MailFolder:
    """Letters, each with a number that stays."""

    def __init__(self, validity: int, contents: Any = ()) -> None:
        self.validity = validity
        self.next = 1
        self.letters: list[Letter] = []
        for content, date in zip(contents, LETTER_DATES, strict=False):
            self.add(content, (), date, is_own=False)

    def add(self, content: bytes, flags: Any, date: str, *, is_own: bool = True) -> Letter:
        """One letter more."""
        letter = Letter(content, self.next, flags, date, is_own)
        self.next += 1
        self.letters.append(letter)
        return letter

    def expunge(self) -> list[int]:
        """Take out what is marked: the numbers, from behind."""
        gone = [n for n, each in enumerate(self.letters, 1) if "\\Deleted" in each.flags]
        self.letters[:] = [each for each in self.letters if "\\Deleted" not in each.flags]
        return gone[::-1]


class Account:
    """The folders of a server: any that the slice names is there, unless it has removed it."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.count = 0
        variants = {"default": LETTERS, "empty": (), "missing": LETTERS, "login": LETTERS}
        self.contents = chosen(place, variants)
        self.folders: dict[str, MailFolder] = {}
        self.gone: set[str] = set()
        self.subscribed: list[str] = []
        self.make("INBOX", self.contents)

    def make(self, name: str, contents: Any = ()) -> MailFolder:
        """A new folder."""
        self.count += 1
        self.gone.discard(name)
        self.folders[name] = MailFolder(self.count, contents)
        return self.folders[name]

    def folder(self, name: str) -> MailFolder | None:
        """A folder, if it is there."""
        name = "INBOX" if name.upper() == "INBOX" else name
        if name in self.folders:
            return self.folders[name]
        is_missing = chosen(self.place, {"default": False, "missing": True})
        return None if is_missing or name in self.gone else self.make(name, self.contents)


def account_of(place: str, address: str) -> Account:
    """The account at an address, as earlier connections have left it."""
    if (place, address) not in _accounts:
        _accounts[place, address] = Account(place)
    return _accounts[place, address]


def forget_accounts() -> None:
    """Have mailboxes begin anew with each restart."""
    restart_with(_accounts.clear)
