"""Functions of `os` on what is not there, and on what lies outside the working folder."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from typing import Any

from .....world.core.own_code import asked_by_slice
from .....world.core.world import record, replace
from .file_places import (
    _copy_in,
    _full_path,
    _gone_files,
    _is_below_folder,
    _is_folder,
    _is_in_files_root,
    _is_there,
    _must_be_new,
    _path_text,
    _Place,
    _place_of,
    _planned_folder,
    _real_os,
    _real_rmtree,
    _told_path,
    _work_folder,
)


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
        own = _is_in_files_root(_full_path(from_))
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
