"""Files that are not there, and a folder in place of all that lies outside the working folder."""

from __future__ import annotations

import atexit
import builtins
import fnmatch
import functools
import importlib
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
from typing import Any

from .as_builtin import AsBuiltin
from .file_contents import content_bytes
from .own_code import asked_by_slice, is_own_frame, own_place
from .world import chosen, record, replace, restart_with, undo_with

_real_os = {name: getattr(os, name) for name in (
    "stat", "lstat", "access", "readlink", "listdir", "scandir", "chdir", "mkdir", "rmdir",
    "remove", "unlink", "chmod", "utime", "truncate", "rename", "replace", "link", "symlink",
    "open", "makedirs", "listxattr", "getxattr", "setxattr",
) if hasattr(os, name)}  # fmt: skip
_real_open, _real_rmtree = io.open, shutil.rmtree
_top_folder = os.path.realpath(tempfile.gettempdir())  # asked for later, it would ask itself
_real_getpid = os.getpid
_real_candidate_names: Any = vars(tempfile)["_get_candidate_names"]
_WINDOWS_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_offered: dict[str, dict[str, Any]] = {}
_gone_files: set[str] = set()
_work_folder = os.path.realpath(os.getcwd())
_files_root = ""
MAX_NOTED_BYTES = 1 << 16
"""Bytes of a written file that its effect shows."""


def files_root() -> str:
    """The folder in place of the world; made when it is first needed, gone at the end."""
    global _files_root
    if not _files_root:
        top = _top_folder
        for number in range(1 << 20):
            path = os.path.join(top, f"slice-func-files-{number}")
            try:
                _real_os["mkdir"](path, 0o700)
            except FileExistsError:
                continue
            _files_root = path
            break
        owner = _real_getpid()

        def leave() -> None:
            if owner == _real_getpid():
                _real_rmtree(path, ignore_errors=True)

        atexit.register(leave)
        undo_with(leave)
    return _files_root


# ----------------------------------------------------------------------------- where a path leads


class _Place:
    """Where a path leads: the file that is used, and how the slice calls it."""

    def __init__(self, path: str, named: str, inside: bool) -> None:
        self.path = path
        self.named = named
        self.inside = inside


def _full_path(text: str) -> str:
    """The one spelling of a path that is compared."""
    if _WINDOWS_DRIVE.match(text):
        return "/" + text.replace("\\", "/").replace(":", "", 1).lstrip("/")
    return os.path.normpath(os.path.join(os.getcwd(), text))


def _is_below_folder(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _is_there(path: str) -> bool:
    try:
        _real_os["lstat"](path)
    except (OSError, ValueError):
        return False
    return True


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(_real_os["stat"](path).st_mode)
    except (OSError, ValueError):
        return False


def _place_of(text: str, *, writes: bool, opens: bool = False) -> _Place | None:
    """Where something else than the path itself is used; `None` where it is used as it is."""
    if vars(_asking):  # what is used to find that out sees what is really there
        return None
    _asking.now = True
    try:
        return _found_place(text, writes=writes, opens=opens)
    finally:
        del _asking.now


_asking = threading.local()


def _found_place(text: str, *, writes: bool, opens: bool) -> _Place | None:
    full = _full_path(text)
    own = _files_root and _is_below_folder(full, _files_root)
    if own or "\0" in full or full.startswith(("/dev/", "/proc/")):
        return None
    drive = _WINDOWS_DRIVE.match(text)
    inside = not drive and _is_below_folder(full, _work_folder)
    if _files_root and not inside and _is_there(_files_root + "/world" + full):
        return _Place(_files_root + "/world" + full, text, inside)
    if not writes:
        return _place_to_read(text, full, inside, opens=opens)
    if inside:
        _make_offered_folder(text, os.path.dirname(full))
    if inside or not asked_by_slice():
        return None
    if _is_systems_own(full) and not is_own_frame(_asking_frame()):
        return None  # a library's cache beside its own code
    path = files_root() + "/world" + full
    _real_os["makedirs"](os.path.dirname(path), exist_ok=True)
    return _Place(path, text, inside)


def _asking_frame() -> Any:
    """The innermost frame that is neither ours nor of the standard library's files."""
    frame: Any = sys._getframe(1)
    helpers = (os.__file__, shutil.__file__, tempfile.__file__)
    while frame.f_back is not None and (
        frame.f_globals is globals()
        or frame.f_code.co_filename in helpers
        or frame.f_code.co_filename.startswith("<frozen ")
        or frame.f_globals.get("__name__") == "pathlib"
    ):
        frame = frame.f_back
    return frame


def _make_offered_folder(text: str, folder: str) -> None:
    """What is written into a folder that is only offered needs it for real."""
    if _offered and not _is_there(folder) and _planned_folder(os.path.dirname(text), folder):
        _real_os["makedirs"](folder, exist_ok=True)


def _place_to_read(text: str, full: str, inside: bool, *, opens: bool = True) -> _Place | None:
    if full in _gone_files:
        return _Place(files_root() + "/gone" + full, text, inside)
    near = inside or _is_below_folder(full, _top_folder) or _is_systems_own(full)
    if near and _is_there(full) and not _WINDOWS_DRIVE.match(text):
        return None
    planned = _planned(text, full, opens=opens)
    return None if planned is None else _Place(planned, text, inside)


@functools.cache
def _system_folders() -> tuple[str, ...]:
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, *(p for p in sys.path if p)]
    return ("/usr", "/etc", "/lib", "/bin", "/sys", *map(os.path.realpath, folders), *folders)


def _is_systems_own(full: str) -> bool:
    """Whether it is the machine's own: the interpreter, its packages, time zones, devices."""
    above = [len(folder) for folder in _system_folders() if _is_below_folder(full, folder)]
    # the slice's own folder is searched too, or lies below one that is: it is no part of it
    own = own_place()
    return max(above, default=-1) > (len(own) if own and _is_below_folder(full, own) else -1)


# ----------------------------------------------------------------------------- what is not there


def _planned(text: str, full: str, *, opens: bool = False) -> str | None:
    """A file or folder that the slice reads and nobody has, made up on the spot."""
    if not _offered:
        return None
    names = _spellings_of(text, full)
    # whether just any file is there is answered truly: only opening one makes it up
    patterns = [p for p in _offered if opens or not p.endswith("*")]
    if _is_systems_own(full):
        patterns = [p for p in patterns if "*" not in p]
    found = next((p for p in patterns if any(_fits_pattern(name, p) for name in names)), None)
    if found is None:
        folder = [p for p in _offered if any(_holds_pattern(name, p) for name in names)]
        if not folder or not asked_by_slice():
            return None
        for pattern in folder:
            whole = os.path.expanduser(pattern)
            _made_file(pattern, _full_path(whole))
        return _planned_path(full)
    # a name that the slice does not know was handed in: what has that name is meant
    if not asked_by_slice() or (found == "*" and _is_there(full)):
        return None
    return _made_file(found, full)


def _spellings_of(text: str, full: str) -> list[str]:
    relative = os.path.relpath(full, _work_folder).replace("\\", "/")
    plain = text.replace("\\", "/")
    return [full, relative, plain, plain.removeprefix("./")]


def _fits_pattern(name: str, pattern: str) -> bool:
    if pattern == "*":
        return os.path.basename(name) not in ("", ".", "..") and "*" not in name
    if pattern.startswith("~"):
        pattern = os.path.expanduser(pattern)
    return name == pattern or ("*" in pattern and fnmatch.fnmatchcase(name, pattern))


def _holds_pattern(folder: str, pattern: str) -> bool:
    """Whether a folder is above a planned file whose path is known."""
    if "*" in pattern or folder in (".", "", "/"):
        return False
    return os.path.expanduser(pattern).startswith(folder.rstrip("/") + "/")


def _planned_path(full: str) -> str:
    relative = (
        os.path.relpath(full, _work_folder)
        if _is_below_folder(full, _work_folder)
        else "absolute" + full
    )
    return f"{files_root()}/offered/{relative}"


def _made_file(pattern: str, full: str) -> str | None:
    content = chosen("files", _offered[pattern])
    path = _planned_path(full)
    if content is None:
        return f"{files_root()}/gone{full}"
    if not _is_there(path):
        data = content_bytes(content, path)
        _real_os["makedirs"](os.path.dirname(path), exist_ok=True)
        with _real_open(path, "wb") as stream:
            stream.write(data)
        _made_as[path] = content
    elif _made_as.get(path, content) is not content:  # another case has chosen another variant
        with _real_open(path, "wb") as stream:
            stream.write(content_bytes(content, path))
        _made_as[path] = content
    return path


_made_as: dict[str, Any] = {}


# ----------------------------------------------------------------------------- opening


class _NotedFile(io.FileIO):
    """A file outside the working folder: what was written is noted when it is closed."""

    named = ""
    target = ""

    def close(self) -> None:
        """Close, then note."""
        before = self.closed
        super().close()
        if not before and self.named:
            note_written(self.named, self.target)


def note_written(named: str, path: str) -> None:
    """Record what a file holds now."""
    try:
        with _real_open(path, "rb") as stream:
            content = stream.read(MAX_NOTED_BYTES)
    except OSError:
        return
    try:
        record("write", _told_path(named), content.decode("utf-8"))
    except UnicodeDecodeError:
        record("write", _told_path(named), f"{os.path.getsize(path)} bytes")


def _told_path(named: str) -> str:
    """A path as effects tell it: the same for every user of the machine."""
    full, home = _full_path(named), os.path.expanduser("~")
    below = home != "/" and _is_below_folder(full, home)
    return "~" + full[len(home) :] if below else full


def _path_text(path: Any) -> str | None:
    if isinstance(path, int):
        return None
    try:
        return os.fsdecode(os.fspath(path))
    except (TypeError, ValueError):
        return None


def open_file(
    file: Any,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    closefd: bool = True,
    opener: Any = None,
) -> Any:
    """`open`, for what is not there and for what lies outside."""
    text = _path_text(file)
    writes = isinstance(mode, str) and any(letter in mode for letter in "wax+")
    place = None if text is None else _place_of(text, writes=writes, opens=True)
    if place is None and writes and text is not None:
        _keep_offered(text, mode)
    if place is None:
        return _real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    if not writes:
        try:
            return _real_open(
                place.path, mode, buffering, encoding, errors, newline, closefd, opener
            )
        except FileNotFoundError as error:
            raise FileNotFoundError(error.errno, error.strerror, file) from None
    if "x" in mode:
        _must_be_new(place)
    elif "w" not in mode:
        _copy_in(place)
    _gone_files.discard(_full_path(place.named))
    raw = _NotedFile(place.path, mode.replace("b", "").replace("t", ""))
    raw.named, raw.target = place.named, place.path
    raw.name = place.named
    if "b" in mode and buffering == 0:
        return raw
    kind = io.BufferedRandom if "+" in mode else io.BufferedWriter
    buffered = kind(raw)
    if "b" in mode:
        return buffered
    wrapped: Any = io.TextIOWrapper(buffered, encoding, errors, newline, buffering == 1)
    wrapped.mode = mode
    return wrapped


def _copy_in(place: _Place) -> None:
    """What is appended to or changed begins as what is really there, or is offered."""
    full = _full_path(place.named)
    if _is_there(place.path) or full in _gone_files:
        return
    offered = _place_to_read(place.named, full, place.inside)
    source = offered.path if offered is not None else full
    if os.path.isfile(source):
        shutil.copyfile(source, place.path)


def _must_be_new(place: _Place) -> None:
    """What is only offered is in nobody's way; what is really there is."""
    full = _full_path(place.named)
    if _is_there(full) and full not in _gone_files:
        raise FileExistsError(17, "File exists", place.named)


def _keep_offered(text: str, mode: str) -> None:
    """An offered file that is appended to or changed moves into the working folder first."""
    full = _full_path(text)
    if "w" in mode or "x" in mode or _is_there(full) or not _is_below_folder(full, _work_folder):
        return
    offered = _planned(text, full, opens=True)
    if offered is not None and os.path.isfile(offered):
        _real_os["makedirs"](os.path.dirname(full), exist_ok=True)
        with _real_open(offered, "rb") as source, _real_open(full, "wb") as sink:
            sink.write(source.read())


def _os_open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    text = _path_text(path) if dir_fd is None else None
    writes = bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND))
    place = None if text is None else _place_of(text, writes=writes)
    if place is None:
        return _real_os["open"](path, flags, mode, dir_fd=dir_fd)
    if writes:
        if flags & os.O_EXCL and flags & os.O_CREAT:
            _must_be_new(place)
        elif not flags & os.O_TRUNC:
            _copy_in(place)
        record("write", _told_path(place.named))
        _gone_files.discard(_full_path(place.named))
    return _real_os["open"](place.path, flags, mode)


# ----------------------------------------------------------------------------- functions of os


def _reading_os(name: str) -> Any:
    real = _real_os[name]

    @functools.wraps(real)
    def call(path: Any = ".", *arguments: Any, **named: Any) -> Any:
        text = _path_text(path) if named.get("dir_fd") is None else None
        place = None if text is None else _place_of(text, writes=False)
        if place is None:
            return real(path, *arguments, **named)
        try:
            return real(place.path, *arguments, **named)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None

    return call


def _follow_caller() -> Any:
    """Whoever calls the slice says which folder is the working folder, by going there."""
    real = _reading_os("chdir")

    @functools.wraps(real)
    def call(path: Any) -> None:
        global _work_folder
        real(path)
        if not asked_by_slice():
            _work_folder = os.path.realpath(os.getcwd())

    return call


def _listing_os(name: str) -> Any:
    """Names in a folder: what is really there, and what is offered or was written."""
    real = _real_os[name]

    @functools.wraps(real)
    def call(path: Any = ".") -> Any:
        text = _path_text(path)
        if text is None:
            return real(path)
        full = _full_path(text)
        place = _place_of(text, writes=False)
        offered = _planned_folder(text, full)
        paths = [p for p in (place.path if place else full, offered, full)
                 if p and _is_folder(p)]  # fmt: skip
        if full in _gone_files or len(set(paths)) < 2:
            return real(paths[0] if paths and full not in _gone_files else path)
        entries: dict[str, Any] = {}
        for folder in dict.fromkeys(paths):
            for entry in real(folder):
                entries.setdefault(entry if isinstance(entry, str) else entry.name, entry)
        kept = {n: e for n, e in entries.items() if f"{full}/{n}" not in _gone_files}
        return list(kept.values()) if name == "listdir" else _FolderEntries(list(kept.values()))

    return call


def _planned_folder(text: str, full: str) -> str | None:
    if not any(_holds_pattern(name, p) for name in _spellings_of(text, full) for p in _offered):
        return None
    return _planned(text, full)


class _FolderEntries:
    """What `os.scandir` gives."""

    def __init__(self, entries: list[Any]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Any:
        return self._entries

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def close(self) -> None:
        """Nothing is open."""


def _writing_os(name: str, kind: str) -> Any:
    real = _real_os[name]

    @functools.wraps(real)
    def call(path: Any, *arguments: Any, **named: Any) -> Any:
        text = _path_text(path) if named.get("dir_fd") is None else None
        place = None if text is None else _place_of(text, writes=True)
        if place is None:
            return real(path, *arguments, **named)
        if kind == "remove":
            return _removed_file(place, real)
        if kind == "change":
            _copy_in(place)
        elif _is_there(_full_path(place.named)) and _full_path(place.named) not in _gone_files:
            raise FileExistsError(17, "File exists", path)
        _gone_files.discard(_full_path(place.named))
        if kind == "make":
            record("write", _told_path(place.named), name)
        return real(place.path, *arguments, **named)

    return call


def _removed_file(place: _Place, real: Any) -> None:
    """Take a path away for the slice; what is really there stays."""
    full = _full_path(place.named)
    there = _is_there(place.path)
    if not there and (not _is_there(full) or full in _gone_files):
        raise FileNotFoundError(2, "No such file or directory", place.named)
    record("remove", _told_path(place.named))
    if there:
        real(place.path)
    _gone_files.add(full)


def _moving(name: str) -> Any:
    real = _real_os[name]

    @functools.wraps(real)
    def call(src: Any, dst: Any, *arguments: Any, **named: Any) -> Any:
        texts = [_path_text(src), _path_text(dst)]
        if None in texts or any(
            value is not None for key, value in named.items() if "dir_fd" in key
        ):
            return real(src, dst, *arguments, **named)
        moves = name in ("rename", "replace")
        from_, to = str(texts[0]), str(texts[1])
        old = _place_of(from_, writes=False) if name != "symlink" else None
        new = _place_of(to, writes=True)
        outside = (
            moves and not _is_below_folder(_full_path(from_), _work_folder) and asked_by_slice()
        )
        own = bool(_files_root) and _is_below_folder(_full_path(from_), _files_root)
        if old is None and new is None and (own or not outside):
            return real(src, dst, *arguments, **named)
        if not moves:
            record("write", _told_path(to), name)
            return real(old.path if old else src, new.path if new else dst)
        if new is not None:
            record("write", _told_path(to), name)
        path = old.path if old else _full_path(from_)
        goal = new.path if new else to
        if os.path.isdir(path):
            shutil.copytree(path, goal, dirs_exist_ok=True)
        else:
            shutil.copyfile(path, goal)
        if outside and not own:
            record("remove", _told_path(from_))
        _gone_files.add(_full_path(from_))
        if old is not None and "/world/" in old.path:
            _real_os["unlink"](old.path) if os.path.isfile(old.path) else _real_rmtree(old.path)
        return None

    return call


def _remove_tree(path: Any, ignore_errors: bool = False, *rest: Any, **named: Any) -> Any:
    text = _path_text(path)
    place = None if text is None else _place_of(text, writes=True)
    if place is None:
        return _real_rmtree(path, ignore_errors, *rest, **named)
    try:
        _removed_file(place, _real_rmtree)
    except FileNotFoundError:
        if not ignore_errors:
            raise
    return None


# ----------------------------------------------------------------------------- setting up


def offer_files(plan: dict[str, dict[str, Any]]) -> None:
    """Offer files that are not there; what is written outside the working folder is noted.

    `plan` has for each path or pattern the contents by variant; `None` is a missing file.
    """
    _offered.update(plan)
    opening = AsBuiltin(open_file, "open")
    for owner in (builtins, io):
        replace(owner, "open", opening)
    names = ("stat", "lstat", "access", "readlink", "listxattr", "getxattr")
    _replace_os({name: _reading_os(name) for name in names if name in _real_os})
    _replace_os({"chdir": _follow_caller()})


def list_offered() -> None:
    """Show what is offered among the names in a folder."""
    _replace_os({name: _listing_os(name) for name in ("listdir", "scandir")})


def keep_outside() -> None:
    """Have what is made, changed, moved and removed outside the working folder stay as it is."""
    kinds = {"mkdir": "make", "rmdir": "remove", "remove": "remove", "unlink": "remove",
             "chmod": "change", "utime": "change", "truncate": "change",
             "setxattr": "change"}  # fmt: skip
    _replace_os({name: _writing_os(name, kinds[name]) for name in kinds if name in _real_os})
    _replace_os({name: _moving(name) for name in ("rename", "replace", "link", "symlink")})
    _replace_os({"open": _os_open})
    replace(shutil, "rmtree", _remove_tree)


def _replace_os(functions: dict[str, Any]) -> None:
    accessor = getattr(sys.modules.get("pathlib"), "_NormalAccessor", None)  # Python 3.10
    for name, function in functions.items():
        replace(os, name, function)
        for held in ("supports_dir_fd", "supports_fd", "supports_follow_symlinks"):
            known = getattr(os, held)
            if _real_os[name] in known:
                replace(os, held, known | {function})
        if accessor is not None and name != "open" and name in vars(accessor):
            replace(accessor, name, staticmethod(function))


def name_temporary_files() -> None:
    """Temporary files lie in the folder, and have the same names in every run."""
    replace(tempfile, "gettempdir", _temporary_folder)
    replace(tempfile, "_get_candidate_names", _temporary_names)
    restart_with(setattr, _TemporaryNames, "number", 0)


def _temporary_folder() -> str:
    if not asked_by_slice():
        return _top_folder
    path = files_root() + "/tmp"
    _real_os["makedirs"](path, exist_ok=True)
    return path


class _TemporaryNames:
    """Names of temporary files, the same in every run."""

    number = 0

    def __iter__(self) -> _TemporaryNames:
        return self

    def __next__(self) -> str:
        _TemporaryNames.number += 1
        return f"{_TemporaryNames.number:08d}"


def _temporary_names() -> Any:
    return _TemporaryNames() if asked_by_slice() else _real_candidate_names()


def lead_readers(*names: str) -> None:
    """Have functions that open files below Python find what is offered."""
    for dotted in names:
        module, _, name = dotted.rpartition(".")
        try:
            owner = importlib.import_module(module)
            real = getattr(owner, name)
        except (ImportError, AttributeError):
            continue
        replace(owner, name, _led_reader(real, writes=name in ("imwrite", "write", "save")))


def _led_reader(real: Any, *, writes: bool) -> Any:
    @functools.wraps(real)
    def call(path: Any, *arguments: Any, **named: Any) -> Any:
        text = _path_text(path)
        place = None if text is None else _place_of(text, writes=writes)
        if place is None:
            return real(path, *arguments, **named)
        value = real(place.path, *arguments, **named)
        if writes:
            note_written(place.named, place.path)
        return value

    return call
