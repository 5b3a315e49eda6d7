"""smtplib, imaplib, poplib and aiosmtplib stay real: their servers run in the process."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_MODULES = ("smtplib", "imaplib", "poplib", "aiosmtplib")
_ABOVE = ("flask_mail", "flask_mailman", "yagmail", "redmail", "envelopes", "imap_tools")
"""Libraries that send and receive through these modules."""
_PIECES = {
    "imaplib": "imap",
    "imap_tools": "imap",
    "poplib": "pop",
    "aiosmtplib": "asyncio_mail",
}
_HANDLER = "logging.handlers.SMTPHandler"


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with these modules, and with libraries above them."""
    return (*border.named(*_MODULES, _HANDLER), *border.touching(*_ABOVE))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Every message is accepted and noted; mailboxes start with the same two messages."""
    tops = {contact.name.partition(".")[0] for contact in contacts}
    used = [module for module in (*_MODULES, *_ABOVE) if module in tops]
    used += ["logging.handlers"] if "logging" in tops else []
    why = "it talks to a server in the process, which notes what it is given"
    pieces = list(dict.fromkeys(_PIECES.get(module, "mail") for module in used))
    return Mock(
        treated=tuple(ModuleTreatment(module, "faked", why) for module in used),
        setup="".join(f"answer_{piece}()\n" for piece in pieces),
        pieces=tuple(pieces),
    )


FAMILY = Family("mail", stub, applies)
