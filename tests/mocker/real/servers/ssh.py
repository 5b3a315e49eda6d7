"""A real server for SSH: OpenSSH on a port of its own, for whoever runs the test."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SFTP_SERVER = Path("/usr/lib/openssh/sftp-server")
# each command is written down, and answered as mocks answer: by its first word
ANSWERS = """\
#!/bin/sh
case "$SSH_ORIGINAL_COMMAND" in
*sftp-server) exec {sftp} -d {top} ;;
esac
printf '%s\\n' "$SSH_ORIGINAL_COMMAND" >>{log}
case "$SSH_ORIGINAL_COMMAND" in
false*) echo "false: failed" >&2; exit 3 ;;
absent*) echo "absent: command not found" >&2; exit 127 ;;
echo*) eval "$SSH_ORIGINAL_COMMAND" ;;
*) echo done ;;
esac
"""
SETTINGS = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/client.pub
StrictModes no
UsePAM no
PasswordAuthentication yes
KbdInteractiveAuthentication no
PermitRootLogin yes
Subsystem sftp {sftp}
ForceCommand {folder}/answers
"""


@dataclass(frozen=True, slots=True)
class SshServer:
    """Where a server is, and what it has been told."""

    port: int
    user: str
    key: Path
    log: Path

    def commands(self) -> list[str]:
        """The commands so far."""
        return self.log.read_text().splitlines() if self.log.exists() else []


def sshd() -> str | None:
    """The server's program, which is not on everybody's path."""
    found = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    return found if SFTP_SERVER.exists() and shutil.which("ssh-keygen") else None


@contextlib.contextmanager
def ssh_server(folder: Path, top: Path) -> Iterator[SshServer]:
    """A server that keeps its things in one folder, and serves the files of another."""
    program = sshd()
    assert program
    for name in ("host", "client"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True
        )
    answers = folder / "answers"
    log = folder / "commands"
    answers.write_text(ANSWERS.format(sftp=SFTP_SERVER, top=top, log=log))
    answers.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = folder / "settings"
    settings.write_text(SETTINGS.format(port=port, folder=folder, sftp=SFTP_SERVER))
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where it locks up its unprivileged half
    process = subprocess.Popen(
        [program, "-D", "-e", "-f", str(settings)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=(folder / "told").open("wb"),
    )  # fmt: skip
    try:
        _wait(port, process, folder / "told")
        yield SshServer(port, getpass.getuser(), folder / "client", log)
    finally:
        process.terminate()
        process.wait(20)


def _wait(port: int, process: subprocess.Popen[bytes], told: Path) -> None:
    deadline = time.monotonic() + 20
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as peer:
            if peer.recv(4):
                return
        assert process.poll() is None, told.read_text()
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.05)
