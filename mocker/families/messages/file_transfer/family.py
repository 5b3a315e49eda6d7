"""ftplib, paramiko and telnetlib stay real: the machines that they reach stand in the process."""

from __future__ import annotations

from ....answers.services.service_answers import output_texts, texts_at
from ....contacts import Border, Contact, Example, Family, Mock, Treated

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
    """Anything of these modules."""
    return border.named(*_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Commands are noted and answered; files hold a little text, or what was written before."""
    used = [module for module in _MODULES if any(c.name.startswith(module) for c in contacts)]
    found = texts_at(border, _PLACES)
    outputs = output_texts(border, found)
    why = "the machine that it reaches stands in the process"
    return Mock(
        treated=tuple(Treated(module, "faked", why) for module in used),
        setup="".join(_SETUPS[module].format(outputs=repr(outputs)) for module in used),
        pieces=tuple(_PIECES[module] for module in used),
        answers=found.listed(outputs["default"]),
    )


_CHOOSE = "__import__('slice_func_mocks').choose"

EXAMPLES: tuple[Example, ...] = (
    Example(
        title="commands on another machine",
        source="""\
import paramiko


class Remote:
    def __init__(self, host, user, key):
        self.client = paramiko.SSHClient()
        self.client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        self.client.connect(hostname=host, username=user, key_filename=key, timeout=10)

    def run(self, command):
        stdin, stdout, stderr = self.client.exec_command(command)
        status = stdout.channel.recv_exit_status()
        lines = [line.strip() for line in stdout]
        return status, lines, stderr.read()


def restart(host, service):
    try:
        remote = Remote(host, "admin", "~/.ssh/id")
    except paramiko.AuthenticationException as error:
        return str(error)
    except (paramiko.SSHException, OSError) as error:
        return type(error).__name__
    found = remote.run(f"sudo systemctl restart {service}")
    remote.client.close()
    return found
""",
        target="restart",
        call=(
            f"[restart('h.example', 'web'), {_CHOOSE}(ssh='login'), restart('h.example', 'web'),"
            f" {_CHOOSE}(ssh='connection'), restart('h.example', 'web'),"
            f" {_CHOOSE}(ssh='5'), restart('h.example', 'web')]"
        ),
        gives=(
            "[(0, ['done'], b''), None, 'Authentication failed.', None, 'NoValidConnectionsError', "
            "None, (5, [], b'sudo: failed\\n')]"
        ),
        effects=(
            "request ssh://admin@h.example",
            "command ssh admin@h.example",
            "request ssh://admin@h.example",
            "request ssh://admin@h.example",
            "request ssh://admin@h.example",
            "command ssh admin@h.example",
        ),
    ),
    Example(
        title="files by SFTP",
        source="""\
import os
import tempfile

import paramiko


def copy(host, folder, name):
    transport = paramiko.Transport((host, 2222))
    transport.connect(username="u", password="p")
    sftp = paramiko.SFTPClient.from_transport(transport)
    local = os.path.join(tempfile.mkdtemp(), name)
    sftp.get(f"{folder}/{name}", local)
    with open(local, "rb") as file:
        content = file.read()
    sftp.put(local, f"{folder}/copy-{name}")
    with sftp.open(f"{folder}/log.txt", "w") as log:
        log.write("copied")
    names = sftp.listdir(folder)
    size = sftp.stat(f"{folder}/log.txt").st_size
    sftp.close()
    transport.close()
    return content, names, size, isinstance(sftp, paramiko.SFTPClient)
""",
        target="copy",
        call="copy('s.example', '/data', 'a.csv')",
        gives=(
            "(b'id,name\\r\\n1,first\\r\\n', ['copy-a.csv', 'file.txt', 'log.txt', 'table.csv'], 6, True)"
        ),
        effects=(
            "request ssh://s.example:2222",
            "read ssh://s.example:2222/data/a.csv",
            "write ssh://s.example:2222/data/copy-a.csv",
            "write ssh://s.example:2222/data/log.txt",
            "read ssh://s.example:2222/data",
        ),
    ),
    Example(
        title="files by FTP",
        source="""\
import io
from ftplib import FTP, error_perm


def sync(host, folder):
    with FTP(host) as ftp:
        ftp.login("user", "secret")
        ftp.cwd(folder)
        names = ftp.nlst()
        found = io.BytesIO()
        ftp.retrbinary("RETR " + names[0], found.write)
        lines = []
        ftp.retrlines("LIST", lines.append)
        ftp.storbinary("STOR new.bin", io.BytesIO(b"new"))
        try:
            ftp.mkd("sub")
            ftp.delete(names[1])
        except error_perm as error:
            lines.append(str(error))
        return names, found.getvalue(), len(lines), ftp.size("new.bin"), ftp.pwd()
""",
        target="sync",
        call="(sync('ftp.example', '/pub'), _effects[-3][1:])",
        gives=(
            "((['file.txt', 'table.csv'], b'id,name\\r\\n1,first\\r\\n', 2, 3, '/pub'), "
            "('ftp://ftp.example/pub/new.bin', 'new'))"
        ),
        effects=(
            "request ftp://ftp.example",
            "read ftp://ftp.example/pub",
            "read ftp://ftp.example/pub/file.txt",
            "read ftp://ftp.example/pub",
            "write ftp://ftp.example/pub/new.bin",
            "command ftp ftp.example",
            "command ftp ftp.example",
        ),
    ),
    Example(
        title="uploads by FTP with TLS",
        source="""\
import ftplib
import io
import os


class Uploader:
    def __init__(self, host, user, password):
        self.ftp = ftplib.FTP_TLS()
        self.ftp.connect(host, 990, timeout=10)
        self.ftp.login(user, password)
        self.ftp.prot_p()

    def upload(self, name, text):
        self.ftp.storlines(f"STOR {name}", io.BytesIO(text.encode()))
        return self.ftp.quit()


def publish(text):
    try:
        return Uploader("up.example", "u", "p").upload("page.html", text)
    except ftplib.all_errors as error:
        return type(error).__name__
""",
        target="publish",
        call=(
            f"[publish('a\\nb\\n'), {_CHOOSE}(ftp='login'), publish('a'),"
            f" {_CHOOSE}(ftp='timeout'), publish('a')]"
        ),
        gives="['221 Goodbye.', None, 'error_perm', None, 'TimeoutError']",
        effects=(
            "request ftp://up.example:990",
            "write ftp://up.example:990/page.html",
            "request ftp://up.example:990",
            "request ftp://up.example:990",
        ),
    ),
    Example(
        title="a switch that speaks Telnet",
        source="""\
import telnetlib


def reboot(host, password):
    tn = telnetlib.Telnet(host, 23, timeout=5)
    tn.read_until(b"Password: ")
    tn.write(password.encode("ascii") + b"\\n")
    tn.write(b"reboot\\n")
    tn.write(b"exit\\n")
    return tn.read_all().decode("ascii").splitlines()
""",
        target="reboot",
        call="len(reboot('switch.example', 'p')) % 3",
        gives="0",
        effects=(
            "request telnet://switch.example:23",
            "message telnet://switch.example:23",
            "message telnet://switch.example:23",
            "message telnet://switch.example:23",
        ),
        needs=("telnetlib",),
    ),
    Example(
        title="a shell on another machine",
        source="""\
import paramiko


def configure(host, lines):
    with paramiko.SSHClient() as ssh:
        ssh.load_system_host_keys()
        ssh.connect(host, port=22, username="u", password="p")
        shell = ssh.invoke_shell()
        out = b""
        for line in lines:
            shell.send(line + "\\n")
            while shell.recv_ready():
                out += shell.recv(1024)
        return out.decode()
""",
        target="configure",
        call="configure('r.example', ['conf t', 'hostname'])",
        gives="'done\\nhost\\n'",
        effects=(
            "request ssh://u@r.example",
            "message ssh u@r.example",
            "message ssh u@r.example",
        ),
    ),
)

FAMILY = Family("file transfer", applies, stub, EXAMPLES)
