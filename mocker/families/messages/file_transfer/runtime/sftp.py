"""SFTP: both ends stay real, without a connection; the files are those of the machine."""

from __future__ import annotations

import os
import posixpath
from typing import Any

from .....world.core.world import replace
from .....world.network.remote_files import full_path

FIRST_OF_2026 = 1767225600


class SftpRefusal(Exception):  # noqa: N818
    """A request cannot be done; the code says why."""


def _sftp_server(paramiko: Any) -> Any:
    """The class of servers that answer the packets of one client."""
    done, absent = paramiko.SFTP_OK, paramiko.SFTP_NO_SUCH_FILE
    failure, bad = paramiko.SFTP_FAILURE, paramiko.SFTP_BAD_MESSAGE

    def attributes(files: Any, path: str) -> Any:
        """What is known of a file or folder."""
        is_folder = files.is_folder(path)
        found = paramiko.SFTPAttributes()
        found.st_size = 4096 if is_folder else len(files.content(path))
        found.st_uid = found.st_gid = 1000
        mode, times = files.facts.get(path, (None, None))
        found.st_mode = (0o40000 if is_folder else 0o100000) | (
            mode if mode is not None else (0o755 if is_folder else 0o644)
        )
        found.st_atime, found.st_mtime = times or (FIRST_OF_2026, FIRST_OF_2026)
        return found

    def listed(files: Any, folder: str, name: str) -> Any:
        """Likewise, with the line that a folder shows."""
        found = attributes(files, posixpath.join(folder, name))
        mode = "drwxr-xr-x   2" if found.st_mode & 0o40000 else "-rw-r--r--   1"
        line = f"{mode} user     group    {found.st_size:8} Jan  1  2026 {name}"
        found.filename, found.asbytes = name, line.encode
        return found

    def change(files: Any, path: str, facts: Any) -> int:
        """Its size, owner, rights or times are others."""
        mode, times = files.facts.get(path, (None, None))
        if facts.st_size is not None:
            content = files.content(path)[: facts.st_size].ljust(facts.st_size, b"\0")
            files.note("truncate", path, str(facts.st_size))
            files.keep(path, content)
        if facts.st_uid is not None:
            files.note("chown", path, str(facts.st_uid), str(facts.st_gid))
        if facts.st_mode is not None:
            files.note("chmod", path, oct(facts.st_mode))
            mode = facts.st_mode & 0o7777
        if facts.st_mtime is not None:
            files.note("utime", path, str(facts.st_atime), str(facts.st_mtime))
            times = facts.st_atime, facts.st_mtime
        files.facts[path] = mode, times
        return done

    class OpenFile(paramiko.SFTPHandle):
        """What a handle stands for; what was written is noted as a whole at the end."""

        def __init__(self, files: Any, path: str, flags: int) -> None:
            super().__init__(flags)
            self.files, self.path, self.flags = files, path, flags
            self.is_changed = False

        def read(self, offset: int, length: int) -> bytes:
            return self.files.content(self.path)[offset : offset + length]

        def write(self, offset: int, data: bytes) -> int:
            content = self.files.content(self.path)
            start = len(content) if self.flags & os.O_APPEND else offset
            content = content.ljust(start, b"\0")
            self.files.keep(self.path, content[:start] + data + content[start + len(data) :])
            self.is_changed = True
            return done

        def close(self) -> None:
            if self.is_changed:
                self.files.write(self.path, self.files.content(self.path))

        def stat(self) -> Any:
            return attributes(self.files, self.path)

        def chattr(self, attr: Any) -> int:
            return change(self.files, self.path, attr)

    class Folders(paramiko.SFTPServerInterface):
        """What the server asks of a machine."""

        def __init__(self, files: Any) -> None:
            super().__init__(files)
            self.files = files

        def there(self, path: str) -> str:
            """The path from the top, of something that must be there."""
            path = full_path("/", path)
            if not self.files.kind(path):
                raise SftpRefusal(absent)
            return path

        def to_make(self, path: str, *, is_new: bool) -> str:
            """Likewise, of something that is to be there."""
            path = full_path("/", path)
            if is_new and self.files.kind(path) in ("file", "folder"):
                raise SftpRefusal(failure)
            if not self.files.is_writable(path):
                raise SftpRefusal(absent)
            return path

        def open(self, path: str, flags: int, attr: Any) -> Any:
            path = full_path("/", path)
            kind = self.files.kind(path)
            if kind == "folder" or (flags & os.O_EXCL and kind == "file"):
                return failure
            if not kind and not (flags & os.O_CREAT and self.files.is_writable(path)):
                return absent
            file = OpenFile(self.files, path, flags)
            if flags & os.O_TRUNC or not kind:
                self.files.keep(path, b"")
                file.is_changed = True
            elif not flags & os.O_WRONLY:
                self.files.read(path)
            return file

        def list_folder(self, path: str) -> Any:
            path = self.there(path)
            if self.files.kind(path) == "file":
                return absent
            self.files.note_reading(path)
            return [listed(self.files, path, name) for name in self.files.names(path)]

        def stat(self, path: str) -> Any:
            return attributes(self.files, self.there(path))

        lstat = stat

        def chattr(self, path: str, attr: Any) -> int:
            return change(self.files, self.there(path), attr)

        def remove(self, path: str) -> int:
            path = self.there(path)
            if self.files.kind(path) == "folder":
                return failure
            self.files.remove("remove", path)
            return done

        def mkdir(self, path: str, attr: Any) -> int:
            path = self.to_make(path, is_new=True)
            self.files.make("mkdir", path)
            if attr.st_mode is not None:
                self.files.facts[path] = attr.st_mode & 0o755, None
            return done

        def rmdir(self, path: str) -> int:
            path = self.there(path)
            kind = self.files.kind(path)
            if kind == "file":
                return absent
            if kind == "folder" and self.files.names(path):
                return failure
            self.files.remove("rmdir", path)
            return done

        def rename(self, oldpath: str, newpath: str) -> int:
            path = self.there(oldpath)
            self.files.rename("rename", path, self.to_make(newpath, is_new=True))
            return done

        def posix_rename(self, oldpath: str, newpath: str) -> int:
            path = self.there(oldpath)
            self.files.rename("posix_rename", path, self.to_make(newpath, is_new=False))
            return done

        def symlink(self, target_path: str, path: str) -> int:
            path = full_path("/", path)
            self.files.note("symlink", target_path, path)
            source = full_path(posixpath.dirname(path), target_path)
            self.files.keep(path, self.files.content(source))
            self.files.links[path] = target_path
            return done

        def readlink(self, path: str) -> Any:
            return self.files.links.get(self.there(path), bad)

    class Server(paramiko.SFTPServer):
        """Takes packets from the client, and keeps the answers."""

        def __init__(self, files: Any) -> None:
            self.next_handle, self.file_table, self.folder_table = 1, {}, {}
            self.server = Folders(files)
            self.answers: list[tuple[int, bytes]] = []

        def take(self, kind: int, packet: Any) -> None:
            message = paramiko.Message(packet.asbytes())
            number = message.get_int()
            try:
                self._process(kind, number, message)
            except SftpRefusal as refusal:
                self._send_status(number, refusal.args[0])

        def _log(self, *_: Any) -> None:
            """Nobody reads it."""

        def _send_packet(self, t: int, packet: Any) -> None:
            self.answers.append((t, packet.asbytes()))

    return Server


def answer_sftp(paramiko: Any) -> None:
    """Have the packets of every client answered by the machine that its channel leads to."""
    kind_of_server = _sftp_server(paramiko)

    def send(self: Any, kind: int, packet: Any) -> None:
        if self.sock.closed:
            raise OSError("Socket is closed")
        if not hasattr(self, "_mock_server"):
            self._mock_server = kind_of_server(self.sock.files)
        self._mock_server.take(kind, packet)

    def receive(self: Any) -> tuple[int, bytes]:
        answers = self._mock_server.answers if hasattr(self, "_mock_server") else []
        if not answers:
            raise EOFError
        return answers.pop(0)

    client = paramiko.SFTPClient
    replace(client, "_send_version", lambda self: 3)
    replace(client, "_send_packet", send)
    replace(client, "_read_packet", receive)
    # each part is there as soon as it is asked for
    replace(paramiko.SFTPFile, "_start_prefetch", lambda self, *_: None)
