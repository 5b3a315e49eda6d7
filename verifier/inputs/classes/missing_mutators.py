"""Methods that fill what a target reads of its instance, and that its slice lacks.

A slice keeps what the target needs of a class. Users of the class fill it first, and only so is its
private state consistent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from ....slicer.analysis.inference import Inference
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.closure.repository_analysis import analysis_of
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction
from ....slicer.model import Slice
from ....slicer.repo.repository import Repository
from ..target_functions import targeted_functions
from .attribute_writes import is_mutator, written_place
from .own_attributes import attributes_read

_MOST = 3


def missing_mutators(repository: Repository, sliced: Slice) -> tuple[str, ...]:
    """Return the methods that the slice lacks, as `path::qualname`, a few of the nearest classes.

    Args:
        repository: the target's repository.
        sliced: the target's slice.
    """
    inference = analysis_of(repository).inference
    kept = {(d.path, d.qualname) for d in sliced.manifest.definitions}
    found: dict[str, None] = {}
    for function in targeted_functions(repository, sliced):
        if function.owner is None or not function.takes_self or function.node.name == "__init__":
            continue
        for cls, node in _mutators(inference, function, function.owner):
            qualname = f"{cls.qualname}.{node.name}"
            if (cls.module.path, qualname) not in kept:
                found[f"{cls.module.path}::{qualname}"] = None
    return tuple(islice(found, _MOST))


def _mutators(
    inference: Inference, function: TargetFunction, owner: ClassInfo
) -> Iterator[tuple[ClassInfo, FunctionNode]]:
    """Yield methods that write to attributes read by the target or its own callees."""
    methods: dict[str, tuple[ClassInfo, FunctionNode]] = {}
    for cls in inference.mro(owner):
        for node in cls.functions:
            methods.setdefault(node.name, (cls, node))
    todo, read = [function.node.name], set[str]()
    for name in todo:  # grows while it is read
        found = attributes_read(methods[name][1]) if name in methods else ()
        read.update(found)
        todo += [each for each in found if each in methods and each not in todo]
    for cls, node in methods.values():
        if node.name not in todo and is_mutator(node) and not _written(node).isdisjoint(read):
            yield cls, node


def _written(node: FunctionNode) -> set[str]:
    """Return the attributes of `self` that a method assigns to or changes in place."""
    own = f"{node.args.args[0].arg}." if node.args.args else "."
    places = map(written_place, ast.walk(node))
    return {place.removeprefix(own) for place in places if place.startswith(own)}
