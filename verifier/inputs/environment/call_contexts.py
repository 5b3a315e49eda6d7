"""Contexts that a target needs to be called in, as statements that enter them.

Context variables, attributes of thread locals, and proxies for these are bound by outer callers,
which a slice does not contain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ....mocker.flow import NO_USES, Label, Uses
from ....mocker.shapes import infer
from ....mocker.shapes.gathered_uses import merged
from ....mocker.source.kept_code import Function, KeptCode, KeptStatement
from ....slicer.repo.repository import Module
from ..argument_builder import ArgumentBuilder, is_literal
from .module_state import expression_of

_MOST = 12
_MOST_OF_ONE = 4
_VARIABLES = frozenset({"contextvars.ContextVar"})
_LOCALS = frozenset({"threading.local"})
_PROXIES = frozenset({"werkzeug.local.LocalProxy"})
_GIVEN = "get"


@dataclass(slots=True)
class _ContextHolder:
    """A module-level name that holds another value for each caller."""

    kept: KeptStatement
    name: str
    made: ast.Call
    proxied: list[tuple[str, Uses]] = field(default_factory=list[tuple[str, Uses]])
    """Attributes that proxies read of the value, with their uses; an empty name is the value
    itself."""


def contexts(builder: ArgumentBuilder, code: KeptCode) -> tuple[tuple[str, ...], ...]:
    """Return, for each place that must be bound, the statements that bind it, the likeliest first.

    Args:
        builder: builds the values.
        code: the kept code.
    """
    found: dict[str, dict[str, None]] = {}
    for holder, kind in _holders(builder, code):
        module = builder.repository.module_at(holder.kept.path)
        place = expression_of(builder, module, holder.name)
        if kind == "local":
            for name, uses in sorted(_attributes(_uses(builder, holder.kept.path, holder.name))):
                texts = _texts(builder, uses, name)
                found[f"{place}.{name}"] = {f"{place}.{name} = {text}": None for text in texts}
        else:
            texts = _values(builder, holder, module)
            found[place] = {f"{place}.set({text})": None for text in texts}
    found |= {"click": dict.fromkeys(_of_click(builder, code))}
    made = (tuple(texts)[:_MOST_OF_ONE] for texts in found.values() if texts)
    return tuple(made)[:_MOST]


# ------------------------------------------------------------------------------- own variables


def _holders(builder: ArgumentBuilder, code: KeptCode) -> Sequence[tuple[_ContextHolder, str]]:
    """Return module-level context variables and thread locals, with the proxies for them."""
    found: dict[tuple[str, str], tuple[_ContextHolder, str]] = {}
    proxies: list[_ContextHolder] = []
    for kept in code.statements:
        match kept:
            case KeptStatement(
                owner="",
                node=(
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as made)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.Call() as made)
                ),
            ):
                pass
            case _:
                continue
        called = code.dotted(made.func, kept.path)
        holder = _ContextHolder(kept, name, made)
        if called in _PROXIES:
            proxies.append(holder)
        elif called in _VARIABLES | _LOCALS:
            kind = "variable" if called in _VARIABLES else "local"
            found[kept.path, name] = holder, kind
    for proxy in proxies:
        match proxy.made.args:
            case [ast.Name(id=name)]:
                attribute = ""
            case [ast.Name(id=name), ast.Constant(value=str(attribute))]:
                pass
            case _:
                continue
        if (proxy.kept.path, name) in found:
            uses = _uses(builder, proxy.kept.path, proxy.name)
            found[proxy.kept.path, name][0].proxied.append((attribute, uses))
    return tuple(found.values())


def _uses(builder: ArgumentBuilder, path: str, name: str) -> Uses:
    variable = builder.walk.graph.named.get(("global", path, name))
    return NO_USES if variable is None else builder.follower.uses((variable,))


def _attributes(uses: Uses) -> Iterator[tuple[str, Uses]]:
    for label, below in uses.below.items():
        match label:
            case ("attr", str(name)) if not name.startswith("__"):
                yield name, below
            case _:
                pass


def _values(builder: ArgumentBuilder, holder: _ContextHolder, module: Module) -> Iterator[str]:
    """Yield values for a context variable, by its uses and by what the module sets."""
    uses = NO_USES
    for name, attribute_uses in _attributes(_uses(builder, module.path, holder.name)):
        for label, given in attribute_uses.below.items() if name == _GIVEN else ():
            uses = merged(uses, given) if label[0] == "call" else uses
    parts: dict[Label, Uses] = {("attr", name): below for name, below in holder.proxied if name}
    for name, below in holder.proxied:
        uses = uses if name else merged(uses, below)
    if parts:
        uses = merged(uses, Uses((), parts, builder.follower))
    yield from _texts(builder, uses, holder.name.strip("_"))
    for node in ast.walk(module.source.tree):
        match node:
            case ast.Call(func=ast.Attribute(ast.Name(name), "set"), args=[value]):
                if name == holder.name and is_literal(value):
                    yield ast.unparse(value)
            case _:
                pass


def _texts(builder: ArgumentBuilder, uses: Uses, name_hint: str) -> Iterator[str]:
    yield from builder.texts(builder.replaced(infer(uses, "any", name_hint), uses, name_hint))


# ------------------------------------------------------------------------------- libraries


def _of_click(builder: ArgumentBuilder, code: KeptCode) -> Iterator[str]:
    """Yield contexts of click commands, where a function asks for the current one."""
    own = builder.sliced.manifest.targets[0].path
    names = (
        code.dotted(node, kept.path)
        for kept, node in code.nodes(ast.Name, ast.Attribute)
        if isinstance(kept.node, Function) and kept.path == own and isinstance(node, ast.expr)
    )
    if not any(n.startswith("click.") and n.rpartition(".")[2] in _CLICK for n in names):
        return
    nodes = [n for name in _CLICK_PLACES for n in builder.follower.places(name)]
    objects = dict(_attributes(builder.follower.uses(nodes))).get("obj")
    click = '__import__("importlib").import_module("click")'
    push = '__import__("importlib").import_module("click.globals").push_context'
    for text in (*(_texts(builder, objects, "obj") if objects else ()), ""):
        given = f", obj={text}" if text else ""
        yield f'{push}({click}.Context({click}.Command("main"){given}))'


_CLICK = frozenset({"get_current_context", "pass_context", "pass_obj"})
_CLICK_PLACES = ("click.get_current_context()", "click.globals.get_current_context()")
