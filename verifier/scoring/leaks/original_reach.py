"""Whether the original is reachable where candidates run, so that they could call or copy it.

All files visible to scripts are searched for functions of its name, archives and bytecode included.
A function is a copy if it has the same or similar code (another version), or the same qualified
name in a module of the same path (its own distribution, or a vendored copy).
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ...execution.executors.host import system_files
from ...execution.executors.host.bubblewrap import SANDBOXED
from ...execution.executors.host.interpreters import find_interpreter
from ...execution.executors.interface import Profile
from .definition_index import Index, index_of, texts_of
from .fingerprints import Fingerprint, fingerprints

_LEAST_SHARED = 0.6
"""Share of words from which two functions of one name count as versions of one another."""
_HOOKS = frozenset({"__getattr__", "__dir__"})
"""Module hooks, which share name and words across packages by convention."""
_BY_NAMES = 0.8
"""Share of a function's names in bytecode from which it counts as a copy."""
_SHORTEST_NAME = 4
_FEW = 3
"""Number of names that bytecode may share by chance."""


@dataclass(frozen=True, slots=True)
class Original:
    """The function that is searched for."""

    path: str
    """Path of the target's file in the repository."""
    qualname: str
    prints: tuple[Fingerprint, ...]
    """Fingerprints of its definitions."""
    names: frozenset[str]
    """Names in its text."""

    @property
    def tail(self) -> str:
        """Return the end of its module's path, without suffix, which any copy shares."""
        return _tail(self.path)

    def is_in(self, path: Path) -> bool:
        """Whether a file that defines its name contains a copy."""
        is_module = _tail(path.as_posix()) == self.tail
        try:
            texts = [text for text in texts_of(path) if is_module or self._may_match(text)]
        except (OSError, ValueError):
            return True
        found = (each for text in texts for each in fingerprints(text.decode("utf-8", "replace")))
        return any(self._is(each, is_module=is_module) for each in found)

    def _is(self, each: Fingerprint, *, is_module: bool) -> bool:
        if is_module and each.qualname == self.qualname:
            return True
        own = (mine for mine in self.prints if mine.is_telling and mine.name == each.name)
        is_hook = each.qualname in _HOOKS
        return any(
            each.content == mine.content or (not is_hook and mine.likeness(each) >= _LEAST_SHARED)
            for mine in own
        )

    def _may_match(self, text: bytes) -> bool:
        """Whether enough of its words occur in a text; this excludes most files cheaply."""
        if sum(n.encode() in text for n in self.names) < _LEAST_SHARED * len(self.names):
            return False
        telling = (each for each in self.prints if each.is_telling)
        return any(each.share_in(text) >= _LEAST_SHARED for each in telling)

    def is_named_in(self, bytecode: Path) -> bool:
        """Whether bytecode without source contains the names in its text."""
        content = bytecode.read_bytes()
        own = (self.qualname.rpartition(".")[2].encode() in content) and len(self.names) > _FEW
        return own and sum(n.encode() in content for n in self.names) >= _BY_NAMES * len(self.names)


@dataclass(frozen=True, slots=True)
class View:
    """The folders visible to scripts, each with its index."""

    indexes: tuple[Index, ...]

    def copies(self, original: Original) -> Iterator[Path]:
        """Yield files that contain the original, or cannot be searched."""
        found = (each for index in self.indexes for each in _copies(index, original))
        yield from dict.fromkeys(found)


def view_of(profile: Profile, cache: Path) -> View:
    """Return the folders visible to scripts with a profile.

    Args:
        profile: interpreter profile of the runs.
        cache: folder for indexes.

    Raises:
        SandboxError: the interpreter does not exist.
    """
    interpreter = find_interpreter(profile.python)
    folders = [*interpreter.folders, *profile.readable, *system_files.library_folders(), SANDBOXED]
    covered = (*interpreter.covered, *profile.hidden)
    return View(tuple(index_of(each, _inside(covered, each), cache) for each in folders))


def original_of(path: str, qualname: str, text: str, definitions: Sequence[str]) -> Original:
    """Return the function to search for.

    Args:
        path: path of the target's file.
        qualname: qualified name of the target; for a class all its methods are searched for.
        text: text of the file.
        definitions: texts of the target's definitions.
    """
    every = tuple(fingerprints(text))
    own = tuple(each for each in every if each.qualname == qualname)
    own = own or tuple(each for each in every if each.qualname.startswith(f"{qualname}."))
    return Original(path, qualname, own, frozenset(_names(definitions)))


def _names(definitions: Iterable[str]) -> Iterator[str]:
    for text in definitions:
        try:
            tree = ast.parse(textwrap.dedent(text))
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                    if len(name) >= _SHORTEST_NAME:
                        yield name
                case _:
                    pass


def _inside(folders: Iterable[Path], top: Path) -> list[Path]:
    return [each for each in folders if each.is_relative_to(top)]


def _copies(index: Index, original: Original) -> Iterator[Path]:
    for name in sorted({each.name for each in original.prints}):
        yield from (path for path in index.defining(name) if original.is_in(path))
    yield from (path for path in index.compiled() if _tail(path.as_posix()) == original.tail)
    yield from (path for path in index.bytecode() if original.is_named_in(path))
    yield from index.unsearched()


def _tail(path: str) -> str:
    """Return the last two parts of a module's path, without suffixes."""
    parts = PurePosixPath(path.removesuffix("/__init__.py")).parts
    return "/".join((*parts[-2:-1], parts[-1].partition(".")[0]))
