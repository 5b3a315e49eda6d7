"""Parse a candidate's text: definitions of the target, or its body, and what comes with them.

A candidate is what a person or model wrote: a module, a class with the method, the function alone,
its body, any of these indented, or in a fenced block among prose.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ....slicer.repo.units import is_main_test
from ....slicer.syntax.scopes import bound_in, imported_as
from .candidate_scopes import clashes, renamed
from .definition_blocks import binds_by_assignment, bound_names, groups, mentioned
from .file_neighbours import needed_offers
from .needed_parts import names_in, needed_members, needed_statements
from .offered_names import OfferedName, appended, read_of
from .repeated_statements import ModuleStatements, without_repeated
from .text_pieces import Change, indentation, replaced, split_lines

MAX_CHARACTERS = 200_000
"""Longest candidate in characters. No function is longer, and parsing happens on the trusted
side."""

MAX_STATEMENTS = 2_000
"""Most statements of one block, since statements are compared with one another."""

FENCE = re.compile(
    r"^[ \t]*+(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n"
    r"(?P<text>.*?)(?:^[ \t]*+(?P=mark)[`~]*+[ \t]*+$|\Z)",
    re.M | re.S,
)
"""A fenced block of an answer; the last one may lack its end."""


@dataclass(frozen=True, slots=True)
class UnusableCandidate:
    """A text that cannot replace the target."""

    reason: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The context of a candidate: facts about the module that it goes into."""

    parts: tuple[str, ...]
    """Parts of the target's qualified name."""
    has_textual_annotations: bool
    """Whether the module never evaluates annotations."""
    names: frozenset[str] = frozenset()
    """Names that a script with merged modules binds; it has no modules to import from."""
    roots: frozenset[str] = frozenset()
    """Names under which such modules are imported."""
    used_names: frozenset[str] = frozenset()
    """Names in use by the module's other code."""
    other_statements: ModuleStatements = field(default_factory=ModuleStatements)
    """The module's other statements."""
    offered: tuple[OfferedName, ...] = ()
    """Names of the target's file that a candidate may use without defining them."""
    parameters: frozenset[str] = frozenset()
    """Parameters of the target, for a candidate that is its body."""


@dataclass(frozen=True, slots=True)
class Code:
    """Statements of one block, with their lines."""

    lines: Sequence[str]
    statements: tuple[ast.stmt, ...]
    is_wrapped: bool
    """Whether a line was added in front so that indented text parses."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """A candidate that defines the target's name, perhaps several times (as overloads)."""

    lines: Sequence[str]
    nodes: tuple[ast.stmt, ...]
    members: tuple[ast.stmt, ...]
    """Members of the same class that the definitions mention."""
    before: tuple[ast.stmt, ...]
    """Imports and helpers."""
    behind: tuple[ast.stmt, ...]
    """Statements that use the target's name and follow it."""


@dataclass(frozen=True, slots=True)
class Body:
    """A candidate that is the body of the target."""

    lines: Sequence[str]
    nodes: tuple[ast.stmt, ...]
    before: tuple[ast.stmt, ...]
    members: tuple[ast.stmt, ...] = ()
    """Members of the target's class that the body uses."""


Candidate = Definitions | Body | UnusableCandidate


def read_candidate(text: str, surroundings: Surroundings) -> Candidate:
    """Parse a candidate."""
    if len(text) > MAX_CHARACTERS:
        return UnusableCandidate(f"longer than {MAX_CHARACTERS} characters")
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return UnusableCandidate("empty")
    try:
        return _read(text, surroundings)
    except (RecursionError, MemoryError):
        return UnusableCandidate("nested too deeply")


def _read(text: str, surroundings: Surroundings) -> Candidate:
    parts = surroundings.parts
    code = _code(text)
    if isinstance(code, UnusableCandidate):
        code = _fenced(text, surroundings) or code
    if isinstance(code, UnusableCandidate):
        return code
    if len(code.statements) > MAX_STATEMENTS:
        return UnusableCandidate(f"more than {MAX_STATEMENTS} statements")
    found = _definitions(code, surroundings)
    changes = list(_changes(code.statements, found, surroundings))
    if changes:
        code = _parsed(replaced("".join(code.lines), changes), code.is_wrapped)
        found = _definitions(code, surroundings)
    if found is None:
        body = _body(code, parts)
        return (
            body if isinstance(body, UnusableCandidate) else _body_with_imports(body, surroundings)
        )
    statements, members = _offered_for(found, surroundings)
    if statements:
        lines, nodes = appended(code.lines, statements)
        code = Code(lines, (*nodes, *code.statements), code.is_wrapped)
        found = _definitions(code, surroundings, members) or found
    found = _with_new_names(found, code, surroundings, members)
    lines, nodes = appended(found.lines, members)
    return replace(found, lines=lines, members=(*found.members, *nodes))


def _offered_for(
    found: Definitions, surroundings: Surroundings
) -> tuple[tuple[OfferedName, ...], tuple[OfferedName, ...]]:
    """Return the offered statements and members that a candidate reads without binding them."""
    others = (*found.before, *found.behind)
    nodes = (*found.nodes, *found.members)
    own: tuple[ast.stmt, ...] = ()
    if len(surroundings.parts) > 1:  # the class is a scope of its own
        own = nodes
    else:
        others = (*others, *nodes)
    return needed_offers(
        _unbound(surroundings.offered, bound_in(others), bound_in(own)),
        others,
        own,
        evaluates_annotations=not surroundings.has_textual_annotations,
    )


def _unbound(
    offered: Iterable[OfferedName], bound: Collection[str], members: Collection[str]
) -> tuple[OfferedName, ...]:
    """Return the offered names that a candidate does not bind itself."""
    return tuple(
        each for each in offered if each.name not in (members if each.kind == "member" else bound)
    )


def _body_with_imports(body: Body, surroundings: Surroundings) -> Body:
    """Return a body with the imports that it reads, inside the body if nothing else reads them."""
    bound = bound_in([*body.nodes, *body.before]) | surroundings.parameters
    offered = _unbound(surroundings.offered, bound, ())
    imports = [each for each in offered if each.kind == "import"]
    inside = read_of(imports, body.nodes, evaluates_annotations=False)
    function = ast.FunctionDef(surroundings.parts[-1], _NO_ARGUMENTS, [*body.nodes], [])
    code = (*body.before, function)
    rest = [each for each in offered if each.kind != "import"]
    needed, members = needed_offers(rest, code, (), evaluates_annotations=False)
    owner = ast.ClassDef("_", [], [], [n for each in members for n in each.nodes], [])
    code = (*body.before, owner, *(n for each in needed for n in each.nodes))
    outside = read_of(imports, code, evaluates_annotations=False)
    outside = tuple(e for e in (*outside, *needed) if e.name not in surroundings.used_names)
    if not (inside or outside or members):
        return body
    lines, before = appended(body.lines, outside)
    lines, first = appended(lines, inside)
    lines, others = appended(lines, members)
    start = _is_text(body.nodes[0])
    nodes = (*body.nodes[:start], *first, *body.nodes[start:])
    return Body(lines, nodes, (*before, *body.before), others)


_NO_ARGUMENTS = ast.arguments(
    posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
)


def _is_text(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


def _with_new_names(
    found: Definitions, code: Code, surroundings: Surroundings, offered: Sequence[OfferedName]
) -> Definitions:
    """Return the definitions with clashing helpers renamed."""
    own = surroundings.parts[0]
    helpers = [n for n in (*found.before, *found.behind) if own not in bound_names([n])]
    names = clashes(code.statements, helpers, surroundings.used_names)
    names = names.difference(
        surroundings.parts, _equally_bound(helpers, surroundings.other_statements)
    )
    if not names:
        return found
    used = {name for node in code.statements for name in mentioned(node)}
    new = renamed(code.statements, names, surroundings.used_names | used)
    try:
        text = ast.unparse(ast.Module(new, []))
    except ValueError:  # an integer literal with too many digits
        return found
    return _definitions(_parsed(text, is_wrapped=False), surroundings, offered) or found


def _equally_bound(nodes: Sequence[ast.stmt], statements: ModuleStatements) -> Iterator[str]:
    """Yield names bound just as the module binds them, or that cannot be renamed."""
    for node in nodes:
        if isinstance(node, ast.ClassDef) and statements.new_members(node) is not None:
            yield node.name
        for inner in ast.walk(node):
            if isinstance(inner, (ast.Import, ast.ImportFrom)):
                for alias in inner.names:
                    is_package = isinstance(inner, ast.Import) and "." in alias.name
                    if statements.has_part(inner, alias) or (is_package and not alias.asname):
                        yield imported_as(alias)


def scored_block(text: str, parts: Sequence[str]) -> str | None:
    """Return the fenced block of an answer that is scored; `None` if there is none.

    Of several blocks it is the last one that defines the target: authors correct themselves further
    down.

    Args:
        text: the answer, in Markdown.
        parts: the parts of the target's qualified name.

    Raises:
        RecursionError, MemoryError: a block is nested too deeply.
    """
    blocks = [match["text"] for match in FENCE.finditer(text)]
    if len(blocks) == 1:
        return blocks[0]
    for block in reversed(blocks):
        code = _code(block)
        if isinstance(code, Code) and _found_under(code.statements, parts):
            return block
    return None


def _fenced(text: str, surroundings: Surroundings) -> Code | UnusableCandidate | None:
    """Return the fenced block with the candidate; `None` without a fence."""
    block = scored_block(text, surroundings.parts)
    if block is not None:
        return _code(block)
    count = sum(1 for _ in FENCE.finditer(text))
    if not count:
        return None
    return UnusableCandidate(
        f"none of {count} fenced blocks defines {'.'.join(surroundings.parts)}"
    )


def _code(text: str) -> Code | UnusableCandidate:
    """Parse statements that may be indented, also if only the first line lost its indentation."""
    reason = ""
    for is_wrapped, change in _FORMS:
        try:
            return _parsed(change(text), is_wrapped)
        except SyntaxError as error:
            line = (error.lineno or 1) - is_wrapped
            reason = reason or f"does not parse: line {line}: {error.msg}"
        except ValueError as error:  # a null character
            return UnusableCandidate(f"does not parse: {error}")
    return UnusableCandidate(reason)


def _parsed(whole: str, is_wrapped: bool) -> Code:
    statements = ast.parse(whole).body
    if is_wrapped:
        first, *others = statements
        assert isinstance(first, ast.If)
        statements = [*first.body, *others]
    return Code(split_lines(whole), tuple(statements), is_wrapped)


def _with_first_line_indented(text: str) -> str:
    """Return the text with its first line indented like the others, as copied from an editor."""
    first, *others = split_lines(text.lstrip("\r\n"))
    indent = next((indentation(line) for line in others if line.strip()), "")
    return "".join([indent + first.lstrip(), *others])


_INERT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)
"""Statements that make no body of a function."""

_FORMS: tuple[tuple[bool, Callable[[str], str]], ...] = (
    (False, lambda text: text),
    (True, lambda text: "if 1:\n" + text),
    (True, lambda text: "if 1:\n" + _with_first_line_indented(text)),
)
"""Pairs of whether a line is added in front, and how the text is changed."""


def _definitions(
    code: Code, surroundings: Surroundings, offered: Sequence[OfferedName] = ()
) -> Definitions | None:
    """Return the target's definitions under its full name, or under the last parts of it.

    Args:
        code: the statements.
        surroundings: what is known about the new module.
        offered: members that are added with them, and need some of the statements.
    """
    parts = surroundings.parts
    found = _found_under(code.statements, parts)
    if found is None:
        return None
    start, owner_body, nodes = found
    owners = parts[start:-1]
    members = needed_members(owner_body, nodes) if owners else ()
    holder = _holder(code.statements, owners) if owners else None
    tops = [holder] if holder else nodes
    last = max(code.statements.index(node) for node in tops)
    before = [s for s in code.statements[:last] if s not in tops]
    rest = list(code.statements[last + 1 :])
    while rest and parts[start] not in mentioned(rest[0]):
        before.append(rest.pop(0))
    if start:  # a bare method: calling it as a function is pointless
        rest = []
    own = [s for s in (*before, *rest) if not (_is_idle(s) or _is_program(s))]
    own = [s for s in own if not isinstance(s, ast.Pass)]
    own = without_repeated(own, surroundings.other_statements, names_in([*nodes, *members]))
    offered_nodes = [node for each in offered for node in each.nodes]
    needed = {id(s) for s in needed_statements(own, [*nodes, *members, *offered_nodes])}
    wanted = tuple(s for s in before if id(s) in needed)
    behind = tuple(s for s in rest if id(s) in needed)
    return Definitions(code.lines, tuple(nodes), members, wanted, behind)


def _found_under(
    statements: Sequence[ast.stmt], parts: Sequence[str]
) -> tuple[int, Sequence[ast.stmt], list[ast.stmt]] | None:
    """Return the definitions of a name under its full name, or else under the last parts of it.

    With them come the number of parts that are missing, and the block that they stand in.
    """
    for start in range(len(parts)):
        block = _block_of(statements, parts[start:-1])
        nodes = _defining(block, parts[-1])
        if nodes:
            return start, block, nodes
    return None


def _block_of(block: Sequence[ast.stmt], owners: Sequence[str]) -> Sequence[ast.stmt]:
    for name in owners:
        found = _holder(block, [name])
        if found is None:
            return ()
        block = found.body
    return block


def _holder(
    block: Sequence[ast.stmt], owners: Sequence[str]
) -> ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the last class or function with the first of these names."""
    named = [
        node
        for node in block
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name == owners[0]
    ]
    return named[-1] if named else None


def _defining(block: Sequence[ast.stmt], name: str) -> list[ast.stmt]:
    """Return the statements of a block that define a name, else those that assign to it."""
    found = [
        node
        for node in block
        if any(not binds_by_assignment(n, name) for g in groups([node], [name]) for n in g.nodes)
    ]
    return found or [node for node in block if binds_by_assignment(node, name)]


def _is_idle(node: ast.stmt) -> bool:
    """Whether a statement is a docstring or a `__future__` import, which `Code` handles."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.ImportFrom(module="__future__"):
            return True
        case _:
            return False


def _is_program(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and is_main_test(node.test)


def _body(code: Code, parts: Sequence[str]) -> Body | UnusableCandidate:
    futures = [s for s in code.statements if isinstance(s, ast.ImportFrom) and _is_idle(s)]
    nodes = [s for s in code.statements if s not in futures]
    is_module = all(isinstance(n, _INERT) or _is_idle(n) or _is_program(n) for n in nodes)
    if is_module and not (nodes and all(isinstance(n, ast.Pass) for n in nodes)):
        names = ", ".join(sorted(bound_names(nodes))[:5])
        found = f"but {names}" if names else "and nothing else"
        return UnusableCandidate(f"does not define {'.'.join(parts)}, {found}")
    if all(
        isinstance(n, ast.Expr) and isinstance(n.value, (ast.Name, ast.Constant)) for n in nodes
    ):
        return UnusableCandidate(f"does not define {'.'.join(parts)}, and is no body of it")
    indent = indentation(code.lines[nodes[0].lineno - 1])
    inner = [n for n in nodes if indentation(code.lines[n.lineno - 1]) >= indent]
    return Body(code.lines, tuple(inner), tuple(n for n in nodes if n not in inner))


def _changes(
    statements: Sequence[ast.stmt], found: Definitions | None, surroundings: Surroundings
) -> Iterator[Change]:
    """Yield edits that preserve the meaning of statements in their new place."""
    is_textual = not surroundings.has_textual_annotations and any(
        map(is_textual_import, statements)
    )
    used = _used(found) if found else None
    known = None if surroundings.has_textual_annotations else _known(statements, surroundings)
    for node in statements:
        for inner in ast.walk(node):
            # PEP 563 makes them text; the import itself would affect other definitions
            for each in _annotations(inner):
                if is_textual or (known is not None and not names_in([each]) <= known):
                    yield each, _as_text(each)
            if isinstance(inner, ast.ImportFrom):
                wanted = used if inner is node else None
                new = _import_text(inner, wanted, surroundings)
                if new is not None:
                    yield inner, new


def _known(statements: Sequence[ast.stmt], surroundings: Surroundings) -> frozenset[str]:
    """Return names that annotations may use. An unbound one says no more than a text."""
    bound = {
        name
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.stmt)
        for name in bound_names([node])
    }
    offered = {each.name for each in surroundings.offered}
    return surroundings.names | surroundings.used_names | bound | offered | frozenset(dir(builtins))


def _used(found: Definitions) -> frozenset[str]:
    """Return names that a candidate's definitions and helpers use."""
    helpers = [n for n in (*found.before, *found.behind) if not isinstance(n, ast.ImportFrom)]
    return names_in([*found.nodes, *found.members, *helpers])


def _import_text(
    node: ast.ImportFrom, wanted: Collection[str] | None, surroundings: Surroundings
) -> str | None:
    """Return an import without unused and already bound names; `None` if all stay."""
    root = (node.module or "").partition(".")[0]
    is_merged = node.level > 0 or root in surroundings.roots
    used = [a for a in node.names if wanted is None or a.name == "*" or imported_as(a) in wanted]
    here = [a for a in used if is_merged and a.name in surroundings.names]
    left = [a for a in used if a not in here]
    if left == node.names:
        return None
    parts = [f"{imported_as(a)} = {a.name}" for a in here if imported_as(a) != a.name]
    if left:
        parts.insert(0, ast.unparse(ast.ImportFrom(node.module, left, node.level)))
    return "; ".join(parts) or "pass"


def _as_text(annotation: ast.expr) -> str:
    try:
        return repr(ast.unparse(annotation))
    except ValueError:  # an integer literal with too many digits
        return "'...'"


def is_textual_import(node: ast.stmt) -> bool:
    """Whether a statement is `from __future__ import annotations`."""
    return (
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
    )


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if node.returns:
                yield node.returns
        case ast.arg(annotation=ast.expr() as found) | ast.AnnAssign(annotation=found):
            yield found
        case _:
            return
