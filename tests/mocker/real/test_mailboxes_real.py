"""The same functions against a real server of IMAP and POP3 and against mocks of such."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mocker.compared import mocked, real
from tests.mocker.real.servers.mail import MailServer, mail_server, why_not
from tests.mocker.real.servers.mail_programs import IMAP, POP

SILENT = {"LOGIN", "AUTHENTICATE", "LOGOUT", "CAPABILITY", "NOOP", "CHECK"}
"""Commands that have no effect."""


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    if reason := why_not():
        pytest.skip(reason)
    with mail_server() as served:
        yield served


def steady(value: object) -> object:
    """What a real server tells without how long it took, and the flag that only some still have."""
    text = re.sub(r" \([\d.]+(?: \+ [\d.]+)* secs\)", "", repr(value))
    return ast.literal_eval(re.sub(r" ?\\\\Recent", "", text))


def commands(effects: list[tuple]) -> list[str]:
    """What a log tells of commands to a mailbox."""
    return [f"APPEND {e[2]}" if e[0] == "message" else e[2] for e in effects]


@pytest.mark.parametrize("name", IMAP)
def test_a_mocked_server_of_imap_is_like_a_real_one(name: str, server: MailServer, tmp_path: Path):
    source, variant, password = IMAP[name]
    server.seed(name)
    call = f"main({server.imap}, {name!r}, {password!r})"
    there = steady(real(source, call, tmp_path))
    here, effects = mocked(source, "main", call, tmp_path, f"choose(imap={variant!r})")
    assert here == there
    told = [re.sub(r'^(APPEND (?:"[^"]*"|\S+)).*', r"\1", line) for line in server.told()]
    told = [line.replace('"', "") if line.startswith("APPEND") else line for line in told]
    assert commands(effects) == [line for line in told if line.split()[0] not in SILENT]


@pytest.mark.parametrize("name", POP)
def test_a_mocked_server_of_pop_is_like_a_real_one(name: str, server: MailServer, tmp_path: Path):
    source, variant, password = POP[name]
    server.seed(f"pop-{name}")
    call = f"run({server.pop}, 'pop-{name}', {password!r})"
    there = real(source, call, tmp_path)
    here, effects = mocked(source, "run", call, tmp_path, f"choose(pop={variant!r})")
    assert here == there
    # what is refused has no effect
    told = (
        [] if name == "errors" else [re.sub(r"^TOP (\d+) .*", r"TOP \1", e) for e in server.told()]
    )
    assert name == "errors" or commands(effects) == told
