"""Masks: files hidden from candidates because they contain the original.

Paths are relative to import roots, which differ between machines. Running the original without
these files shows whether the script's imports need them.
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
    """Return sets of files to mask, the widest first; the last one has the copies alone.

    The widest are the packages around the copies, and installed parts of the target's own package,
    whose other functions would give much away.

    Args:
        profile: interpreter profile of the runs.
        path: path of the target's file in the repository.
        copies: files that contain the original.
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
    """Return the profile with these files hidden, as far as they are installed here."""
    roots = _roots(find_interpreter(profile.python))
    found = (root / name for name in names for root in roots)
    hidden = [file for path in found if path.exists() for file in _with_bytecode(path)]
    return replace(profile, hidden=(*profile.hidden, *hidden))


def _roots(interpreter: Interpreter) -> list[Path]:
    """Return the folders that modules are imported from, inner ones first."""
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
    """Return a path relative to its root."""
    root = next((each for each in roots if path.is_relative_to(each)), None)
    return None if root is None else path.relative_to(root).as_posix()


def _is_frozen(name: str) -> bool:
    """Whether a module is frozen into the interpreter, and so cannot be hidden."""
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return FrozenImporter.find_spec(module) is not None


def _package(name: str, path: str) -> str:
    """Return the copy's path up to where it agrees with the target's path, or all of it."""
    own, theirs = path.split("/"), name.split("/")
    pairs = zip(reversed(own), reversed(theirs), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return "/".join(theirs[: len(theirs) - same + 1]) if same > 1 else name


def _own(path: str, roots: Iterable[Path]) -> Iterator[str]:
    """Yield installed packages that contain the target's module."""
    parts = path.split("/")
    for start in range(len(parts) - 1):
        module = "/".join(parts[start:])
        if any((root / module).is_file() for root in roots):
            yield parts[start]


def _with_bytecode(path: Path) -> Iterator[Path]:
    yield path
    if path.suffix == ".py":
        yield from sorted(path.parent.glob(f"__pycache__/{path.stem}.*.pyc"))
