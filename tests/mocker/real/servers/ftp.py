"""A real server for FTP, with and without TLS: pyftpdlib in a thread of the test."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def ftp_server(top: Path, certificate: Path | None = None) -> Iterator[int]:
    """A server whose user `user` with the password `secret` owns a folder: its port."""
    from pyftpdlib.authorizers import DummyAuthorizer
    from pyftpdlib.filesystems import AbstractedFS
    from pyftpdlib.handlers import FTPHandler
    from pyftpdlib.servers import FTPServer

    class Files(AbstractedFS):
        def get_user_by_uid(self, uid: int) -> str:
            return "user"

        def get_group_by_gid(self, gid: int) -> str:
            return "group"

    kind = FTPHandler
    if certificate:
        from pyftpdlib.handlers import TLS_FTPHandler as kind
    authorizer = DummyAuthorizer()
    authorizer.add_user("user", "secret", str(top), perm="elradfmwMT")
    more = {"certfile": str(certificate), "tls_control_required": True} if certificate else {}
    handler = type(
        "Handler",
        (kind,),
        {"authorizer": authorizer, "banner": "Ready", "auth_failed_timeout": 0.01,
         "abstracted_fs": Files, **more},
    )  # fmt: skip
    logging.getLogger("pyftpdlib").setLevel(logging.CRITICAL)
    server = FTPServer(("127.0.0.1", 0), handler)
    stopping = threading.Event()

    def serve() -> None:
        while not stopping.is_set():
            server.serve_forever(timeout=0.02, blocking=False)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield server.address[1]
    finally:
        stopping.set()
        thread.join(10)
        server.close_all()


def self_signed(folder: Path) -> Path:
    """A certificate that is signed with its own key, both in one file."""
    import datetime as dt

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path
