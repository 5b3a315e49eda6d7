"""The same functions against a real server of SSH and against the mock of one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mocker.compared import mocked, real
from tests.mocker.real.servers.files import held, replayed, seed
from tests.mocker.real.servers.ssh import SshServer, ssh_server, sshd
from tests.mocker.real.servers.ssh_programs import PROGRAMS
from tests.nightly import one_in

pytest.importorskip("paramiko")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SshServer, Path]]:
    """A server, and the folder of its files."""
    if sshd() is None:
        pytest.skip("OpenSSH's server is not installed (Debian's package openssh-server)")
    top = tmp_path_factory.mktemp("top")
    with ssh_server(tmp_path_factory.mktemp("ssh"), top) as server:
        yield server, top


@pytest.mark.parametrize("name", one_in(2, PROGRAMS))
def test_a_mocked_machine_is_like_a_real_one(
    name: str, served: tuple[SshServer, Path], tmp_path: Path
):
    source, is_seeded, chosen = PROGRAMS[name]
    server, top = served
    for each in top.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    if is_seeded:
        seed(top)
    before = held(top)
    earlier = len(server.commands())
    call = f"run({server.port}, {server.user!r}, {str(server.key)!r})"
    there = real(source, call, tmp_path)
    here, effects = mocked(source, "run", call, tmp_path, f"choose(**{chosen!r})")
    assert here == there
    commands = [e[2] for e in effects if e[0] == "command" and name in ("commands", "channels")]
    assert commands == server.commands()[earlier:]
    assert replayed([e for e in effects if e[2:] and e[2] not in commands], before) == held(top)
