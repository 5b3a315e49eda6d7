"""FTP servers that stand in the process."""

from __future__ import annotations

import fnmatch
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import choices, replace
from .....world.network.mail import LineServer
from .....world.network.remote_files import files_of, forget_machines, full_path, reach_machine
from .....world.network.wire_socket import WireSocket

NO_FILE = "550 No such file or directory."
FTP_REPLIES = {
    "NOOP": "200 NOOP ok.",
    "PBSZ": "200 PBSZ=0 successful.",
    "PROT": "200 Protection set to Private",
    "OPTS": "200 Always in UTF8 mode.",
    "SYST": "215 UNIX Type: L8",
    "FEAT": "211-Features supported:\r\n MDTM\r\n MLSD\r\n SIZE\r\n UTF8\r\n211 End FEAT.",
    "STAT": "211 End of status.",
    "AUTH": "234 AUTH TLS successful.",
    "QUIT": "221 Goodbye.",
    "ABOR": "225 No transfer to abort.",
    "ALLO": "202 No storage allocation necessary.",
    "STRU": "200 File transfer structure set to: F.",
    "MODE": "200 Transfer mode set to: S",
    "HELP": "214 Help command successful.",
}
"""What depends on nothing."""
OPEN_COMMANDS = "USER PASS QUIT FEAT OPTS AUTH PBSZ PROT SYST NOOP HELP".split()
"""What is answered before a login."""


class FtpServer(LineServer):
    """The control connection; files go another way."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.files = files_of("ftp", address)
        self.folder = "/"
        self.renamed = ""
        self.user = ""
        self.is_in = False
        self.is_text = True

    def path(self, name: str) -> str:
        """A name in the current folder."""
        return full_path(self.folder, name)

    def line(self, line: bytes) -> bytes:
        """One command."""
        name, _, rest = line.decode("utf-8", "replace").partition(" ")
        return (self.reply(name.upper(), rest) + "\r\n").encode()

    def reply(self, name: str, rest: str) -> str:
        """What is answered to a command."""
        if not self.is_in and name not in OPEN_COMMANDS:
            return "530 Log in with USER and PASS first."
        match name:
            case "USER":
                self.user, self.is_in = rest, False
                return "331 Username ok, send password."
            case "PASS" if not self.user:
                return "503 Login with USER first."
            case "PASS" if choices.get("ftp") == "login":
                self.user = ""
                return "530 Authentication failed."
            case "PASS":
                self.is_in = True
                return "230 Login successful."
            case "CWD" | "XCWD" | "CDUP" | "XCUP":
                return self._enter(self.path(rest if name in ("CWD", "XCWD") else ".."))
            case "PWD" | "XPWD":
                return f'257 "{self.folder}" is the current directory.'
            case "TYPE":
                self.is_text = not rest.upper().startswith(("I", "L"))
                return f"200 Type set to: {'ASCII' if self.is_text else 'Binary'}."
            case "SITE":
                self.files.note(name, rest)
                return f"200 SITE {rest.partition(' ')[0].upper()} successful."
            case _ if name in FTP_REPLIES:
                return FTP_REPLIES[name]
            case _:
                return self._done(name, self.path(rest), rest)

    def _enter(self, path: str) -> str:
        kind = self.files.kind(path)
        if kind not in ("folder", "any"):
            return "550 Not a directory." if kind else NO_FILE
        self.folder = path
        return f'250 "{path}" is the current directory.'

    def _done(self, name: str, path: str, rest: str) -> str:
        """What a command about one path does."""
        kind = self.files.kind(path)
        match name:
            case "MKD" | "XMKD":
                if kind in ("file", "folder"):
                    return "550 File exists."
                if not self.files.is_writable(path):
                    return NO_FILE
                self.files.make("MKD", path)
                return f'257 "{path}" directory created.'
            case "RNTO" if not self.renamed:
                return "503 Bad sequence of commands: use RNFR first."
            case "RNTO":
                before, self.renamed = self.renamed, ""
                if not self.files.is_writable(path):
                    return NO_FILE
                self.files.rename("RENAME", before, path)
                return "250 Renaming ok."
            case "SIZE" | "MDTM" if kind != "file" and not (kind == "any" and rest):
                return f"550 {path} is not retrievable."
            case "SIZE":
                return f"213 {len(self.files.content(path))}"
            case "MDTM":
                return "213 20260101000000"
            case "RNFR" | "DELE" | "RMD" | "XRMD" if not kind:
                return NO_FILE
            case "RNFR":
                self.renamed = path
                return "350 Ready for destination name."
            case "DELE" if kind == "folder":
                return "550 Is a directory."
            case "RMD" | "XRMD" if kind == "file":
                return "550 Not a directory."
            case "RMD" | "XRMD" if kind == "folder" and self.files.names(path):
                return "550 Directory not empty."
            case "DELE" | "RMD" | "XRMD":
                self.files.remove(name, path)
                return "250 File removed." if name == "DELE" else "250 Directory removed."
            case _:
                return f'500 Command "{name}" not understood.'

    def transfer(self, name: str, rest: str, start: int) -> Any:
        """A data connection that holds what is asked for or takes what comes, or a refusal."""
        if not self.is_in:
            return self.reply(name, rest)
        path = self.path(rest)
        kind = self.files.kind(path)
        if name in ("STOR", "APPE", "STOU"):
            if kind == "folder":
                return "550 Is a directory."
            if not kind and not self.files.is_writable(path):
                return NO_FILE
            before = self.files.content(path) if kind and (name == "APPE" or start) else b""
            return Upload(self, path, before if name == "APPE" else before[:start])
        if not kind:
            return NO_FILE
        if name == "RETR":
            if kind == "folder":
                return "550 Is a directory."
            content = self.files.read(path)[start:]
            if self.is_text:
                content = content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            return WireSocket(lambda _: b"", content)
        return WireSocket(lambda _: b"", self._listed(name, kind, rest).encode())

    def _listed(self, name: str, kind: str, rest: str) -> str:
        """The lines of a listing, whose options say nothing."""
        if rest.startswith("-"):
            rest = rest.partition(" ")[2]
        folder = self.path(rest)
        self.files.note_reading(folder, name)
        last = folder.rpartition("/")[2]
        if kind == "file" or "*" in last:
            folder = self.path(f"{rest}/..")
            fitting = fnmatch.filter(self.files.names(folder), last)
            names = fitting or [last.replace("*", "file")]
        else:
            names = self.files.names(folder)
        return "".join(self._entry(name, folder, each) + "\r\n" for each in names)

    def _entry(self, name: str, folder: str, own: str) -> str:
        path = full_path(folder or "/", own)
        is_folder = self.files.kind(path) == "folder"
        size = 4096 if is_folder else len(self.files.content(path))
        if name == "NLST":
            return own
        if name == "MLSD":
            facts = f"size={size};type={'dir' if is_folder else 'file'};"
            return f"modify=20260101000000;perm={'elcmp' if is_folder else 'radfw'};{facts} {own}"
        start = "drwxr-xr-x   2" if is_folder else "-rw-r--r--   1"
        return f"{start} user     group    {size:8} Jan 01  2026 {own}"


class Upload(WireSocket):
    """A data connection that keeps a file when it is closed."""

    def __init__(self, server: Any, path: str, before: bytes) -> None:
        super().__init__(self._take)
        self.files = server.files
        self.is_text = server.is_text
        self.path = path
        self.before, self.content = before, b""

    def _take(self, data: bytes) -> bytes:
        self.content += data
        return b""

    def close(self, *_: Any) -> None:
        """All has come."""
        if self.path:
            content = self.content.replace(b"\r\n", b"\n") if self.is_text else self.content
            self.files.write(self.path, self.before + content)
            self.path = ""


def answer_ftp() -> None:
    """Have every server of ftplib answered."""
    forget_machines()
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
        name, _, path = cmd.partition(" ")
        found = self._mock_server.transfer(name.upper(), path, int(rest or 0))
        if isinstance(found, str):
            self.sock.waiting += f"{found}\r\n".encode()
            self.getresp()
        self.sock.waiting += b"226 Transfer complete.\r\n"
        return found, None

    replace(ftplib.FTP, "connect", connect)
    replace(ftplib.FTP, "ntransfercmd", transfer)
    if hasattr(ftplib, "FTP_TLS"):
        replace(ftplib.FTP_TLS, "ntransfercmd", transfer)
        replace(ftplib.FTP_TLS, "auth", lambda self: FTP_REPLIES["AUTH"])
        replace(ftplib.FTP_TLS, "prot_p", lambda self: FTP_REPLIES["PROT"])
