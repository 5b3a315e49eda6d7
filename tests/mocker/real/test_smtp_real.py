"""The same functions against a real server of SMTP with TLS and logins, and against the mock."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest
from slicefunc.mocker.world.network.mail import shown_letter

from tests.mocker.compared import mocked, real
from tests.mocker.real.servers.ftp import self_signed
from tests.mocker.real.servers.smtp_programs import PROGRAMS

pytest.importorskip("aiosmtpd")


class Handler:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802
        letter = shown_letter(envelope.content)
        self.seen.append((envelope.mail_from, envelope.rcpt_tos, letter))
        return "250 OK"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_mocked_server_of_smtp_is_like_a_real_one(name: str, tmp_path: Path):
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult

    def checked(_server, _session, _envelope, _mechanism, given):
        return AuthResult(success=given.password == b"secret", handled=False)

    source, password, by_tls = PROGRAMS[name]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    handler = Handler()
    options = {"ssl_context": context} if by_tls else {"tls_context": context}
    controller = Controller(
        handler, hostname="127.0.0.1", port=port, authenticator=checked,
        auth_require_tls=not by_tls, **options,
    )  # fmt: skip
    controller.start()
    call = f"run({port}, {password!r})"
    if "async def run" in source:
        pytest.importorskip("aiosmtplib")
        call = f"await {call}"
    try:
        there = real(source, call, tmp_path)
    finally:
        controller.stop()
    variant = "default" if password == "secret" else "login"
    here, effects = mocked(source, "run", call, tmp_path, f"choose(smtp={variant!r})")
    assert here == there
    assert [effect[2:] for effect in effects] == handler.seen
