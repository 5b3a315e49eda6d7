"""What a folder holds, and what a log of effects says that it should hold."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from slicefunc.mocker.world.network.http_answers import shown_bytes
from slicefunc.mocker.world.network.remote_files import REMOTE_NAMES, REMOTE_TEXT

REMOVALS = {"DELE", "RMD", "remove", "rmdir"}
FOLDERS = {"MKD", "mkdir"}
RENAMES = {"RENAME", "rename", "posix_rename"}


def seed(*folders: Path) -> None:
    """Put into folders what those of mocked machines hold."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for name in REMOTE_NAMES:
            (folder / name).write_bytes(REMOTE_TEXT)


def held(top: Path) -> dict[str, object]:
    """Paths, each with what the log shows of a file's content, or with nothing for a folder."""
    return {
        f"/{path.relative_to(top)}": None if path.is_dir() else shown_bytes(path.read_bytes())
        for path in sorted(top.rglob("*"))
    }


def replayed(effects: list[tuple], before: dict[str, object]) -> dict[str, object]:
    """What a folder holds after these effects."""
    files = dict(before)
    for kind, target, *arguments in effects:
        if kind == "write":
            path = "/" + target.partition("://")[2].partition("/")[2]
            files[path] = arguments[0]
        elif kind == "command":
            what, path, *more = arguments[0].split(" ")
            if what in REMOVALS:
                del files[path]
            elif what == "truncate":
                files[path] = str(files[path])[: int(more[0])]
            elif what == "symlink":
                files[more[0]] = "link"
            elif what in FOLDERS:
                files[path] = None
            elif what in RENAMES:
                for name in [n for n in files if PurePosixPath(n).is_relative_to(path)]:
                    files[more[0] + name.removeprefix(path)] = files.pop(name)
    return files
