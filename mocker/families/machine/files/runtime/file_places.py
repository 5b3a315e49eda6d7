"""Where paths lead: files that are not there, and a folder in place of all that lies outside."""

from __future__ import annotations

import atexit
import fnmatch
import functools
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
from typing import Any

from .....world.core.own_code import asked_by_slice, is_own_frame, own_place
from .....world.core.world import chosen, tell_with, undo_with
from .....world.data.file_contents import content_bytes
from .kept_folder import KeptFolder
from .own_folder import leave_folder, own_folder, told_elsewhere

_real_os = {name: getattr(os, name) for name in (
    "stat", "lstat", "access", "readlink", "listdir", "scandir", "chdir", "mkdir", "rmdir",
    "remove", "unlink", "chmod", "utime", "truncate", "rename", "replace", "link", "symlink",
    "open", "makedirs", "listxattr", "getxattr", "setxattr",
) if hasattr(os, name)}  # fmt: skip
_real_open, _real_rmtree = io.open, shutil.rmtree
_top_folder = os.path.realpath(tempfile.gettempdir())  # asked for later, it would ask itself
_real_getpid = os.getpid
_WINDOWS_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_offered: dict[str, dict[str, Any]] = {}
_gone_files: set[str] = set()
_work_folder = os.path.realpath(os.getcwd())
_files_root = ""
_made_as: dict[str, Any] = {}
"""Path of an offered file → the content that it was made with."""


def files_root() -> str:
    """The folder in place of the world; made when it is first needed, gone at the end."""
    global _files_root
    if not _files_root:
        _files_root = path = own_folder(_top_folder)
        owner = _real_getpid()
        outside = {"/tmp": _top_folder, "/offered/absolute": "", "/offered/": ""}
        outside |= {"/world": "", "/gone": "", "": ""}
        tell_with(told_elsewhere, {path + part: there for part, there in outside.items()})

        def leave() -> None:
            if owner == _real_getpid():
                leave_folder(path)

        atexit.register(leave)
        undo_with(leave)
        if _FirstFiles.is_kept:
            _FirstFiles.folder = KeptFolder(path)
    return _files_root


class _FirstFiles:
    """What the first case found."""

    is_kept = False
    folder: Any = None
    gone: frozenset[str] = frozenset()
    made: dict[str, Any] = {}


def begin_files_anew() -> None:
    """Keep what the first case finds, and bring it back for each later one."""
    first = _FirstFiles
    if not first.is_kept:
        first.is_kept = True
        first.folder = KeptFolder(_files_root) if _files_root else None
        first.gone, first.made = frozenset(_gone_files), dict(_made_as)
        return
    if first.folder is not None:
        first.folder.bring_back()
    _gone_files.clear()
    _gone_files.update(first.gone)
    _made_as.clear()
    _made_as.update(first.made)


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


def _is_in_files_root(full: str) -> bool:
    return bool(_files_root) and _is_below_folder(full, _files_root)


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
    if "\0" in full or full.startswith(("/dev/", "/proc/")):
        return None
    if _is_in_files_root(full) and (writes or _is_there(full)):
        return None  # else it may be offered: carried files lie there, too, and others beside them
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
    if _offered and not _is_there(folder):
        planned = _planned_folder(os.path.dirname(text), folder)
        if planned is not None and _is_folder(planned):
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
    """The machine's folders, each with a slash at its end, the deepest first."""
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, *(p for p in sys.path if p)]
    named = ["/usr", "/etc", "/lib", "/bin", "/sys", *map(os.path.realpath, folders), *folders]
    ended = {folder.rstrip("/") + "/" for folder in named}
    return tuple(sorted(ended, key=lambda folder: (-len(folder), folder)))


def _is_systems_own(full: str) -> bool:
    """Whether it is the machine's own: the interpreter, its packages, time zones, devices."""
    inside = full + "/"
    if not inside.startswith(_system_folders()):  # asked for each part of thousands of paths
        return False
    deepest = next(folder for folder in _system_folders() if inside.startswith(folder))
    # the slice's own folder is searched too, or lies below one that is: it is no part of it
    own = own_place()
    return not own or not _is_below_folder(full, own) or len(deepest) > len(own) + 1


def _is_librarys_cache(full: str) -> bool:
    """Whether a library asks for what it may have kept in a former run."""
    folders = full.split("/")[:-1]
    is_cache = any(part == "__pycache__" or part.startswith(".cache") for part in folders)
    return is_cache and not is_own_frame(_asking_frame())


def _planned(text: str, full: str, *, opens: bool = False) -> str | None:
    """A file or folder that the slice reads and nobody has, made up on the spot."""
    if not _offered:
        return None
    names = _spellings_of(text, full)
    # whether just any file is there is answered truly: only opening one makes it up
    patterns = [p for p in _offered if opens or not p.endswith("*")]
    if _is_systems_own(full) or _is_librarys_cache(full):
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
    pattern = pattern.rstrip("/")  # of a folder
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
    if pattern.endswith("/"):
        _real_os["makedirs"](path, exist_ok=True)
    elif not _is_there(path):
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


def _planned_folder(text: str, full: str) -> str | None:
    names = _spellings_of(text, full)
    if not any(_is_or_holds(name, p) for name in names for p in _offered):
        return None
    return _planned(text, full)


def _is_or_holds(folder: str, pattern: str) -> bool:
    return _holds_pattern(folder, pattern) or (
        pattern.endswith("/") and _fits_pattern(folder, pattern)
    )
