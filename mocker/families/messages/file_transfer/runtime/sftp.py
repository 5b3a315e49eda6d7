"""SFTP: the client stays real above its packets, which are answered in the process."""

from __future__ import annotations

import posixpath
from typing import Any

from .....world.core.world import replace
from .....world.network.remote_files import full_path

SFTP_OK, SFTP_EOF, SFTP_ABSENT, SFTP_FAILURE, SFTP_BAD = 0, 1, 2, 4, 5
SFTP_TEXTS = {0: "Success", 1: "End of file", 2: "No such file", 4: "Failure", 5: "Bad message"}
SFTP_STATUS, SFTP_HANDLE, SFTP_DATA, SFTP_NAME, SFTP_ATTRIBUTES = range(101, 106)
OPEN_READ, OPEN_WRITE, OPEN_APPEND, OPEN_NEW, OPEN_EMPTY, OPEN_ONLY_NEW = 1, 2, 4, 8, 16, 32
FIRST_OF_2026 = 1767225600


class SftpError(Exception):
    """A request cannot be done; the code says why."""

    def __init__(self, code: int) -> None:
        super().__init__(SFTP_TEXTS[code])
        self.code = code


class OpenFile:
    """What a handle stands for: a file, or a folder whose names are still to be told."""

    def __init__(self, path: str, flags: int = 0, names: Any = None) -> None:
        self.path = path
        self.flags = flags
        self.names = names
        self.is_changed = False


class SftpServer:
    """Answers the packets of one client; the files are those of the machine."""

    def __init__(self, files: Any, paramiko: Any) -> None:
        self.files = files
        self.paramiko = paramiko
        self.handles: dict[bytes, OpenFile] = {}
        self.count = 0

    def answer(self, kind: int, packet: Any) -> tuple[int, bytes]:
        """The kind and the content of the answer to a packet."""
        message = self.paramiko.Message(packet.asbytes())
        reply = self.paramiko.Message()
        reply.add_int(message.get_int())
        name = self.paramiko.sftp.CMD_NAMES.get(kind, "")
        try:
            found = getattr(self, f"do_{name}", self.do_nothing)(message)
        except SftpError as refusal:
            found = self.status(refusal.code)
        for each in found[1:]:
            if isinstance(each, int):
                reply.add_int(each)
            elif isinstance(each, (bytes, str)):
                reply.add_string(each)
            else:
                each._pack(reply)
        return found[0], reply.asbytes()

    def status(self, code: int = SFTP_OK) -> tuple[Any, ...]:
        """Whether it has been done."""
        return SFTP_STATUS, code, SFTP_TEXTS[code], ""

    def do_nothing(self, message: Any) -> tuple[Any, ...]:
        """What no other method knows."""
        raise SftpError(SFTP_FAILURE)

    def path(self, message: Any) -> str:
        """The path that comes next in a message."""
        return full_path("/", message.get_text())

    def there(self, message: Any) -> str:
        """Likewise, of something that must be there."""
        path = self.path(message)
        if not self.files.kind(path):
            raise SftpError(SFTP_ABSENT)
        return path

    def opened(self, message: Any) -> OpenFile:
        """What the handle stands for that comes next in a message."""
        return self.handles[message.get_binary()]

    def handle(self, file: OpenFile) -> tuple[Any, ...]:
        """A new handle."""
        self.count += 1
        handle = self.count.to_bytes(4, "big")
        self.handles[handle] = file
        return SFTP_HANDLE, handle

    def do_open(self, message: Any) -> tuple[Any, ...]:
        """A file to read or to write."""
        path, flags = self.path(message), message.get_int()
        kind = self.files.kind(path)
        if kind == "folder" or (flags & OPEN_ONLY_NEW and kind == "file"):
            raise SftpError(SFTP_FAILURE)
        if not kind and not (flags & OPEN_NEW and self.files.is_writable(path)):
            raise SftpError(SFTP_ABSENT)
        file = OpenFile(path, flags)
        if flags & OPEN_EMPTY or not kind:
            self.files.keep(path, b"")
            file.is_changed = True
        elif flags & OPEN_READ:
            self.files.read(path)
        return self.handle(file)

    def do_read(self, message: Any) -> tuple[Any, ...]:
        """A part of a file."""
        file, start, size = self.opened(message), message.get_int64(), message.get_int()
        found = self.files.content(file.path)[start : start + size]
        if not found:
            raise SftpError(SFTP_EOF)
        return SFTP_DATA, found

    def do_write(self, message: Any) -> tuple[Any, ...]:
        """A part of a file is other than before."""
        file, start, data = self.opened(message), message.get_int64(), message.get_binary()
        content = self.files.content(file.path)
        if file.flags & OPEN_APPEND:
            start = len(content)
        content = content.ljust(start, b"\0")
        self.files.keep(file.path, content[:start] + data + content[start + len(data) :])
        file.is_changed = True
        return self.status()

    def do_close(self, message: Any) -> tuple[Any, ...]:
        """What was written is noted as a whole."""
        file = self.handles.pop(message.get_binary())
        if file.is_changed:
            self.files.write(file.path, self.files.content(file.path))
        return self.status()

    def do_opendir(self, message: Any) -> tuple[Any, ...]:
        """A folder to look into."""
        path = self.there(message)
        if self.files.kind(path) == "file":
            raise SftpError(SFTP_ABSENT)
        self.files.note_reading(path)
        return self.handle(OpenFile(path, names=self.files.names(path)))

    def do_readdir(self, message: Any) -> tuple[Any, ...]:
        """All that is in it at once."""
        folder = self.opened(message)
        names, folder.names = folder.names, []
        if not names:
            raise SftpError(SFTP_EOF)
        found: list[Any] = [SFTP_NAME, len(names)]
        for name in names:
            facts = self.attributes(posixpath.join(folder.path, name))
            mode = "drwxr-xr-x   2" if facts.st_mode & 0o40000 else "-rw-r--r--   1"
            line = f"{mode} user     group    {facts.st_size:8} Jan  1  2026 {name}"
            found += [name, line, facts]
        return tuple(found)

    def attributes(self, path: str) -> Any:
        """What is known of a file or folder."""
        is_folder = self.files.is_folder(path)
        found = self.paramiko.SFTPAttributes()
        found.st_size = 4096 if is_folder else len(self.files.content(path))
        found.st_uid = found.st_gid = 1000
        mode, times = self.files.facts.get(path, (None, None))
        found.st_mode = (0o40000 if is_folder else 0o100000) | (
            mode if mode is not None else (0o755 if is_folder else 0o644)
        )
        found.st_atime, found.st_mtime = times or (FIRST_OF_2026, FIRST_OF_2026)
        return found

    def do_stat(self, message: Any) -> tuple[Any, ...]:
        """What is known of it."""
        return SFTP_ATTRIBUTES, self.attributes(self.there(message))

    do_lstat = do_stat

    def do_fstat(self, message: Any) -> tuple[Any, ...]:
        """Likewise, of an open file."""
        return SFTP_ATTRIBUTES, self.attributes(self.opened(message).path)

    def do_setstat(self, message: Any) -> tuple[Any, ...]:
        """Its size, owner, rights or times are others."""
        return self._changed(self.there(message), message)

    def do_fsetstat(self, message: Any) -> tuple[Any, ...]:
        """Likewise, of an open file."""
        return self._changed(self.opened(message).path, message)

    def _changed(self, path: str, message: Any) -> tuple[Any, ...]:
        facts = self.paramiko.SFTPAttributes._from_msg(message)
        mode, times = self.files.facts.get(path, (None, None))
        if facts.st_size is not None:
            content = self.files.content(path)[: facts.st_size].ljust(facts.st_size, b"\0")
            self.files.note("truncate", path, str(facts.st_size))
            self.files.keep(path, content)
        if facts.st_uid is not None:
            self.files.note("chown", path, str(facts.st_uid), str(facts.st_gid))
        if facts.st_mode is not None:
            self.files.note("chmod", path, oct(facts.st_mode))
            mode = facts.st_mode & 0o7777
        if facts.st_mtime is not None:
            self.files.note("utime", path, str(facts.st_atime), str(facts.st_mtime))
            times = facts.st_atime, facts.st_mtime
        self.files.facts[path] = mode, times
        return self.status()

    def do_remove(self, message: Any) -> tuple[Any, ...]:
        """A file is no more."""
        path = self.there(message)
        if self.files.kind(path) == "folder":
            raise SftpError(SFTP_FAILURE)
        self.files.remove("remove", path)
        return self.status()

    def do_mkdir(self, message: Any) -> tuple[Any, ...]:
        """A new folder."""
        path = self.path(message)
        if self.files.kind(path) in ("file", "folder"):
            raise SftpError(SFTP_FAILURE)
        if not self.files.is_writable(path):
            raise SftpError(SFTP_ABSENT)
        self.files.make("mkdir", path)
        mode = self.paramiko.SFTPAttributes._from_msg(message).st_mode
        if mode is not None:
            self.files.facts[path] = mode & 0o755, None
        return self.status()

    def do_rmdir(self, message: Any) -> tuple[Any, ...]:
        """A folder is no more."""
        path = self.there(message)
        kind = self.files.kind(path)
        if kind == "file":
            raise SftpError(SFTP_ABSENT)
        if kind == "folder" and self.files.names(path):
            raise SftpError(SFTP_FAILURE)
        self.files.remove("rmdir", path)
        return self.status()

    def do_rename(self, message: Any, what: str = "rename") -> tuple[Any, ...]:
        """It has another name, which is to be free."""
        path, to = self.there(message), self.path(message)
        if what == "rename" and self.files.kind(to) in ("file", "folder"):
            raise SftpError(SFTP_FAILURE)
        if not self.files.is_writable(to):
            raise SftpError(SFTP_ABSENT)
        self.files.rename(what, path, to)
        return self.status()

    def do_extended(self, message: Any) -> tuple[Any, ...]:
        """The one extension that the client asks for: the new name need not be free."""
        message.get_text()
        return self.do_rename(message, "posix_rename")

    def do_symlink(self, message: Any) -> tuple[Any, ...]:
        """Another name for the same content."""
        source, path = message.get_text(), self.path(message)
        self.files.note("symlink", source, path)
        self.files.keep(path, self.files.content(full_path(posixpath.dirname(path), source)))
        self.files.links[path] = source
        return self.status()

    def do_readlink(self, message: Any) -> tuple[Any, ...]:
        """What a link leads to."""
        target = self.files.links.get(self.there(message))
        if target is None:
            raise SftpError(SFTP_BAD)
        return SFTP_NAME, 1, target, target, self.paramiko.SFTPAttributes()

    def do_realpath(self, message: Any) -> tuple[Any, ...]:
        """A path from the top."""
        path = self.path(message)
        return SFTP_NAME, 1, path, path, self.paramiko.SFTPAttributes()


def answer_sftp(paramiko: Any) -> None:
    """Have the packets of every client answered by the machine that its channel leads to."""

    def send(self: Any, kind: int, packet: Any) -> None:
        if self.sock.closed:
            raise OSError("Socket is closed")
        if not hasattr(self, "_mock_server"):
            self._mock_server = SftpServer(self.sock.files, paramiko)
            self._mock_waiting = []
        self._mock_waiting.append(self._mock_server.answer(kind, packet))

    def receive(self: Any) -> tuple[int, bytes]:
        if not self._mock_waiting:
            raise EOFError
        return self._mock_waiting.pop(0)

    client = paramiko.SFTPClient
    replace(client, "_send_version", lambda self: 3)
    replace(client, "_send_packet", send)
    replace(client, "_read_packet", receive)
    # each part is there as soon as it is asked for
    replace(paramiko.SFTPFile, "_start_prefetch", lambda self, *_: None)
