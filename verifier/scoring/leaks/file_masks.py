"""Masks: files that are kept from candidates because they hold the original.

They are named from the folders that modules are imported from, as these differ from machine to
machine. Whether what a script imports needs one of them shows when the original is run without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.machinery import FrozenImporter
from itertools import takewhile
from pathlib import Path

from ...execution.executors.host.interpreters import Interpreter, find_interpreter
from ...execution.executors.interface import Profile

_PACKAGES = ("lib/python*/site-packages", "lib/pypy*/site-packages")


def masks_of(profile: Profile, path: str, copies: Sequence[Path]) -> tuple[tuple[str, ...], ...]:
    """What to mask, the widest choice first; the last one is the copies alone.

    The widest are the packages that the copies are modules of, and what is installed of the
    target's own package: its other functions would give much of it away.

    Args:
        profile: of the runs.
        path: of the target's file in the repository.
        copies: files that hold the original.
    """
    interpreter = find_interpreter(profile.python)
    roots = _roots(interpreter)
    alone = [_name(each, roots) for each in copies]
    if any(name is None or _is_frozen(name) for name in alone):
        return ()
    packages = [_package(name, path) for name in alone if name]
    wide = tuple(dict.fromkeys((*packages, *_own(path, roots))))
    choices = (wide, tuple(dict.fromkeys(name for name in alone if name)))
    return tuple(dict.fromkeys(each for each in choices if each))


def masked(profile: Profile, names: Iterable[str]) -> Profile:
    """The profile in which these are hidden; what is not installed here is nowhere to be hidden."""
    roots = _roots(find_interpreter(profile.python))
    found = (root / name for name in names for root in roots)
    hidden = [file for path in found if path.exists() for file in _with_bytecode(path)]
    return replace(profile, hidden=(*profile.hidden, *hidden))


def _roots(interpreter: Interpreter) -> list[Path]:
    """Folders from which modules are imported, those that lie in others first."""
    roots = [*interpreter.packages]
    if interpreter.environment is not None:
        roots += [each for p in _PACKAGES for each in sorted(interpreter.environment.glob(p))]
    roots += [each.parent for folder in interpreter.libraries for each in _landmarks(folder)]
    if interpreter.environment is not None:
        roots.append(interpreter.environment)
    return list(dict.fromkeys(roots))


def _landmarks(folder: Path) -> Iterator[Path]:
    places = (folder / "os.py", *sorted(folder.glob("*/os.py")))
    yield from (each for each in places if each.is_file())


def _name(path: Path, roots: Iterable[Path]) -> str | None:
    """A path from its root."""
    root = next((each for each in roots if path.is_relative_to(each)), None)
    return None if root is None else path.relative_to(root).as_posix()


def _is_frozen(name: str) -> bool:
    """Whether it is a module that the interpreter itself holds, and so cannot be hidden."""
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return FrozenImporter.find_spec(module) is not None


def _package(name: str, path: str) -> str:
    """The part of a copy's path from which on it is the target's, or all of it."""
    own, theirs = path.split("/"), name.split("/")
    pairs = zip(reversed(own), reversed(theirs), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return "/".join(theirs[: len(theirs) - same + 1]) if same > 1 else name


def _own(path: str, roots: Iterable[Path]) -> Iterator[str]:
    """Installed packages that have the target's module."""
    parts = path.split("/")
    for start in range(len(parts) - 1):
        module = "/".join(parts[start:])
        if any((root / module).is_file() for root in roots):
            yield parts[start]


def _with_bytecode(path: Path) -> Iterator[Path]:
    yield path
    if path.suffix == ".py":
        yield from sorted(path.parent.glob(f"__pycache__/{path.stem}.*.pyc"))
