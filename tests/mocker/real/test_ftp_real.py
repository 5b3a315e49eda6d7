"""The same functions against a real server of FTP and against the mock of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mocker.compared import mocked, real
from tests.mocker.real.servers.files import held, replayed, seed
from tests.mocker.real.servers.ftp import ftp_server, self_signed
from tests.mocker.real.servers.ftp_programs import PROGRAMS

pytest.importorskip("pyftpdlib")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_mocked_server_of_ftp_is_like_a_real_one(name: str, tmp_path: Path):
    source, folders, (password, variant) = PROGRAMS[name]
    top = tmp_path / "top"
    top.mkdir()
    seed(*(top / folder for folder in folders))
    if name == "backup":
        (top / "kept").mkdir()
    before = held(top)
    certificate = self_signed(tmp_path) if name.startswith("tls") else None
    with ftp_server(top, certificate) as port:
        call = f"run({port}, {password!r})"
        there = real(source, call, tmp_path)
    here, effects = mocked(source, "run", call, tmp_path, f"choose(ftp={variant!r})")
    assert here == there
    assert replayed(effects, before) == held(top)
