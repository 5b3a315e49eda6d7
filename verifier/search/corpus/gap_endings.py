"""Recognise calls that end at a gap of the slice: they do not show what the target does.

A gap that nothing fills shows when it is reached: a name, a module, metadata or a file is missing.
Where a stub fills it, an error about the stub shows it. The names in the exception tell such errors
from those that the target's own code raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....slicer.model import Gap, Manifest
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed, Node, Observation

_MODULE = re.compile(
    r"no module (\S+) in the repository$"
    r"|(\S+) is compiled from "
    r"|import_module\('([^']+)'\): no such module"
)
_QUOTED = re.compile(r"'([^']+)'")
_FILE = re.compile(r"(.+) \(\d+ bytes\) is read and not carried$")
_FOLDER = re.compile(r"any of more than \d+ files in (.+)/ may be read")
_NOT_IMPORTED = re.compile(r"cannot import name '([^']+)' from ")
_NOT_IN_MODULE = re.compile(r"(?:partially initialized )?module '[^']+' has no attribute '([^']+)'")
_NOT_DEFINED = re.compile(r"(?:free variable |global )?(?:name )?'([^']+)' is not defined")
_STUBS = ("Stub", "PlainStub", "StubClass", "StubError", "StubType")
"""Names of the classes of stubs, which replace what nobody knows."""
_STUB = re.compile(rf"(?<![\w.])(?:{'|'.join(_STUBS)})\b")
_PLACE = re.compile(r"(\S+) \((.+):(\d+)\)$")


@dataclass(frozen=True, slots=True)
class MissingNames:
    """The missing parts of a slice, recognised by the exceptions that they cause."""

    gaps: tuple[Gap, ...]
    """Gaps that nothing fills."""
    stubs: Gap | None
    """One gap for everything that stubs replace."""
    is_own: Callable[[str], bool]
    """Tells whether a module belongs to the repository."""

    def __call__(self, observation: str) -> Gap | None:
        """Return the gap at which a call ended, or `None` if it ended otherwise."""
        if not (self.gaps or self.stubs) or observation.startswith('{"outcome":"returned"'):
            return None
        found = decode_text(observation) if observation else None
        raised = None if found is None or isinstance(found, Malformed) else _exception(found)
        if raised is None:
            return None
        kind, text, name = raised
        for gap in self.gaps:
            if self._is_missed(gap, kind, text, name):
                return gap
        return (
            self.stubs if kind in ("TypeError", "AttributeError") and _STUB.search(text) else None
        )

    def _is_missed(self, gap: Gap, kind: str, text: str, name: str) -> bool:
        match gap.kind, kind:
            case "undefined-name", "NameError" | "AttributeError" | "ImportError":
                pattern = {"NameError": _NOT_DEFINED, "ImportError": _NOT_IMPORTED}
                found = pattern.get(kind, _NOT_IN_MODULE).match(text)
                return bool(found) and found[1] in _QUOTED.findall(gap.detail)
            case "unresolved-import" | "compiled-extension" | "missing-module", _:
                return _is_module_missed(_module(gap), kind, text, name)
            case "dynamic-import", "ModuleNotFoundError":
                return bool(name) and self.is_own(name)
            case "own-metadata", "importlib.metadata.PackageNotFoundError":
                return text in _QUOTED.findall(gap.detail)
            case "data-file", "FileNotFoundError":
                return _is_file_missed(gap.detail, name)
            case _:
                return False


def _module(gap: Gap) -> str:
    """Return the name of the missing module, or an empty text if the gap is no module."""
    found = _MODULE.match(gap.detail)
    return next(filter(None, found.groups()), "") if found else ""


def _is_module_missed(module: str, kind: str, text: str, name: str) -> bool:
    """Whether an exception says that this module, its package or a submodule was not found."""
    if not module:
        return False
    if kind == "ImportError":  # raised by `from . import module`
        found = _NOT_IMPORTED.match(text)
        return bool(found) and f"{name}.{found[1]}" == module
    is_near = f"{module}.".startswith(f"{name}.") or name.startswith(f"{module}.")
    return kind == "ModuleNotFoundError" and bool(name) and is_near


def _is_file_missed(detail: str, name: str) -> bool:
    file, folder = _FILE.match(detail), _FOLDER.match(detail)
    if file:
        return f"/{name}".endswith(f"/{file[1]}")
    return bool(folder) and f"/{folder[1]}/" in f"/{name}"


def _exception(found: Observation) -> tuple[str, str, str] | None:
    """Return class, first text and `name` of the exception that the call or its setup raised."""
    node = found.exception
    if found.outcome not in ("raised", "not_called") or not isinstance(node, Node):
        return None
    if node.kind == "ref":
        to = node.field("to")
        node = found.shared[to] if isinstance(to, int) else node
    first = next((v for v in node.group("args").values if isinstance(v, str)), "")
    state = node.group("state")
    named = dict(zip(state.keys, state.values, strict=True))
    name = named.get("name") or named.get("filename")
    return node.text("type"), first, name if isinstance(name, str) else ""


# ------------------------------------------------------------------------------ of a slice


def missing_names_of(manifest: Manifest, is_own: Callable[[str], bool]) -> MissingNames:
    """Return what a slice lacks.

    Args:
        manifest: the slice's manifest.
        is_own: whether a module, by its full name, belongs to the repository.
    """
    gaps = tuple(gap for gap in manifest.gaps if not gap.filled_by)
    return MissingNames(gaps, _stubs(manifest), is_own)


def _stubs(manifest: Manifest) -> Gap | None:
    """Return one gap for all stubs, or `None` if there are none or they cannot be recognised."""
    stubbed = [each.module for each in manifest.externals if each.treatment == "stubbed"]
    filled = [gap for gap in manifest.gaps if gap.filled_by and _module(gap)]
    is_own = any(d.qualname.rpartition(".")[2] in _STUBS for d in manifest.definitions)
    if is_own or not (stubbed or filled):
        return None
    path, line = _place(manifest, stubbed, filled)
    names = dict.fromkeys((*stubbed, *(_module(gap) for gap in filled)))
    return Gap("stub", path, line, f"a stub stands in for {', '.join(names)}")


def _place(manifest: Manifest, stubbed: Sequence[str], filled: Sequence[Gap]) -> tuple[str, int]:
    """Return path and line where the code first names what is stubbed."""
    for gap in filled:
        return gap.path, gap.line
    contacts = (_PLACE.match(each) for mock in manifest.mocks for each in mock.contacts)
    for found in filter(None, contacts):
        if any(f"{found[1]}.".startswith(f"{module}.") for module in stubbed):
            return found[2], int(found[3])
    (target, *_) = manifest.targets
    return target.path, 1
