"""A module's text with holes in place of the target, and what a candidate must know about it.

Built once for an environment. Filling the holes for a candidate only copies text.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ...slicer.errors import SliceFuncError
from ...slicer.syntax.scopes import bound_in, declared_in, parameters
from ..script.module_statements import first_line_of, is_overload
from .candidates.candidate_text import (
    Body,
    Definitions,
    Surroundings,
    UnusableCandidate,
    is_textual_import,
    read_candidate,
)
from .candidates.definition_blocks import Group, bound_names, groups, mentioned, split_name
from .candidates.file_neighbours import resolvable
from .candidates.offered_names import OfferedName, local_names, run_time
from .candidates.repeated_statements import ModuleStatements
from .candidates.text_pieces import expression, indentation, moved, segment, split_lines


class NoHoleError(SliceFuncError):
    """The target cannot be cut out of the text. The message says why."""

    advice = "name another target: candidates cannot take the place of this one"


@dataclass(frozen=True, slots=True)
class Slot:
    """One definition of the target that was cut out."""

    first: int
    last: int
    indent: str
    decorators: str
    """Decorators for a candidate that has none of its own."""
    header: str
    """First lines of the function, for a candidate that is only a body; empty for anything else."""
    inner_indent: str
    """Indentation of the body."""
    accessor: str = ""
    """Which function of a property it is; empty for anything else."""
    text: str = ""
    """The text that was cut out."""


@dataclass(frozen=True, slots=True)
class TargetHole:
    """All definitions of the target in one block."""

    slots: tuple[Slot, ...]
    main: int
    """Index of the slot for a candidate with another number of definitions."""
    owner_names: frozenset[str]
    """Other names that the block binds."""


@dataclass(frozen=True, slots=True)
class FilledText:
    """A text with a candidate filled in."""

    text: str
    added: frozenset[str]
    """Names that the module did not bind before."""


@dataclass(frozen=True, slots=True)
class TextWithHoles:
    """A text with holes."""

    lines: tuple[str, ...]
    holes: tuple[TargetHole, ...]
    front: int
    """Line before which imports and helpers are inserted."""
    behind: int
    """Line after which code that uses the target's name is inserted."""
    surroundings: Surroundings
    names: frozenset[str]
    """Names that the module binds by the time that the target is called."""

    def filled(self, text: str) -> FilledText | UnusableCandidate:
        """Return the text with the candidate in place of the target."""
        candidate = read_candidate(text, self.surroundings)
        if isinstance(candidate, UnusableCandidate):
            return candidate
        try:
            return self._with(candidate)
        except RecursionError:
            return UnusableCandidate("nested too deeply")

    def _with(self, candidate: Definitions | Body) -> FilledText | UnusableCandidate:
        lines = list(self.lines)
        for hole, own in zip(self.holes, self._shared_out(candidate), strict=True):
            for slot, new in zip(hole.slots, _contents(hole, own), strict=True):
                if new is None:
                    name = ".".join(self.surroundings.parts)
                    return UnusableCandidate(f"{name} is no function: a body is not enough")
                lines[slot.first - 1 : slot.last] = [new, *([""] * (slot.last - slot.first))]
        behind = candidate.behind if isinstance(candidate, Definitions) else ()
        lines[self.behind : self.behind] = [self._helpers(candidate.lines, behind)]
        lines[self.front - 1 : self.front - 1] = [self._helpers(candidate.lines, candidate.before)]
        added = bound_names([*candidate.before, *behind]) - self.names
        return FilledText("".join(lines), added)

    def _shared_out(self, candidate: Definitions | Body) -> Iterator[Definitions | Body]:
        """Yield the candidate for each hole: its own part if the numbers of definitions agree."""
        counts = [len(hole.slots) for hole in self.holes]
        if isinstance(candidate, Body) or len(candidate.nodes) != sum(counts):
            yield from (candidate for _ in counts)
            return
        start = 0
        for count in counts:
            yield replace(candidate, nodes=candidate.nodes[start : start + count])
            start += count

    def _helpers(self, lines: Sequence[str], nodes: Sequence[ast.stmt]) -> str:
        return moved(lines, [n for n in nodes if not self.surroundings.other_statements.has(n)], "")


def holed(
    text: str,
    qualname: str,
    roots: frozenset[str] = frozenset(),
    offered: Sequence[OfferedName] = (),
) -> TextWithHoles:
    """Return the text without the target.

    Args:
        text: text of a module, or of a script that merges modules.
        qualname: qualified name of the target.
        roots: names under which merged modules are imported.
        offered: names of the target's file that a candidate may use without defining them.

    Raises:
        NoHoleError: the target is missing, or shares its lines.
    """
    body = ast.parse(text).body
    parts = split_name(qualname)
    names = bound_names(body)
    found = groups(body, parts)
    if not found:
        raise NoHoleError(f"{qualname} is not defined where it should be")
    lines = split_lines(text)
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    inside = (inner for group in found for node in group.nodes for inner in ast.walk(node))
    declared = declared_in(inside, ast.Global)
    cut = {id(node) for group in found for node in group.nodes}
    tops = {id(top) for group in found for top in group.tops}
    front = min(first_line_of(top) for group in found for top in group.tops)
    behind = max(top.end_lineno or 0 for group in found for top in group.tops)
    holes = tuple(_hole(lines, group) for group in found)
    for group in found:
        for node in group.nodes:
            _drop_comments(lines, first_line_of(node))
    other_statements = ModuleStatements.of([n for n in body if id(n) not in tops | cut])
    bound = bound_in(run_time(body)) | declared
    inner = local_names((top for group in found for top in group.tops), parts[:-1])
    taken = names.union(*map(mentioned, body)) - (declared - names)
    owned = frozenset[str]().union(*(hole.owner_names for hole in holes))
    above = bound_in(run_time(n for n in body if n.lineno < front))
    left = [
        e
        for e in offered
        if _is_open(e, inner, taken, owned, bound, other_statements, is_merged=bool(roots))
    ]
    is_textual = any(map(is_textual_import, body))
    return TextWithHoles(
        lines=tuple(lines),
        holes=holes,
        front=front,
        behind=behind,
        surroundings=Surroundings(
            parts=parts,
            has_textual_annotations=is_textual,
            names=names if roots else frozenset(),
            roots=roots,
            used_names=taken,
            other_statements=other_statements,
            offered=resolvable(left, bound, above, evaluates_annotations=not is_textual),
            parameters=frozenset(
                name for group in found for node in group.nodes for name in _parameters(node)
            ),
        ),
        names=names | declared,
    )


def _is_open(
    each: OfferedName,
    inner: Collection[str],
    used_names: Collection[str],
    owned: Collection[str],
    bound: frozenset[str],
    statements: ModuleStatements,
    *,
    is_merged: bool,
) -> bool:
    """Whether the module and its classes lack an offered name, and nothing else has it."""
    if each.kind == "member":
        return each.name not in owned
    if each.kind == "definition":
        return each.name not in used_names and each.name not in inner
    return each.name not in inner and not _is_there(each, bound, statements, is_merged=is_merged)


def _is_there(
    each: OfferedName, bound: frozenset[str], statements: ModuleStatements, *, is_merged: bool
) -> bool:
    """Whether the module has what an import gives.

    In merged modules the name may belong to another module.
    """
    return each.name in bound and (
        not is_merged or any(statements.has_part(node, alias) for node, alias in each.imports)
    )


def _parameters(node: ast.stmt) -> set[str]:
    return parameters(node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else set()


def _contents(hole: TargetHole, candidate: Definitions | Body) -> Iterator[str | None]:
    """Yield the text for each slot of a hole; `None` where the candidate does not fit."""
    nodes = candidate.nodes
    is_paired = isinstance(candidate, Definitions) and len(nodes) == len(hole.slots)
    written = _accessors_written(hole, candidate)
    first = min(written, default=-1)
    for position, slot in enumerate(hole.slots):
        if written and position not in written:
            yield slot.text
        elif written and isinstance(candidate, Definitions):
            yield _definition(slot, hole, candidate, [written[position]], position == first)
        elif is_paired:
            yield _definition(slot, hole, candidate, nodes[position : position + 1], position == 0)
        elif position != hole.main:
            yield ""
        elif isinstance(candidate, Definitions):
            yield _definition(slot, hole, candidate, nodes, is_first=True)
        elif not slot.header:
            yield None
        else:
            inside = moved(candidate.lines, nodes, slot.inner_indent)
            others = [m for m in candidate.members if not bound_in([m]) & hole.owner_names]
            yield (
                moved(candidate.lines, others, slot.indent)
                + slot.decorators
                + slot.indent
                + slot.header
                + "\n"
                + inside
            )


def _accessors_written(hole: TargetHole, candidate: Definitions | Body) -> dict[int, ast.stmt]:
    """Map slots to the candidate's property functions, if it defines only some of them.

    A prompt asks for the getter only, so the others stay unless the candidate defines them. Empty
    if all are replaced.
    """
    places = {slot.accessor: at for at, slot in enumerate(hole.slots)}
    if "" in places or len(places) < len(hole.slots) or len(places) == 1:
        return {}
    if isinstance(candidate, Body):
        return {hole.main: candidate.nodes[0]}
    kinds = [_accessor(node) for node in candidate.nodes]
    is_part = hole.slots[hole.main].accessor in kinds and set(kinds) < places.keys()
    if not is_part or len(set(kinds)) < len(kinds):
        return {}
    return {places[kind]: node for kind, node in zip(kinds, candidate.nodes, strict=True)}


def _accessor(node: ast.stmt) -> str:
    """Return which function of a property a definition is; a plain function is the getter."""
    if not isinstance(node, ast.FunctionDef):
        return ""
    last = (getattr(each, "attr", "") for each in node.decorator_list)
    return next((name for name in last if name in ("setter", "deleter")), "getter")


def _definition(
    slot: Slot,
    hole: TargetHole,
    candidate: Definitions | Body,
    nodes: Sequence[ast.stmt],
    is_first: bool,
) -> str:
    members = candidate.members if is_first and isinstance(candidate, Definitions) else ()
    new = [m for m in members if not bound_in([m]) & hole.owner_names]
    text = moved(candidate.lines, new, slot.indent)
    for node in nodes:
        can_take = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if can_take and not node.decorator_list:
            text += slot.decorators
        text += moved(candidate.lines, [node], slot.indent)
    return text


def _hole(lines: Sequence[str], group: Group) -> TargetHole:
    slots = tuple(_slot(lines, node) for node in group.nodes)
    others = [node for node in group.owner if node not in group.nodes]
    plain = [i for i, node in enumerate(group.nodes) if not is_overload(node)]
    return TargetHole(slots, plain[0] if plain else 0, bound_in(others))


def _slot(lines: Sequence[str], node: ast.stmt) -> Slot:
    first, last = first_line_of(node), node.end_lineno or node.lineno
    indent = indentation(lines[node.lineno - 1])
    before = lines[node.lineno - 1].encode()[: node.col_offset]
    behind = lines[last - 1].encode()[node.end_col_offset :].strip()
    if before.strip() or (behind and not behind.startswith(b"#")):
        raise NoHoleError(f"line {node.lineno}: the target shares its line with something else")
    decorators = "".join(
        f"{indent}@{expression(lines, each)}\n" for each in getattr(node, "decorator_list", ())
    )
    header, inner = "", ""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        header = _header(segment(lines[node.lineno - 1 :], _undecorated(node)))
        is_below = first_line_of(node.body[0]) > node.lineno
        own = indentation(lines[first_line_of(node.body[0]) - 1]) if is_below else ""
        inner = own if own.startswith(indent) and own != indent else indent + "    "
    text = "".join(lines[first - 1 : last])
    return Slot(first, last, indent, decorators, header, inner, _accessor(node), text)


def _undecorated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """Return a node with the same end whose lines are counted from the `def`."""
    return ast.Pass(
        lineno=1,
        col_offset=node.col_offset,
        end_lineno=(node.end_lineno or node.lineno) - node.lineno + 1,
        end_col_offset=node.end_col_offset or 0,
    )


def _header(text: str) -> str:
    """Return the text up to the colon that ends a function's first lines."""
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text.lstrip(" \t\f")).readline):
        if token.string in {"(", "[", "{"}:
            depth += 1
        elif token.string in {")", "]", "}"}:
            depth -= 1
        elif token.string == ":" and not depth:
            lines = split_lines(text.lstrip(" \t\f"))[: token.end[0]]
            lines[-1] = lines[-1][: token.end[1]]
            return "".join(lines)
    raise NoHoleError("the target's signature has no end")


def _drop_comments(lines: list[str], line: int) -> None:
    """Blank out the comments right above a definition, which belong to it."""
    above = line - 2
    while above >= 2 and lines[above].lstrip().startswith("#"):  # declarations may come first
        lines[above] = "\n"
        above -= 1
