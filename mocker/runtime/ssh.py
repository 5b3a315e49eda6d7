"""SSH: commands are noted and answered, files are those of `remote_files`."""

from __future__ import annotations

import io
from typing import Any

from .command_answers import Commands
from .http_answers import shown_bytes
from .on_import import on_import
from .remote_files import REMOTE_TEXT, RemoteFiles, reach_machine
from .world import choices, record, replace


def answer_ssh(outputs: dict[str, str]) -> None:
    """Have every machine that paramiko reaches answered."""
    on_import("paramiko", lambda module: _answer_ssh(module, outputs))


def _answer_ssh(paramiko: Any, outputs: dict[str, str]) -> None:
    commands = Commands(outputs, from_use=False, place="ssh")
    channel_of = _channel_kind(paramiko, commands)
    sftp = _sftp_kind(paramiko)

    def reach(self: Any, hostname: str, port: int, username: Any) -> None:
        who = f"{username}@" if username else ""
        self._mock_address = f"{who}{hostname}" + (f":{port}" if port != 22 else "")
        try:
            reach_machine("ssh", self._mock_address)
        except ConnectionRefusedError as error:
            errors = {(hostname, port): error}
            raise paramiko.ssh_exception.NoValidConnectionsError(errors) from None
        if choices.get("ssh") == "login":
            raise paramiko.AuthenticationException("Authentication failed.")
        self._mock_files = RemoteFiles("ssh", self._mock_address)

    def connect(
        self: Any, hostname: str, port: int = 22, username: Any = None, *_: Any, **__: Any
    ) -> None:
        reach(self, hostname, port, username)
        self._transport = transport(self._mock_address, self._mock_files)

    def execute(self: Any, command: str, *_: Any, **__: Any) -> Any:
        channel = self._transport.open_session()
        channel.exec_command(command)
        return channel.makefile_stdin(), channel.makefile(), channel.makefile_stderr()

    def transport(address: str, files: RemoteFiles) -> Any:
        found = paramiko.Transport.__new__(paramiko.Transport)
        found._mock_address, found._mock_files = address, files
        found.active, found.authenticated = True, True
        return found

    def start(self: Any, sock: Any, *_: Any, **__: Any) -> None:
        host, port = sock if isinstance(sock, tuple) else (str(sock), 22)
        reach(self, host, port, None)
        self.active = self.authenticated = False

    def authenticate(
        self: Any, hostkey: Any = None, username: Any = "", *_: Any, **__: Any
    ) -> None:
        self.active = self.authenticated = True

    def quiet(self: Any, *_: Any, **__: Any) -> None:
        pass

    client = paramiko.SSHClient
    replace(client, "connect", connect)
    replace(client, "exec_command", execute)
    replace(client, "invoke_shell", lambda self, *_, **__: channel_of(self._mock_address))
    replace(client, "open_sftp", lambda self: sftp(self._mock_files))
    for name in ("close", "load_system_host_keys"):
        replace(client, name, quiet)
    kind = paramiko.Transport
    replace(kind, "__init__", start)
    replace(kind, "__repr__", lambda self: f"<paramiko.Transport to {self._mock_address}>")
    replace(kind, "connect", authenticate)
    for name in ("auth_password", "auth_publickey", "start_client"):
        replace(kind, name, lambda self, *_, **__: authenticate(self) or [])
    replace(kind, "open_session", lambda self, *_, **__: channel_of(self._mock_address))
    replace(kind, "open_channel", lambda self, *_, **__: channel_of(self._mock_address))
    for name in ("close", "set_keepalive", "stop_thread", "use_compression"):
        replace(kind, name, quiet)
    for name, value in (("is_active", "active"), ("is_authenticated", "authenticated")):
        replace(kind, name, lambda self, value=value: getattr(self, value))
    from_transport = classmethod(lambda cls, t, *_, **__: sftp(t._mock_files))
    replace(paramiko.SFTPClient, "from_transport", from_transport)


def _channel_kind(paramiko: Any, commands: Commands) -> Any:
    pipe = _pipe_kind(paramiko)

    class Channel(paramiko.Channel):
        """A channel on which one command has run."""

        def __init__(self, address: str) -> None:
            self.address = address
            self.status = 0
            self.content = b""
            self.closed = self.eof_received = False
            self.chanid = self.remote_chanid = 0
            self.active = True

        def exec_command(self, command: Any) -> None:
            text = command.decode() if isinstance(command, bytes) else command
            record("command", f"ssh {self.address}", text)
            self.status, out, err = commands.answer(text)
            self.content, self.errors = out, err

        def send(self, s: Any) -> int:
            content = s if isinstance(s, bytes) else s.encode()
            record("message", f"ssh {self.address}", shown_bytes(content))
            line = content.decode("utf-8", "replace").strip()
            self.content += commands.answer(line)[1]
            return len(content)

        def sendall(self, s: Any) -> None:
            self.send(s)

        def recv(self, nbytes: int) -> bytes:
            found, self.content = self.content[:nbytes], self.content[nbytes:]
            return found

        def recv_stderr(self, nbytes: int) -> bytes:
            found, self.errors = self.errors[:nbytes], self.errors[nbytes:]
            return found

        def recv_ready(self) -> bool:
            return bool(self.content)

        def recv_stderr_ready(self) -> bool:
            return bool(self.errors)

        def send_ready(self) -> bool:
            return True

        def exit_status_ready(self) -> bool:
            return True

        def recv_exit_status(self) -> int:
            return self.status

        def _nothing(self, *_: Any, **__: Any) -> None:
            pass

        errors = b""
        close = shutdown = shutdown_write = shutdown_read = settimeout = setblocking = _nothing
        get_pty = invoke_shell = set_combine_stderr = set_environment_variable = _nothing
        invoke_subsystem = update_environment = resize_pty = __del__ = _nothing

        def makefile(self, *params: Any) -> Any:
            return pipe(self, self.content)

        def makefile_stderr(self, *params: Any) -> Any:
            return pipe(self, self.errors)

        def makefile_stdin(self, *params: Any) -> Any:
            return pipe(self, b"")

        def __repr__(self) -> str:
            return f"<paramiko.Channel 0 to {self.address}>"

    return Channel


def _pipe_kind(paramiko: Any) -> Any:
    class Pipe(paramiko.BufferedFile):
        """One of the three streams of a command."""

        def __init__(self, channel: Any, content: bytes) -> None:
            super().__init__()
            self.channel = channel
            self.content = content
            self._set_mode("r+", -1)

        def _read(self, size: int) -> bytes:
            found, self.content = self.content[:size], self.content[size:]
            return found

        def _write(self, data: bytes) -> int:
            record("message", f"ssh {self.channel.address}", shown_bytes(bytes(data)))
            return len(data)

    return Pipe


def _sftp_kind(paramiko: Any) -> Any:
    class RemoteFile(io.BytesIO):
        def __init__(self, files: RemoteFiles, path: str, mode: str) -> None:
            super().__init__(b"" if "w" in mode else files.read(path))
            self.files, self.path = files, path
            self.is_changed = "w" in mode
            if "a" in mode:
                self.seek(0, 2)

        def write(self, data: Any) -> int:
            self.is_changed = True
            return super().write(data.encode() if isinstance(data, str) else data)

        def close(self) -> None:
            if not self.closed and self.is_changed:
                self.files.write(self.path, self.getvalue())
            super().close()

        def prefetch(self, *_: Any) -> None:
            pass

        def stat(self) -> Any:
            return attributes(len(self.getvalue()))

    def attributes(size: int, name: str = "") -> Any:
        found = paramiko.SFTPAttributes()
        found.st_size, found.st_mode, found.st_mtime, found.st_atime = (
            size,
            0o100644,
            1767225600,
            1767225600,
        )
        found.filename = name
        found.longname = f"-rw-r--r-- 1 user group {size} Jan 1 2026 {name}"
        return found

    class Sftp(paramiko.SFTPClient):
        def __init__(self, files: RemoteFiles) -> None:
            self.files = files
            self.folder: str | None = None

        def _path(self, path: Any) -> str:
            text = path.decode() if isinstance(path, bytes) else str(path)
            return text if text.startswith("/") or not self.folder else f"{self.folder}/{text}"

        def _there(self, path: Any) -> str:
            text = self._path(path)
            if not self.files.exists(text):
                raise FileNotFoundError(2, "No such file")
            return text

        def listdir(self, path: str = ".") -> list[str]:
            record("read", f"ssh://{self.files.address}/{self._path(path).lstrip('/')}")
            return self.files.names()

        def listdir_attr(self, path: str = ".") -> list[Any]:
            return [attributes(len(REMOTE_TEXT), name) for name in self.listdir(path)]

        def listdir_iter(self, path: str = ".", *_: Any) -> Any:
            return iter(self.listdir_attr(path))

        def open(self, filename: Any, mode: str = "r", bufsize: int = -1) -> Any:
            path = self._path(filename) if "w" in mode else self._there(filename)
            return RemoteFile(self.files, path, mode)

        file = open

        def stat(self, path: Any) -> Any:
            return attributes(len(self.files.written.get(self._there(path), REMOTE_TEXT)))

        lstat = stat

        def getfo(self, remotepath: Any, fl: Any, callback: Any = None, *_: Any, **__: Any) -> int:
            content = self.files.read(self._there(remotepath))
            fl.write(content)
            if callback:
                callback(len(content), len(content))
            return len(content)

        def get(
            self, remotepath: Any, localpath: Any, callback: Any = None, *_: Any, **__: Any
        ) -> None:
            with open(localpath, "wb") as file:
                self.getfo(remotepath, file, callback)

        def putfo(self, fl: Any, remotepath: Any, file_size: int = 0, callback: Any = None,
                  confirm: bool = True) -> Any:  # fmt: skip
            content = fl.read()
            self.files.write(self._path(remotepath), content)
            if callback:
                callback(len(content), len(content))
            return attributes(len(content))

        def put(
            self, localpath: Any, remotepath: Any, callback: Any = None, confirm: bool = True
        ) -> Any:
            with open(localpath, "rb") as file:
                return self.putfo(file, remotepath, 0, callback, confirm)

        def chdir(self, path: Any = None) -> None:
            self.folder = None if path is None else self._path(path)

        def getcwd(self) -> Any:
            return self.folder

        def normalize(self, path: Any) -> str:
            return "/" + self._path(path).strip("./")

        def close(self) -> None:
            pass

    def changing(name: str) -> Any:
        def change(self: Any, path: Any, *more: Any) -> None:
            is_new = name in ("mkdir", "symlink")
            self.files.change(
                name, self._path(path) if is_new else self._there(path), *map(str, more)
            )

        return change

    for name in ("remove", "rename", "posix_rename", "mkdir", "rmdir", "symlink", "chmod", "chown",
                 "utime", "truncate"):  # fmt: skip
        setattr(Sftp, name, changing(name))
    Sftp.unlink = Sftp.remove
    return Sftp
