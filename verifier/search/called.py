"""Drafts of the calls that the repository's own tests make of a target, where these run.

Which tests those are is found by names; what they give to the target is written down inside the
sandbox (`sandboxed/called`), and is untrusted: only expressions of the known forms become drafts.
"""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

from ...slicer.errors import SourceError
from ...slicer.mentions import Mentions
from ...slicer.model import Slice
from ...slicer.repository import Repository
from ..executors.interface import Determinism, Job, Limits, Outcome, Suite
from ..inputs.pools import Inputs
from .drafts import Draft, first_draft

LIMITS = Limits(wall_seconds=20.0, cpu_seconds=12.0, memory_bytes=2 << 30)
_REPOSITORY = "slice_func_repository"
"""What is called with file and name for a class or function of the repository."""
_UNKNOWN = "slice_func_unknown"
"""What stands for an argument that cannot be written."""
_STATE = "slice_func_state"
"""The keyword behind which stands what an instance holds, and where its constructor is defined."""
_ATTRIBUTE = re.compile(r"\.(\w+)")
_LONGEST = 900
"""Characters of an expression."""
_MOST_FILES = 3
_MOST_BYTES = 24 << 20
"""Of the copy."""
_SCRIPT = "slice_func_calls.py"
"""A name that no file of a repository has: nothing is in it."""
_MOST_SITES = 10
_LEAST_WORD = 4
"""Letters of a file's name that say what it is about."""


def suite_of(repository: Repository, sliced: Slice) -> Suite | None:
    """The tests that are likeliest to call the slice's target; `None` where there are none."""
    target = sliced.manifest.targets[0]
    tests = likeliest_tests(repository, target.path, target.qualname)
    if not tests:
        return None
    name = repository.module_name(target.path)
    parts = target.path.removesuffix(".py").removesuffix("/__init__").split("/")
    root = "/".join(parts[: len(parts) - len(name.split("."))])
    paths = dict.fromkeys(d.path for d in sliced.manifest.definitions)
    return Suite(
        tuple(dict.fromkeys((root, ""))),
        tests,
        target.path,
        target.qualname,
        tuple(paths),
        _words(target.qualname),
        _callers(Mentions(repository), target.qualname),
    )


def likeliest_tests(repository: Repository, path: str, qualname: str) -> tuple[str, ...]:
    """The few files of tests that name the target, its class, or its module."""
    mentions = Mentions(repository)
    named = [set(mentions.files([word])) for word in _words(qualname)]
    calling = [set(mentions.files([word])) for word in _callers(mentions, qualname)]
    *_, stem = path.removesuffix(".py").removesuffix("/__init__").split("/")
    stem = stem.strip("_").lower()
    found: list[tuple[int, str]] = []
    for file in mentions.paths:
        *_, short = file.split("/")
        if _is_test(file):
            score = sum(2 for files in named if file in files)
            score += 3 * (stem in short and len(stem) >= _LEAST_WORD)
            score += any(file in files for files in calling)
            found.append((-score, file))
    return tuple(file for score, file in sorted(found)[:_MOST_FILES] if score)


def _callers(mentions: Mentions, qualname: str) -> tuple[str, ...]:
    """Definitions of the repository that call the target, or make instances of its class."""
    *_, name = [qualname.partition(".")[0], *_words(qualname)]
    found: dict[str, None] = {}
    for word in dict.fromkeys((name, qualname.partition(".")[0])):
        for site in islice(mentions.calls(word), _MOST_SITES):
            if not _is_test(site.module.path):
                found.update(dict.fromkeys(site.unit.binds))
    return tuple(found)[:_MOST_SITES]


def _is_test(path: str) -> bool:
    *_, short = path.split("/")
    return short.startswith("test_") or short.endswith("_test.py")


def _words(qualname: str) -> tuple[str, ...]:
    parts = qualname.split(".")
    return tuple(part for part in parts if not part.startswith("__"))


def job_of(repository: Repository, suite: Suite, determinism: Determinism) -> Job:
    """The run of the tests, on a copy of the repository."""
    return Job(
        "",
        task="calls",
        name=_SCRIPT,
        files=tuple(_copied(repository)),
        suite=suite,
        determinism=determinism,
        limits=LIMITS,
    )


def _copied(repository: Repository) -> Iterator[tuple[str, bytes]]:
    """The repository's files, code first, as much as is reasonable."""
    left = _MOST_BYTES
    for path in dict.fromkeys((*repository.python_files(), *_files(repository))):
        try:
            data = repository.read_data(path)
        except SourceError:
            continue
        if len(data) <= left:
            left -= len(data)
            yield path, data


def _files(repository: Repository) -> Iterator[str]:
    """Files that are not hidden, those further up first."""
    folders = [""]
    for folder in folders:  # which grows
        for name in sorted(repository.listing(folder)):
            path = f"{folder}/{name}".lstrip("/")
            if name.endswith("/") and not name.startswith("."):
                is_link = (repository.path / path.rstrip("/")).is_symlink()
                folders += [] if is_link else [path.rstrip("/")]
            elif not name.startswith("."):
                yield path


def called(
    outcome: Outcome, repository: Repository, sliced: Slice, inputs: Inputs
) -> tuple[Draft, ...]:
    """The drafts that a run of tests gives."""
    read = frozenset(_ATTRIBUTE.findall(sliced.source))
    names = _Names(repository, sliced, read)
    drafts: dict[Draft, None] = {}
    for text in outcome.records:
        draft = _draft(_call(text), inputs, names)
        if draft is not None:
            drafts[draft] = None
    return tuple(drafts)


def _call(text: str) -> object:
    """What a record says of a call; `None` of others."""
    try:
        record: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", record).get("call") if isinstance(record, dict) else None


def _draft(call: object, inputs: Inputs, names: _Names) -> Draft | None:
    """A call as a draft; what could not be written is as in the likeliest call."""
    match call:
        case {"receiver": str() as receiver, "states": list(), "arguments": list()}:
            record = cast("dict[str, list[object]]", call)
        case _:
            return None
    first = first_draft(inputs)
    given = dict(first.arguments)
    for pool in inputs.pools:
        if pool.is_optional and pool.call == 0:
            given.pop(pool.name, None)
    known = {pool.name: pool for pool in inputs.pools if pool.call == 0}
    is_new = False
    for name, text in _pairs(record["arguments"]):
        made = names.expression(text)
        if name in known and made and not (known[name].is_optional and _says_nothing(made)):
            given[name] = made
            is_new = True
    made = names.expression(receiver, first.receiver)
    states = _states(record["states"], names)
    if made and inputs.kind in ("method", "property"):
        first = replace(first, receiver=made, before=states)
        is_new = True
    return replace(first, arguments=tuple(given.items())) if is_new else None


def _says_nothing(text: str) -> bool:
    return text in ("()", "{}")


def _pairs(items: Iterable[object]) -> Iterator[tuple[str, str]]:
    for item in items:
        match item:
            case [str() as name, str() as text]:
                yield name, text
            case _:
                pass


def _states(items: Iterable[object], names: _Names) -> tuple[str, ...]:
    found: list[str] = []
    for item in items:
        name, _, text = item.partition(" = ") if isinstance(item, str) else ("", "", "")
        made = names.expression(text)
        if made and name.startswith("{it}.") and name[5:].isidentifier():
            found.append(f"{name} = {made}")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the repository's definitions are called in the script."""

    repository: Repository
    sliced: Slice
    read: frozenset[str]
    """Attributes that the script reads of anything."""

    def holds(self, path: str, qualname: str) -> bool:
        """Whether the slice keeps a definition."""
        return any(
            d.path == path and d.qualname == qualname for d in self.sliced.manifest.definitions
        )

    def expression(self, text: str, likeliest: str = "") -> str:
        """The expression in the script's namespace; empty where it names what is not there.

        Args:
            text: as it was written inside.
            likeliest: a call of the same class, for arguments that could not be written.
        """
        try:
            tree = ast.parse(text, mode="eval").body
            if isinstance(tree, ast.Call):
                tree.keywords = list(self._given(tree.keywords, likeliest))
            made = ast.unparse(_Named(self).visit(tree))
            return made if len(made) <= _LONGEST else ""
        except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError):
            return ""

    def _given(self, keywords: Sequence[ast.keyword], likeliest: str) -> Iterator[ast.keyword]:
        """The arguments that are known, and the likeliest in the place of others."""
        call = ast.parse(likeliest or "None", mode="eval").body
        instead = {k.arg: k for k in call.keywords} if isinstance(call, ast.Call) else {}
        for each in keywords:
            if self.is_known(each.value):
                yield each
            elif each.arg in instead:
                yield instead[each.arg]

    def is_known(self, node: ast.expr) -> bool:
        """Whether an argument can be given: one that cannot is left to its default."""
        try:
            _Named(self).visit(copy.deepcopy(node))
        except LookupError:
            return False
        return not (isinstance(node, ast.Name) and node.id == _UNKNOWN)

    def of(self, path: str, qualname: str) -> str:
        """An expression for a definition.

        Raises:
            LookupError: the slice does not hold it.
        """
        manifest = self.sliced.manifest
        top = qualname.partition(".")[0]
        if not self.holds(path, top):
            raise LookupError(qualname)
        target = manifest.targets[0]
        is_own = path == target.path and top == target.qualname.partition(".")[0]
        if manifest.layout == "flat" or is_own:
            return qualname
        name = self.repository.module_name(path)
        return f'__import__("importlib").import_module({name!r}).{qualname}'


@dataclass(slots=True)
class _Named(ast.NodeTransformer):
    names: _Names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(
                func=ast.Name(id=name),
                args=[ast.Constant(value=str() as path), ast.Constant(value=str() as qualname)],
            ) if name == _REPOSITORY:
                return ast.parse(self.names.of(path, qualname), mode="eval").body
            case ast.Call(func=ast.Call(func=ast.Name(id=name))) if name == _REPOSITORY:
                return self.generic_visit(self._instance(node))
            case _:
                return self.generic_visit(node)

    def _instance(self, node: ast.Call) -> ast.Call:
        """By the constructor, where the script has it; else one that holds what is read of it."""
        state = next((k.value for k in node.keywords if k.arg == _STATE), None)
        node.keywords = [k for k in node.keywords if k.arg != _STATE]
        match state:
            case ast.Dict(keys=[_, *keys], values=[init, *values]):
                path, qualname = ast.literal_eval(init)
            case _:
                path, qualname, keys, values = "", "", [], []
        short = cast("ast.Call", node.func).args
        own, name = (each.value if isinstance(each, ast.Constant) else "" for each in short)
        is_there = self.names.holds(str(own), str(name).partition(".")[0])
        if is_there and (not path or self.names.holds(path, qualname)):
            node.keywords = [k for k in node.keywords if self.names.is_known(k.value)]
            return node
        pairs = [
            (key, value)
            for key, value in zip(keys, values, strict=True)
            if isinstance(key, ast.Constant)
            and key.value in self.names.read
            and self.names.is_known(value)
        ]
        members = ast.Dict([key for key, _ in pairs], [value for _, value in pairs])
        bases = ast.Tuple([node.func] if is_there else [], ast.Load())
        made: list[ast.expr] = [ast.Constant(str(name).rpartition(".")[2]), bases, members]
        return ast.Call(ast.Call(ast.Name("type", ast.Load()), made, []), [], [])
