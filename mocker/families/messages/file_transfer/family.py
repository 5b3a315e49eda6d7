"""ftplib, paramiko and telnetlib stay real: the remote machines are simulated in the process."""

from __future__ import annotations

from ....answers.services.service_answers import output_texts, texts_at
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_MODULES = ("ftplib", "paramiko", "telnetlib")
_PIECES = {"ftplib": "ftp", "paramiko": "ssh", "telnetlib": "telnet"}
_SETUPS = {
    "ftplib": "answer_ftp()\n",
    "paramiko": "answer_ssh({outputs})\n",
    "telnetlib": "answer_telnet({outputs})\n",
}
_PLACES = (
    "paramiko.SSHClient().exec_command()[1].read()",
    "paramiko.client.SSHClient().exec_command()[1].read()",
    "telnetlib.Telnet().read_all()",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with these modules."""
    return border.named(*_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Commands are noted and answered; files hold a little text, or what was written before."""
    used = [module for module in _MODULES if any(c.name.startswith(module) for c in contacts)]
    found = texts_at(border, _PLACES)
    outputs = output_texts(border, found)
    why = "the machine that it reaches stands in the process"
    return Mock(
        treated=tuple(ModuleTreatment(module, "faked", why) for module in used),
        setup="".join(_SETUPS[module].format(outputs=repr(outputs)) for module in used),
        pieces=tuple(_PIECES[module] for module in used),
        answers=found.listed(outputs["default"]),
    )


FAMILY = Family("file transfer", stub, applies)
