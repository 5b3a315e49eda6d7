"""Subclasses that override members which a target reads of its instance.

A candidate that bypasses such a member behaves the same on an instance of the base class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from ....slicer.analysis.inference import Inference
from ....slicer.analysis.names.word_mentions import Mentions, top_classes
from ....slicer.analysis.scopes.definitions import ClassInfo, nested_class
from ....slicer.closure.repository_analysis import analysis_of
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ....slicer.model import Slice
from ....slicer.repo.repository import Repository
from ..target_functions import targeted_functions
from .own_attributes import attributes_read

_MOST = 2
_MOST_FILES = 8
_TESTS = frozenset({"test", "tests", "testing"})


def missing_subclasses(repository: Repository, sliced: Slice) -> tuple[str, ...]:
    """Return the subclasses that the slice lacks, as `path::qualname`.

    Args:
        repository: the target's repository.
        sliced: the target's slice.
    """
    inference = analysis_of(repository).inference
    kept = {(d.path, d.first_line) for d in sliced.manifest.definitions}
    found = {
        f"{cls.module.path}::{cls.qualname}": None
        for function in targeted_functions(repository, sliced)
        for cls in overriding_subclasses(repository, inference, function)
        if (cls.module.path, cls.unit.first) not in kept
    }
    return tuple(islice(found, _MOST))


def overriding_subclasses(
    repository: Repository, inference: Inference, function: TargetFunction
) -> tuple[ClassInfo, ...]:
    """Return a few such subclasses, in the order of the files; none if no instance is needed."""
    owner = function.owner
    if owner is None or not function.takes_self or not function.node.args.args:
        return ()
    defined = {node.name for cls in inference.mro(owner) for node in cls.functions}
    read = set(attributes_read(function.node)) & defined - {function.node.name}
    if not read:
        return ()
    found = subclasses_of(Mentions(repository), inference, owner)
    return tuple(islice((c for c in found if _overrides(c, read, function.node.name)), _MOST))


def subclasses_of(
    mentions: Mentions, inference: Inference, owner: ClassInfo
) -> Iterator[ClassInfo]:
    """Yield the repository's subclasses of a class, in the order of the files.

    Nested classes are included.
    """
    paths = mentions.files_with_base(owner.node.name)
    for module in mentions.modules(paths, _MOST_FILES):
        for outer in top_classes(module):
            for cls in _with_inner(outer):
                if cls is not owner and owner in inference.mro(cls):
                    yield cls


def _with_inner(cls: ClassInfo) -> Iterator[ClassInfo]:
    yield cls
    for unit in cls.members:
        if isinstance(unit.node, ast.ClassDef):
            yield from _with_inner(nested_class(cls.scope, unit, unit.node))


def _overrides(cls: ClassInfo, read: set[str], target: str) -> bool:
    path = PurePosixPath(cls.module.path)
    if "." in cls.qualname:  # a nested class is kept only with the class around it
        return False
    if _TESTS.intersection(path.parts[:-1]) or path.name.startswith("test_"):
        return False
    names = {node.name for node in cls.functions}
    return target not in names and not read.isdisjoint(names)
