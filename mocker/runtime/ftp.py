"""FTP servers that stand in the process."""

from __future__ import annotations

from typing import Any

from .mail import LineServer
from .on_import import on_import
from .remote_files import REMOTE_TEXT, RemoteFiles, reach_machine
from .wire_socket import WireSocket
from .world import choices, record, replace


class FtpServer(LineServer):
    """The control connection; files go another way."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.files = RemoteFiles("ftp", address)
        self.folder = "/"
        self.renamed = ""

    def path(self, name: str) -> str:
        """A name in the current folder."""
        return name if name.startswith("/") else f"{self.folder.rstrip('/')}/{name}"

    def line(self, line: bytes) -> bytes:
        """One command."""
        name, _, rest = line.decode("utf-8", "replace").partition(" ")
        name, path = name.upper(), self.path(rest)
        is_missing = name in ("SIZE", "MDTM", "DELE", "RNFR", "CWD") and not self.files.exists(path)
        if is_missing:
            return b"550 No such file\r\n"
        match name:
            case "USER":
                return b"331 Password\r\n"
            case "PASS" if choices.get("ftp") == "login":
                return b"530 Login incorrect\r\n"
            case "PASS":
                return b"230 Logged in\r\n"
            case "CWD":
                self.folder = path
            case "CDUP":
                self.folder = self.folder.rstrip("/").rpartition("/")[0] or "/"
            case "PWD":
                return f'257 "{self.folder}"\r\n'.encode()
            case "SIZE":
                size = len(self.files.written.get(path, REMOTE_TEXT))
                return f"213 {size}\r\n".encode()
            case "MDTM":
                return b"213 20260101000000\r\n"
            case "MKD":
                self.files.change(name, path)
                return f'257 "{path}"\r\n'.encode()
            case "RNFR":
                self.renamed = path
                return b"350 Go on\r\n"
            case "RNTO":
                self.files.change("RENAME", self.renamed, path)
            case "DELE" | "RMD" | "SITE":
                self.files.change(name, path if name != "SITE" else rest)
            case "FEAT":
                return b"211-Features\r\n MLSD\r\n UTF8\r\n211 End\r\n"
            case "QUIT":
                return b"221 Bye\r\n"
            case _:
                return b"200 OK\r\n"
        return b"250 OK\r\n"

    def transfer(self, command: str) -> Any:
        """A data connection that holds what is asked for, or takes what comes."""
        name, _, rest = command.partition(" ")
        name, path = name.upper(), self.path(rest)
        if name in ("STOR", "APPE", "STOU"):
            return Upload(self.files, path, REMOTE_TEXT if name == "APPE" else b"")
        if name == "RETR":
            return WireSocket(lambda _: b"", self.files.read(path))
        record("read", f"ftp://{self.address}/{self.folder.lstrip('/')}", name)
        lines = {
            "NLST": "{name}",
            "MLSD": "type=file;size=18;modify=20260101000000; {name}",
        }.get(name, "-rw-r--r-- 1 user group 18 Jan 01 2026 {name}")
        text = "".join(lines.format(name=n) + "\r\n" for n in self.files.names())
        return WireSocket(lambda _: b"", text.encode())


class Upload(WireSocket):
    """A data connection that keeps a file when it is closed."""

    def __init__(self, files: RemoteFiles, path: str, before: bytes) -> None:
        super().__init__(self._take)
        self.files = files
        self.path = path
        self.content = files.written.get(path, before) if before else b""

    def _take(self, data: bytes) -> bytes:
        self.content += data
        return b""

    def close(self, *_: Any) -> None:
        """All has come."""
        if self.path:
            self.files.write(self.path, self.content)
            self.path = ""


def answer_ftp() -> None:
    """Have every server of ftplib answered."""
    on_import("ftplib", _answer_ftp)


def _answer_ftp(ftplib: Any) -> None:
    def connect(self: Any, host: str = "", port: int = 0, timeout: Any = -999, *_: Any) -> Any:
        self.host = host or self.host
        self.port = port or self.port
        address = self.host if self.port == 21 else f"{self.host}:{self.port}"
        reach_machine("ftp", address)
        self._mock_server = FtpServer(address)
        self.sock = WireSocket(self._mock_server.feed, b"220 Ready\r\n")
        self.af = 2
        self.file = self.sock.makefile("r", encoding=self.encoding)
        self.welcome = self.getresp()
        return self.welcome

    def transfer(self: Any, cmd: str, rest: Any = None) -> Any:
        path = self._mock_server.path(cmd.partition(" ")[2])
        if cmd.startswith("RETR") and not self._mock_server.files.exists(path):
            raise ftplib.error_perm("550 No such file")
        self.sock.waiting += b"226 Transfer complete\r\n"
        return self._mock_server.transfer(cmd), None

    replace(ftplib.FTP, "connect", connect)
    replace(ftplib.FTP, "ntransfercmd", transfer)
    if hasattr(ftplib, "FTP_TLS"):
        replace(ftplib.FTP_TLS, "ntransfercmd", transfer)
        replace(ftplib.FTP_TLS, "auth", lambda self: "234 OK")
        replace(ftplib.FTP_TLS, "prot_p", lambda self: "200 OK")
