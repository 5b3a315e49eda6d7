"""Programs for SSH and SFTP, each with a function `run(port, user, key)`."""

from __future__ import annotations

COMMANDS = """\
import paramiko


class Host:
    def __init__(self, port, user, key):
        self.client = paramiko.SSHClient()
        self.client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        self.client.connect("127.0.0.1", port=port, username=user, key_filename=key, timeout=10)

    def run(self, command):
        stdin, stdout, stderr = self.client.exec_command(command)
        status = stdout.channel.recv_exit_status()
        return status, stdout.read().decode(), [line.strip() for line in stderr]

    def check(self, command):
        status, out, err = self.run(command)
        if status != 0:
            raise RuntimeError(f"{command} -> {status}: {' '.join(err)}")
        return out.strip()


def run(port, user, key):
    host = Host(port, user, key)
    log = [host.run("uptime -p"), host.run("echo one 'two three'"), host.run("false now")]
    log += [host.run("absent --all"), host.check("systemctl restart web")]
    try:
        host.check("false again")
    except RuntimeError as error:
        log.append(str(error))
    host.client.close()
    try:
        host.run("uptime")
    except (paramiko.SSHException, AttributeError) as error:
        log.append((type(error).__name__, str(error)))
    return log
"""

CHANNELS = """\
import paramiko


def run(port, user, key):
    with paramiko.SSHClient() as client:
        client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        client.connect("127.0.0.1", port, user, key_filename=key)
        channel = client.get_transport().open_session()
        channel.exec_command("echo first; echo -n 'se;cond' && echo third")
        status = channel.recv_exit_status()
        log = [status, channel.recv(5), channel.makefile("rb").read(), channel.recv(100)]
        log.append(channel.exit_status_ready())
        _, out, err = client.exec_command("false x", get_pty=True)
        log += [out.channel.recv_exit_status(), out.read(), err.read()]
        _, out, err = client.exec_command("uptime", get_pty=True, timeout=5)
        log += [out.readlines(), err.readlines(), out.channel.recv_exit_status()]
        channel = client.get_transport().open_session()
        channel.set_combine_stderr(True)
        channel.exec_command("false y")
        log += [channel.recv_exit_status(), channel.makefile("rb").read(), channel.recv_stderr(9)]
        stdin, out, err = client.exec_command("tee x")
        stdin.write("line\\n")
        stdin.flush()
        stdin.close()
        log += [out.readline(), out.readline(), list(err), client.get_transport().is_active()]
        transport = client.get_transport()
    log.append(transport.is_active())
    try:
        transport.open_session()
    except paramiko.SSHException as error:
        log.append(str(error))
    return log
"""

DENIED = """\
import paramiko


def attempt(port, user, **how):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    try:
        client.connect("127.0.0.1", port, user, allow_agent=False, look_for_keys=False, **how)
    except paramiko.AuthenticationException as error:
        return "denied", type(error).__name__, str(error)
    except (paramiko.SSHException, OSError) as error:
        return "failed", type(error).__name__
    finally:
        client.close()
    return "connected", client.get_transport()


def by_transport(port, user):
    transport = paramiko.Transport(("127.0.0.1", port))
    try:
        transport.connect(username=user, password="wrong")
        return "connected"
    except paramiko.AuthenticationException as error:
        return str(error), transport.is_authenticated()
    finally:
        transport.close()


def run(port, user, key):
    return attempt(port, user, password="wrong"), by_transport(port, user)
"""

NOBODY = """\
import paramiko


def run(port, user, key):
    log = []
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    try:
        client.connect("127.0.0.1", 1, user, key_filename=key)
    except paramiko.ssh_exception.NoValidConnectionsError as error:
        log.append((str(error), error.errno, isinstance(error, OSError), sorted(error.errors)))
    try:
        paramiko.Transport(("127.0.0.1", 1))
    except paramiko.SSHException as error:
        log.append(str(error))
    return log
"""

TRANSFER = """\
import os
import tempfile

import paramiko


def deploy(sftp, files, folder):
    try:
        sftp.stat(folder)
    except FileNotFoundError:
        sftp.mkdir(folder, 0o755)
    with tempfile.TemporaryDirectory() as local:
        for name, content in files.items():
            path = os.path.join(local, name)
            with open(path, "wb") as file:
                file.write(content)
            seen = []
            put = sftp.put(path, f"{folder}/{name}", callback=lambda *how_far: seen.append(how_far))
            yield name, put.st_size, seen[-1]
            sftp.get(f"{folder}/{name}", path + ".back")
            with open(path + ".back", "rb") as file:
                yield file.read() == content


def run(port, user, key):
    transport = paramiko.Transport(("127.0.0.1", port))
    transport.connect(username=user, pkey=paramiko.Ed25519Key.from_private_key_file(key))
    sftp = paramiko.SFTPClient.from_transport(transport)
    big = bytes(range(256)) * 300
    log = list(deploy(sftp, {"a.bin": big, "b.txt": b"text"}, "release"))
    for entry in sorted(sftp.listdir_attr("release"), key=lambda entry: entry.filename):
        log.append((entry.filename, entry.st_size, oct(entry.st_mode)))
    log += [oct(sftp.stat("release").st_mode), sorted(sftp.listdir("release")), sftp.listdir()]
    sftp.close()
    transport.close()
    return log
"""

FILES = """\
import io
import stat

import paramiko


def connected(port, user, key):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect("127.0.0.1", port, user, key_filename=key)
    return client


def run(port, user, key):
    client = connected(port, user, key)
    sftp = client.open_sftp()
    with sftp.open("table.csv") as table:
        log = [[line for line in table], table.readline(), table.tell()]
    with sftp.file("table.csv", "rb") as table:
        log += [table.readline(), table.seek(-4, 2), table.read(), table.stat().st_size]
    with sftp.open("notes.txt", "w") as notes:
        notes.write("one\\n")
        notes.write(b"two\\n")
        log.append(sftp.stat("notes.txt").st_size)
        try:
            notes.read()
        except OSError as error:
            log.append(str(error))
    with sftp.open("notes.txt", "a") as notes:
        notes.write("three\\n")
        log.append(notes.tell())
    with sftp.open("notes.txt", "r+") as notes:
        notes.write("ONE")
        log += [notes.read(), notes.truncate(8)]
    log += [sftp.open("notes.txt").read(), sftp.truncate("notes.txt", 5)]
    log.append(sftp.lstat("notes.txt").st_size)
    log += [sftp.chmod("notes.txt", 0o600), oct(stat.S_IMODE(sftp.stat("notes.txt").st_mode))]
    log += [sftp.utime("notes.txt", (1, 2)), sftp.stat("notes.txt").st_mtime]
    log += [stat.S_ISREG(sftp.stat("notes.txt").st_mode), sorted(sftp.listdir("."))]
    log += [sorted(e.filename for e in sftp.listdir_iter()), sftp.symlink("x.y", "link")]
    log += [sftp.putfo(io.BytesIO(b"x"), "x.y").st_size, sftp.readlink("link"), sftp.remove("link")]
    client.close()
    return log
"""

FOLDERS = """\
import posixpath
import stat

import paramiko


def make(sftp, path):
    made = []
    for end in range(1, len(path.split("/")) + 1):
        part = "/".join(path.split("/")[:end])
        try:
            sftp.listdir(part)
        except OSError:
            sftp.mkdir(part)
            made.append(part)
    return made


def remove(sftp, path):
    for entry in sorted(sftp.listdir_attr(path), key=lambda entry: entry.filename):
        inner = posixpath.join(path, entry.filename)
        if stat.S_ISDIR(entry.st_mode):
            yield from remove(sftp, inner)
        else:
            sftp.remove(inner)
            yield inner
    sftp.rmdir(path)
    yield path


def run(port, user, key):
    with paramiko.SSHClient() as client:
        client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        client.connect("127.0.0.1", port, user, key_filename=key)
        with client.open_sftp() as sftp:
            sftp.mkdir("top")
            log = [sftp.getcwd(), sftp.chdir("top"), sftp.getcwd().endswith("/top")]
            log += [make(sftp, "a/b/c"), make(sftp, "a/b")]
            for name in ("one", "two"):
                with sftp.open(f"a/b/{name}", "wb") as file:
                    file.write(name)
            sftp.rename("a/b/one", "a/b/c/uno")
            sftp.posix_rename("a/b/two", "a/b/c/uno")
            sftp.rename("a", "d")
            log += [sftp.listdir(), sftp.listdir("d/b/c"), sftp.open("d/b/c/uno").read()]
            sftp.chdir("..")
            sftp.chdir(None)
            log += [sftp.getcwd(), list(remove(sftp, "top/d")), sftp.listdir("top")]
            return log
"""

ERRORS = """\
import paramiko


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except (OSError, paramiko.SSHException, paramiko.SFTPError) as error:
        return type(error).__name__, getattr(error, "errno", 0), str(error)


def run(port, user, key):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect("127.0.0.1", port, user, key_filename=key)
    sftp = client.open_sftp()
    log = [attempt(sftp.mkdir, "new"), attempt(sftp.mkdir, "new"), attempt(sftp.listdir, "new")]
    log += [attempt(sftp.stat, "new/a"), attempt(sftp.remove, "new/a")]
    log += [attempt(sftp.rmdir, "new/a"), attempt(sftp.open, "new/a")]
    log += [attempt(sftp.get, "new/a", "a"), attempt(sftp.listdir, "new/a")]
    log += [attempt(sftp.rename, "new/a", "new/b")]
    log += [attempt(sftp.chdir, "new/a"), attempt(sftp.open, "new/a/b", "w")]
    sftp.open("new/a", "w").close()
    sftp.open("new/b", "x").close()
    log += [attempt(sftp.open, "new/b", "x"), attempt(sftp.rename, "new/a", "new/b")]
    log += [attempt(sftp.rmdir, "new"), attempt(sftp.rmdir, "new/a")]
    log += [attempt(sftp.listdir, "new/a"), attempt(sftp.chdir, "new/a")]
    log += [attempt(sftp.remove, "new"), attempt(sftp.mkdir, "new/a")]
    log += [attempt(sftp.mkdir, "new/c/d"), attempt(sftp.open, "new/a/b", "w")]
    log.append(attempt(sftp.chmod, "new/x", 0o600))
    log += [attempt(sftp.readlink, "new/a"), attempt(sftp.put, "absent", "new/c")]
    log += [attempt(sftp.remove, "new/a"), attempt(sftp.remove, "new/a"), sftp.listdir("new")]
    sftp.close()
    log.append(attempt(sftp.listdir, "new"))
    client.close()
    return log
"""

COMMANDS_CHOSEN = {"ssh false": "3", "ssh absent": "missing"}
# name: source, whether there are the files of mocked machines, what the mock is to answer
PROGRAMS = {
    "commands": (COMMANDS, False, COMMANDS_CHOSEN),
    "channels": (CHANNELS, False, COMMANDS_CHOSEN),
    "denied": (DENIED, False, {"ssh": "login"}),
    "nobody": (NOBODY, False, {"ssh": "connection"}),
    "transfer": (TRANSFER, False, {"ssh": "missing"}),
    "files": (FILES, True, {}),
    "folders": (FOLDERS, False, {}),
    "errors": (ERRORS, False, {}),
}
