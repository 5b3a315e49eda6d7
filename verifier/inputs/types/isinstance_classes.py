"""Repository classes that a target's tests, handlers or docstring name.

Cases must be able to make instances of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, islice

from ....mocker.flow.named_tuples import NamedTupleInfo, named_tuple
from ....slicer.analysis.inference import Inference
from ....slicer.analysis.scopes.definitions import ClassInfo, Scope, function_scope
from ....slicer.analysis.values.abstract_values import ClassValue, ordered
from ....slicer.closure.repository_analysis import analysis_of
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ....slicer.errors import SourceError
from ....slicer.model import Slice
from ....slicer.repo.repository import Repository
from ..target_functions import targeted_functions
from .docstring_types import annotation_from_prose
from .docstrings import documented_type
from .tested_values import item_names, nested_classes, tested_classes

_MOST = 6


def isinstance_classes(repository: Repository, sliced: Slice) -> tuple[str, ...]:
    """Return classes that the slice lacks, or whose constructors it lacks, as `path::qualname`.

    A slice keeps only what a test needs of a class. No instances can be made of that.

    Args:
        repository: the target's repository.
        sliced: the target's slice.
    """
    inference = analysis_of(repository).inference
    kept = {(d.path, d.first_line) for d in sliced.manifest.definitions}
    found: dict[str, None] = {}
    for function in targeted_functions(repository, sliced):
        finders = (_tested, _documented, _caught)
        for cls in chain.from_iterable(each(repository, function) for each in finders):
            owner, units = inference.find_member(cls, "__init__") or (cls, ())
            needed = {(cls.module.path, cls.unit.first)}
            needed |= {(owner.module.path, unit.first) for unit in units}
            if cls.enclosing.parent is None and needed - kept:
                found[f"{cls.module.path}::{cls.qualname}"] = None
        for made in _documented_tuples(repository, function):
            if (made.module.path, made.unit.first) not in kept:
                found[f"{made.module.path}::{made.qualname}"] = None
    return tuple(islice(found, _MOST))


def _tested(repository: Repository, function: TargetFunction) -> Iterator[ClassInfo]:
    inference = analysis_of(repository).inference
    scope = function_scope(function.node, function.enclosing, function.owner)
    for place in _places(function):
        for name in (place, *item_names(function.node, place)):
            tests = (tested_classes(function.node, name), nested_classes(function.node, name))
            for expression in chain(*tests):
                yield from _classes(inference, expression, scope)


def _caught(repository: Repository, function: TargetFunction) -> Iterator[ClassInfo]:
    """Yield exceptions of which a handler reads an attribute."""
    inference = analysis_of(repository).inference
    scope = function_scope(function.node, function.enclosing, function.owner)
    for node in ast.walk(function.node):
        if not (isinstance(node, ast.ExceptHandler) and node.type and _is_read(node)):
            continue
        for each in node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]:
            yield from _classes(inference, each, scope)


def _classes(inference: Inference, expression: ast.expr, scope: Scope) -> Iterator[ClassInfo]:
    """Yield the repository classes that an expression names."""
    try:
        values = ordered(inference.evaluate(expression, scope))
    except (SourceError, RecursionError):
        return
    yield from (value.cls for value in values if isinstance(value, ClassValue))


def _is_read(handler: ast.ExceptHandler) -> bool:
    """Whether a handler reads an attribute of its exception."""
    read = (n.value for s in handler.body for n in ast.walk(s) if isinstance(n, ast.Attribute))
    return any(isinstance(value, ast.Name) and value.id == handler.name for value in read)


def _documented(repository: Repository, function: TargetFunction) -> Iterator[ClassInfo]:
    """Yield the classes that the docstring gives as types of unannotated parameters."""
    inference = analysis_of(repository).inference
    for name in _documented_names(function):
        yield from _classes(inference, name, function.enclosing)


def _documented_tuples(
    repository: Repository, function: TargetFunction
) -> Iterator[NamedTupleInfo]:
    """Yield the named tuples that the docstring gives as types of unannotated parameters."""
    inference = analysis_of(repository).inference
    for name in _documented_names(function):
        made = named_tuple(inference, name, function.enclosing)
        if made is not None:
            yield made


def _documented_names(function: TargetFunction) -> Iterator[ast.Name | ast.Attribute]:
    """Yield names in the docstring's types of unannotated parameters."""
    docstring = ast.get_docstring(function.node)
    for arg in (*function.positional, *function.node.args.kwonlyargs):
        described = documented_type(docstring, arg.arg) if arg.annotation is None else None
        annotation = annotation_from_prose(described) if described else None
        for name in ast.walk(annotation) if annotation else ():
            if isinstance(name, ast.Name | ast.Attribute):
                yield name


def _places(function: TargetFunction) -> tuple[str, ...]:
    """Return the parameters, and the instance's attributes, as written."""
    names = [arg.arg for arg in (*function.positional, *function.node.args.kwonlyargs)]
    own = names[:1] if function.takes_self else []
    read = (node for node in ast.walk(function.node) if isinstance(node, ast.Attribute))
    attributes = (
        ast.unparse(node)
        for node in read
        if isinstance(node.value, ast.Name)
        if node.value.id in own
    )
    return tuple(dict.fromkeys((*names, *attributes)))
