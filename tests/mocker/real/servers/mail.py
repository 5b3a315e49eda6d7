"""A real server for IMAP and POP3: Dovecot on ports of its own, for whoever runs the test."""

from __future__ import annotations

import contextlib
import getpass
import grp
import imaplib
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from slicefunc.mocker.families.messages.mail.runtime.mailboxes import LETTERS

FIRST_OF_2026 = 1767225600
SETTINGS = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
listen = 127.0.0.1
protocols = imap pop3
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
auth_mechanisms = plain login
login_greeting = ready
login_trusted_networks = 127.0.0.1
pop3_uidl_format = id%u
mail_location = maildir:{folder}/mail/%u
mail_fsync = never
rawlog_dir = {folder}/raw
first_valid_uid = {uid}
default_internal_user = {internal}
default_internal_group = {internal_group}
default_login_user = {login}
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service pop3-login {{
  chroot =
  inet_listener pop3 {{
    port = {pop}
  }}
  inet_listener pop3s {{
    port = 0
  }}
}}
service anvil {{
  chroot =
  # who was refused need not wait
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where a server is, and what it has been told."""

    imap: int
    pop: int
    folder: Path

    def seed(self, user: str) -> None:
        """Put the letters of mocked mailboxes into that of a user."""
        with imaplib.IMAP4("127.0.0.1", self.imap) as box:
            box.login(user, "secret")
            for number, letter in enumerate(LETTERS):
                date = imaplib.Time2Internaldate(FIRST_OF_2026 + number * 86400)
                assert box.append("INBOX", "", date, letter)[0] == "OK"
            box.select()  # they are recent no more
        self.told()

    def told(self) -> list[str]:
        """The commands that clients have sent since the last time, once they have logged in."""
        lines: list[str] = []
        files = [*(self.folder / "raw").rglob("*.in")]
        for path in sorted(files, key=lambda path: path.read_bytes().partition(b" ")[0]):
            for line in path.read_bytes().decode("utf-8", "replace").splitlines():
                command = line.partition(" ")[2]
                tagged = re.fullmatch(r"[A-P]{4}\d+ (.*)", command)
                if tagged or re.match(r"(RETR|TOP|DELE) \d", command):
                    lines.append(tagged[1] if tagged else command)
            path.unlink()
        return lines


def dovecot() -> str | None:
    """The server's program, which is not on everybody's path."""
    return shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def why_not() -> str:
    """What keeps the server from serving here; mostly nothing."""
    program = dovecot()
    if program is None:
        return "Dovecot is not installed (Debian's packages dovecot-imapd and dovecot-pop3d)"
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    is_known = told.stdout.startswith("2.3.")
    return "" if is_known else f"the settings are for Dovecot 2.3, not {told.stdout.split()[0]}"


@contextlib.contextmanager
def mail_server() -> Iterator[MailServer]:
    """A server that knows every user by the password `secret`; mailboxes are empty at first."""
    program = dovecot()
    assert program
    own = pwd.getpwnam("nobody" if os.geteuid() == 0 else getpass.getuser())
    group = grp.getgrgid(own.pw_gid).gr_name
    # sockets have short names
    with tempfile.TemporaryDirectory(prefix="mail") as name, contextlib.ExitStack() as free:
        folder = Path(name)
        for part in ("mail", "raw", "state", "run"):
            (folder / part).mkdir()
        for part in (".", "mail", "raw"):
            shutil.chown(folder / part, own.pw_uid, own.pw_gid)
        sockets = [free.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        imap, pop = (each.getsockname()[1] for each in sockets)
        free.close()
        user, login = ("dovecot", "dovenull") if os.geteuid() == 0 else (own.pw_name, own.pw_name)
        settings = folder / "settings"
        names = {"internal": user, "login": login, "internal_group": group}
        if os.geteuid() == 0:
            names["internal_group"] = "dovecot"
        settings.write_text(
            SETTINGS.format(
                folder=folder, uid=own.pw_uid, gid=own.pw_gid, imap=imap, pop=pop, **names
            )
        )
        process = subprocess.Popen(
            [program, "-F", "-c", str(settings)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=(folder / "said").open("wb"),
        )  # fmt: skip
        try:
            for port in (imap, pop):
                _wait(port, process, folder)
            yield MailServer(imap, pop, folder)
        finally:
            process.terminate()
            process.wait(20)


def _wait(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + 20
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as peer:
            if peer.recv(3):
                return
        assert process.poll() is None, (folder / "said").read_text()
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.05)
