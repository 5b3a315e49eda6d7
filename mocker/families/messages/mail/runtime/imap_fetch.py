"""What IMAP fetches of a letter: its parts, its envelope and how it is built."""

from __future__ import annotations

import re
from typing import Any

from .imap_search import ImapError

FETCH_SHORTCUTS = {
    "FAST": ["FLAGS", "INTERNALDATE", "RFC822.SIZE"],
    "ALL": ["FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE"],
    "FULL": ["FLAGS", "INTERNALDATE", "RFC822.SIZE", "ENVELOPE", "BODY"],
}
RFC822_SECTIONS = {"RFC822": "", "RFC822.HEADER": "HEADER", "RFC822.TEXT": "TEXT"}


def fetched(letter: Any, items: list[str], *, is_writable: bool) -> bytes:
    """The items of a letter, as they stand between the parentheses of an answer."""
    reading = [item for item in items if _reads(item)]
    is_new = bool(reading) and is_writable and "\\Seen" not in letter.flags
    if is_new:
        letter.flags.add("\\Seen")
        if "FLAGS" not in items:
            items = [*(["UID"] if items[0] == "UID" else []), "FLAGS",
                     *(items[1:] if items[0] == "UID" else items)]  # fmt: skip
    return b" ".join(_item(letter, item) for item in items)


def _reads(item: str) -> bool:
    """Whether who fetches it has seen the letter."""
    return item in ("RFC822", "RFC822.TEXT") or item.startswith("BODY[")


def _item(letter: Any, item: str) -> bytes:
    found = re.fullmatch(r"BODY(?:\.PEEK)?\[(.*?)\](?:<(\d+)(?:\.(\d+))?>)?", item, re.DOTALL)
    if found or item in RFC822_SECTIONS:
        section = found[1] if found else RFC822_SECTIONS[item]
        content = section_of(letter.content, section)
        name = f"BODY[{section}]" if found else item
        if found and found[2]:
            start = int(found[2])
            content = content[start : start + int(found[3] or len(content))]
            name += f"<{start}>"
        return f"{name} {{{len(content)}}}\r\n".encode() + content
    match item:
        case "UID":
            value = str(letter.uid)
        case "FLAGS":
            value = f"({letter.shown_flags()})"
        case "INTERNALDATE":
            value = f'"{letter.date}"'
        case "RFC822.SIZE":
            value = str(len(letter.content))
        case "ENVELOPE":
            value = _envelope(letter.content)
        case "BODY" | "BODYSTRUCTURE":
            value = _structure(letter.content, is_long=item == "BODYSTRUCTURE")
        case _:
            raise ImapError(f"Unknown parameter: {item}")
    return f"{item} {value}".encode()


def section_of(content: bytes, section: str) -> bytes:
    """A part of a letter: `HEADER`, `TEXT`, `1.2`, `1.MIME`, `HEADER.FIELDS (SUBJECT)`."""
    number, _, rest = section.partition(".")
    if number.isdigit():
        parts = _parts(content)
        if parts and int(number) <= len(parts):
            inner = parts[int(number) - 1]
            if rest == "MIME":
                return inner.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            return section_of(inner, rest or "TEXT")
        return section_of(content, "TEXT") if number == "1" and not parts else b""
    head, gap, body = content.partition(b"\r\n\r\n")
    kind, _, names = section.partition(" ")
    if kind.startswith("HEADER.FIELDS"):
        wanted = names.strip("()").replace('"', "").lower().split()
        lines = re.findall(rb"[^\r\n]+(?:\r\n[ \t][^\r\n]*)*", head)
        named = [(line.partition(b":")[0].decode().lower() in wanted, line) for line in lines]
        kept = [line for is_wanted, line in named if is_wanted != kind.endswith("NOT")]
        return b"".join(line + b"\r\n" for line in kept) + b"\r\n"
    return {"": content, "HEADER": head + gap, "TEXT": body}.get(kind, b"")


def _parts(content: bytes) -> list[bytes]:
    """The parts of a letter that has several, as they stand."""
    import email

    head, _, body = content.partition(b"\r\n\r\n")
    boundary = email.message_from_bytes(head + b"\r\n\r\n").get_boundary()
    if not boundary:
        return []
    mark = re.escape(boundary.encode())
    found = re.split(rb"(?:^|\r\n)--" + mark + rb"(?:[ \t]*\r\n|--[\s\S]*\Z)", body)
    return found[1:-1] if len(found) > 2 else found[1:]


def quoted(value: Any) -> str:
    """A string of the protocol."""
    if value is None:
        return "NIL"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _envelope(content: bytes) -> str:
    import email
    import email.utils

    letter = email.message_from_bytes(content)

    def people(*names: str) -> str:
        for name in names:
            found = email.utils.getaddresses(letter.get_all(name, []))
            if found:
                return "(" + "".join(_person(*each) for each in found) + ")"
        return "NIL"

    return "({} {} {} {} {} {} {} {} {} {})".format(
        quoted(letter["date"]), quoted(letter["subject"]), people("from"),
        people("sender", "from"), people("reply-to", "from"), people("to"), people("cc"),
        people("bcc"), quoted(letter["in-reply-to"]), quoted(letter["message-id"]),
    )  # fmt: skip


def _person(name: str, address: str) -> str:
    user, _, host = address.partition("@")
    return f"({quoted(name or None)} NIL {quoted(user)} {quoted(host)})"


def _structure(content: bytes, *, is_long: bool) -> str:
    import email

    head, _, body = content.partition(b"\r\n\r\n")
    letter = email.message_from_bytes(head + b"\r\n\r\n")
    parts = _parts(content)
    words = dict(letter.get_params([])[1:])
    kind, sub = letter.get_content_maintype(), letter.get_content_subtype()
    if parts:
        inner = "".join(_structure(part, is_long=is_long) for part in parts)
        more = f" {_pairs(words)} NIL NIL NIL" if is_long else ""
        return f"({inner} {quoted(sub)}{more})"
    if kind == "text":
        words.setdefault("charset", "us-ascii")
    encoding = (letter["content-transfer-encoding"] or "7bit").lower()
    lines = f" {body.count(bytes([10]))}" if kind == "text" else ""
    disposition = "NIL"
    if letter["content-disposition"]:
        params = dict(letter.get_params([], "content-disposition")[1:])
        disposition = f"({quoted(letter.get_content_disposition())} {_pairs(params)})"
    more = f" NIL {disposition} NIL NIL" if is_long else ""
    return (
        f"({quoted(kind)} {quoted(sub)} {_pairs(words)} {quoted(letter['content-id'])} NIL"
        f" {quoted(encoding)} {len(body)}{lines}{more})"
    )


def _pairs(words: dict[str, str]) -> str:
    inner = " ".join(f"{quoted(name)} {quoted(value)}" for name, value in words.items())
    return f"({inner})" if inner else "NIL"
