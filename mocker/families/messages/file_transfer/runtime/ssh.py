"""SSH: commands are noted and answered, files are those of `remote_files`."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import choices, record, replace
from .....world.data.command_answers import Commands
from .....world.network.http_answers import shown_bytes
from .....world.network.remote_files import files_of, forget_machines, reach_machine
from .sftp import answer_sftp


def answer_ssh(outputs: dict[str, str]) -> None:
    """Have every machine that paramiko reaches answered."""
    forget_machines()
    on_import("paramiko", lambda module: _answer_ssh(module, outputs))


def _answer_ssh(paramiko: Any, outputs: dict[str, str]) -> None:
    commands = Commands(outputs, from_use=False, place="ssh")
    channel_of = _channel_kind(paramiko, commands)

    def connect(
        self: Any, hostname: str, port: int = 22, username: Any = None, *_: Any, **__: Any
    ) -> None:
        who = f"{username}@" if username else ""
        address = f"{who}{hostname}" + (f":{port}" if port != 22 else "")
        try:
            reach_machine("ssh", address)
        except ConnectionRefusedError as error:
            errors = {(hostname, port): error}
            raise paramiko.ssh_exception.NoValidConnectionsError(errors) from None
        self._transport = paramiko.Transport.__new__(paramiko.Transport)
        reached(self._transport, address)
        authenticate(self._transport)

    def start(self: Any, sock: Any, *_: Any, **__: Any) -> None:
        host, port = sock if isinstance(sock, tuple) else (str(sock), 22)
        address = f"{host}:{port}" if port != 22 else f"{host}"
        try:
            reach_machine("ssh", address)
        except OSError as error:
            told = f"Unable to connect to {host}: {error}"
            raise paramiko.SSHException(told) from None
        reached(self, address)

    def reached(self: Any, address: str) -> None:
        self._mock_address, self._mock_files = address, files_of("ssh", address)
        self.active, self.authenticated = True, False

    def authenticate(self: Any, *_: Any, **__: Any) -> list[Any]:
        if choices.get("ssh") == "login":
            raise paramiko.AuthenticationException("Authentication failed.")
        self.active = self.authenticated = True
        return []

    def open_channel(self: Any, *_: Any, **__: Any) -> Any:
        if not self.active:
            raise paramiko.SSHException("SSH session not active")
        return channel_of(self)

    def close(self: Any) -> None:
        self.active = self.authenticated = False

    def quiet(self: Any, *_: Any, **__: Any) -> None:
        pass

    client = paramiko.SSHClient
    replace(client, "connect", connect)
    replace(client, "load_system_host_keys", quiet)
    kind = paramiko.Transport
    replace(kind, "__init__", start)
    replace(kind, "__repr__", lambda self: f"<paramiko.Transport to {self._mock_address}>")
    replace(kind, "connect", lambda self, *_, **__: authenticate(self) and None)
    for name, method in (
        ("auth_password", authenticate),
        ("auth_publickey", authenticate),
        ("open_session", open_channel),
        ("open_channel", open_channel),
        ("close", close),
    ):
        replace(kind, name, method)
    for name in ("start_client", "set_keepalive", "stop_thread", "use_compression"):
        replace(kind, name, quiet)
    replace(kind, "is_active", lambda self: self.active)
    replace(kind, "is_authenticated", lambda self: self.active and self.authenticated)
    answer_sftp(paramiko)


def _channel_kind(paramiko: Any, commands: Commands) -> Any:
    class Channel(paramiko.Channel):
        """A channel on which one command has run, or a shell."""

        def __init__(self, transport: Any) -> None:
            self.transport = transport
            self.address, self.files = transport._mock_address, transport._mock_files
            self.status = -1
            self.content = self.errors = b""
            self.closed = self.eof_received = self.is_shell = False
            self.is_terminal = self.combine_stderr = False
            self.chanid = self.remote_chanid = 0
            self.active = True
            self.timeout = None

        def get_pty(self, *_: Any, **__: Any) -> None:
            self.is_terminal = True

        def exec_command(self, command: Any) -> None:
            text = command.decode() if isinstance(command, bytes) else command
            record("command", f"ssh {self.address}", text)
            self.status, out, err = commands.answer(text)
            if self.is_terminal:  # it has one stream only, with lines of its own kind
                out, err = (out + err).replace(b"\n", b"\r\n"), b""
            self.content, self.errors = out, err
            self.set_combine_stderr(self.combine_stderr)

        def invoke_shell(self, *_: Any, **__: Any) -> None:
            self.is_shell = True

        def send(self, s: Any) -> int:
            if self.closed:
                raise OSError("Socket is closed")
            content = s.encode() if isinstance(s, str) else bytes(s)
            record("message", f"ssh {self.address}", shown_bytes(content))
            if self.is_shell:
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
            return not self.closed

        def exit_status_ready(self) -> bool:
            return True

        def recv_exit_status(self) -> int:
            return self.status

        def set_combine_stderr(self, combine: bool) -> bool:
            before, self.combine_stderr = self.combine_stderr, combine
            if combine:
                self.content, self.errors = self.content + self.errors, b""
            return before

        def close(self) -> None:
            self.closed = True

        def get_name(self) -> str:
            return "0"

        def settimeout(self, timeout: Any) -> None:
            self.timeout = timeout

        def _nothing(self, *_: Any, **__: Any) -> None:
            pass

        shutdown = shutdown_write = shutdown_read = setblocking = set_environment_variable = (
            _nothing
        )
        invoke_subsystem = update_environment = resize_pty = __del__ = _nothing

        def __repr__(self) -> str:
            return f"<paramiko.Channel 0 to {self.address}>"

    return Channel
