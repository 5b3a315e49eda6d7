"""The files offered to a slice in place of missing ones."""

from __future__ import annotations

import ast
import base64
import posixpath
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ....slicer.model import Gap
from ....slicer.resources.data_files import MAX_EMBEDDED, MAX_FILE
from ...contacts import Border
from ...source.kept_code import KeptCode, kept_code
from ...source.text_values import ANY, GIVEN
from .file_answers import Content, contents
from .file_uses import FileUse, file_uses

if TYPE_CHECKING:
    from ....slicer import Repository

_BELOW_PYTHON = frozenset({
    "cv2.imread", "cv2.imwrite", "cv2.VideoCapture", "cv2.CascadeClassifier", "h5py.File",
    "soundfile.read", "librosa.load", "pygame.image.load", "lxml.etree.parse",
})  # fmt: skip
_OUTSIDE = re.compile(r"[/~]|\.\.[\\/]|[A-Za-z]:[\\/]|\\\\")
_ONLY_ANY = re.compile(r"[*./\\]*\*[*./\\]*")
_ENDINGS = re.compile(r"\.[A-Za-z0-9]{1,5}")
_MOST_LISTED = 20


@dataclass(slots=True)
class Plan:
    """The files and folders offered to a slice."""

    offered: dict[str, dict[str, Content]] = field(default_factory=dict[str, dict[str, Content]])
    """Path → variant → content; a folder's path ends with a slash."""
    gaps: list[Gap] = field(default_factory=list[Gap])
    data_files: set[str] = field(default_factory=set[str])
    readers: set[str] = field(default_factory=set[str])
    guards: bool = False
    """Whether the slice may write or remove something outside the working folder."""
    size: int = 0


def file_plan(border: Border) -> Plan:
    """Return the plan of the files that a slice reads and writes; cached per slice."""
    return border.of_slice("file plan", lambda: _made_plan(border))


def _made_plan(border: Border) -> Plan:
    plan = Plan()
    code = kept_code(border)
    uses = list(file_uses(border, code))
    # literal paths before patterns
    for use in sorted(uses, key=lambda use: (use.text.count(ANY), -len(use.text), use.text)):
        if use.does == "write":
            _offer_place(plan, use, uses)
        if GIVEN in use.text or "://" in use.text or not use.text.strip():
            continue
        if use.name in _BELOW_PYTHON:
            plan.readers.add(use.name)
        if use.does in ("write", "remove"):
            plan.guards |= bool(_OUTSIDE.match(use.text)) or _is_anything(use.text)
        elif use.does == "read":
            if not _written_before(use, uses):
                _offer_file(plan, border, code, use)
        else:
            _offer_folder(plan, border, code, use, uses)
    return plan


def _written_before(use: FileUse, uses: Sequence[FileUse]) -> bool:
    """Whether the same code writes the file first."""
    return any(
        u.kept is use.kept
        and u.does == "write"
        and u.text == use.text
        and u.call.lineno < use.call.lineno
        for u in uses
    )


def _is_anything(text: str) -> bool:
    return bool(_ONLY_ANY.fullmatch(text))


def _offer_file(plan: Plan, border: Border, code: KeptCode, use: FileUse) -> None:
    path = _normal(use.text)
    if path in plan.offered or path.startswith(("/dev/", "/proc/", "/sys/")):
        return
    carried = _in_repository(border.repository, use.kept.path, path)
    if carried is not None:
        if carried in border.sliced.manifest.data_files and ANY in path:
            return
        if _carry(plan, border.repository, path, carried):
            return
    if use.name == "pygame.mixer.Sound":
        return  # a missing file stays missing
    if use.name in ("os.path.getsize", "os.stat", "linecache.getlines") and ANY in path:
        return
    plan.offered[path] = contents(border, code, use.kept, path, use.reader, use.call)
    what = "a file" if _is_anything(path) else path
    detail = f"{what} is read and is not in the repository"
    line = use.kept.node.lineno
    plan.gaps.append(Gap("data-file", use.kept.path, line, detail, "mock: files"))


def _carry(plan: Plan, repository: Repository, path: str, found: str) -> bool:
    """Offer a file of the repository unchanged, if there is room; return whether there was."""
    data = repository.read_data(found)
    if len(data) > MAX_FILE or plan.size + len(data) > MAX_EMBEDDED:
        return False
    plan.size += len(data)
    plan.data_files.add(found)
    plan.offered[path] = {"default": _content(data), "missing": None}
    return True


def _content(data: bytes) -> Content:
    if len(data) <= MAX_FILE >> 8:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    return ("packed_file", base64.b64encode(zlib.compress(data, 9)).decode("ascii"))


def _normal(text: str) -> str:
    path = text.replace("\\", "/")
    if re.match("[A-Za-z]:/", path):
        path = "/" + path.replace(":", "", 1)
    return posixpath.normpath(re.sub(r"\*+", "*", path))


def _in_repository(repository: Repository, reader: str, path: str) -> str | None:
    """Return the repository file that a path means, whatever the working directory.

    A path from another machine means the file that shares the longest tail with it.
    """
    tail = path.rpartition(ANY)[2].lstrip("/~") if ANY in path else path.lstrip("/~")
    if not tail or (ANY in path and path.rpartition(ANY)[2][:1] not in ("/", "")):
        return None
    folders = [""]
    folder = posixpath.dirname(reader)
    while folder:
        folders.append(folder)
        folder = posixpath.dirname(folder)
    parts = tail.split("/")
    fewest = len(parts) if not path.startswith(("/", "~")) and ANY not in path else 1
    for start in range(len(parts) - fewest + 1):
        for folder in folders:
            found = posixpath.normpath(posixpath.join(folder, *parts[start:]))
            if not found.startswith("..") and repository.is_file(found):
                return found if not found.endswith(".pyc") else None
    return None


# ----------------------------------------------------------------------------- folders


def _offer_place(plan: Plan, use: FileUse, uses: Sequence[FileUse]) -> None:
    """Offer the folder that a file is written into, unless the slice makes it itself."""
    folder = _normal(use.text.replace(GIVEN, ANY)).rpartition("/")[0]
    if not folder or use.text.startswith(GIVEN) or "://" in use.text or _makes_folder(use):
        return
    if _OUTSIDE.match(f"{folder}/") or _is_anything(folder):
        return
    made = (_normal(each.text) for each in uses if _makes_folder(each))
    if not any(_is_in(each, folder) or fnmatchcase(folder, each) for each in made):
        plan.offered[f"{folder}/"] = {"default": "", "missing": None}


def _makes_folder(use: FileUse) -> bool:
    return use.name.rpartition(".")[2] in ("makedirs", "mkdir")


def _offer_folder(
    plan: Plan, border: Border, code: KeptCode, use: FileUse, uses: Sequence[FileUse]
) -> None:
    path = _normal(use.text)
    name = path.rpartition("/")[2]
    lists = "glob" in use.name and ANY in name  # its last part is a pattern
    folder = path.rpartition("/")[0] if lists else path
    if "glob" in use.name and not lists:
        return
    folder = folder.removesuffix("/*").removesuffix("/**").replace("/**", "")
    if ANY in folder or folder in ("", ".", "/", "~") or folder.startswith(".."):
        return
    ending = name.rpartition(ANY)[2] if lists else ""
    if any(u.does == "write" and _is_in(u.text, folder) for u in uses):
        return  # the slice fills it itself
    if _carry_folder(plan, border.repository, use, folder, ending):
        return
    ending = ending if ending.startswith(".") else _ending(code, use, folder, uses) + ending
    for number in (1, 2):
        file = f"{folder}/file{number}{ending}"
        if file not in plan.offered:
            reader = next((u.reader for u in uses if u.kept is use.kept and u.does == "read"), "")
            plan.offered[file] = contents(border, code, use.kept, file, reader)
    detail = f"the folder {folder} is read and is not in the repository"
    line = use.kept.node.lineno
    plan.gaps.append(Gap("data-file", use.kept.path, line, detail, "mock: files"))


def _is_in(text: str, folder: str) -> bool:
    return _normal(text) == folder or _normal(text).startswith(folder + "/")


def _carry_folder(
    plan: Plan, repository: Repository, use: FileUse, folder: str, ending: str
) -> bool:
    base = posixpath.dirname(use.kept.path)
    for start in dict.fromkeys(("", base)):
        there = posixpath.normpath(posixpath.join(start, folder))
        if there.startswith("..") or not repository.is_folder(there):
            continue
        files = [f"{there}/{n}" for n in sorted(repository.listing(there)) if not n.endswith("/")]
        fitting = [f for f in files if f.endswith(ending)][:_MOST_LISTED]
        for file in fitting:
            _carry(plan, repository, f"{folder}/{posixpath.basename(file)}", file)
        return bool(fitting)
    return False


def _ending(code: KeptCode, use: FileUse, folder: str, uses: Sequence[FileUse]) -> str:
    """Return the extension of the file names the slice asks for in a folder, or anywhere."""
    inside = (posixpath.splitext(u.text)[1] for u in uses if _is_in(u.text, folder))
    return next((ending for ending in inside if ending), "") or next(_endings(code, use), ".txt")


def _endings(code: KeptCode, use: FileUse) -> Iterator[str]:
    wholes = [use.kept, *(kept for kept in code.statements if kept is not use.kept)]
    for kept in wholes:
        for node in code.walk(kept.node):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if _ENDINGS.fullmatch(text) and not text[1:].isdigit():
                    yield text
