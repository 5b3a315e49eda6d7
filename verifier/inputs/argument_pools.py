"""Pools of expressions: what each parameter of a target may be, the likeliest first."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import chain, islice
from typing import Literal

from ...mocker.answers.files.file_uses import file_uses
from ...mocker.answers.process.program_arguments import (
    command_lines,
    every_argument,
    program_arguments,
)
from ...mocker.contacts import Border
from ...mocker.flow import NO_USES, FlowQuery
from ...mocker.flow.flow_graph import Fact
from ...mocker.settings import Settings
from ...mocker.shapes import infer
from ...mocker.shapes.gathered_uses import merged
from ...mocker.shapes.shape import Anything, Object, Sequence, Shape
from ...mocker.source.kept_code import KeptCode, kept_code
from ...slicer.analysis.names.word_mentions import CallSite, Mentions
from ...slicer.analysis.scopes.definitions import ClassInfo
from ...slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction
from ...slicer.model import Slice
from ...slicer.repo.repository import Repository
from ...slicer.syntax.builtin_models import BINARY, EQUALITY, ORDER
from .argument_builder import ArgumentBuilder, is_literal, is_property
from .arguments.event_loops import needs_loop
from .arguments.fitting_arguments import fitting
from .arguments.iterables import wrap_iterables
from .arguments.kept_state import has_state_between_calls, takes_values
from .classes.rebound_methods import is_rebound
from .environment.call_contexts import contexts
from .environment.environment_inputs import surroundings
from .environment.framework_state import framework_state
from .environment.module_state import state
from .proposals.callee_answers import Callee, callees
from .proposals.caller_arguments import arguments_of, passed
from .proposals.caught_exceptions import CaughtException, caught
from .proposals.enum_members import enumerated_texts
from .proposals.match_patterns import matched_texts
from .proposals.regex_texts import pattern_texts
from .proposals.returned_functions import returned_functions
from .proposals.text_forms import text_forms
from .proposals.union_members import other_union_members
from .receivers.argument_states import argument_states, state_kinds
from .receivers.compared_names import compared_texts
from .receivers.named_instances import library_instances, shape_of, tested_instances
from .receivers.receiver_pool import (
    Receivers,
    attribute_values,
    imitations,
    receivers,
    subclasses,
    with_more,
)
from .statements import Statement, on_receiver, texts_of
from .target_parameter import Strategy, TargetParameter
from .texts.array_texts import array_texts
from .texts.given_files import readable_file_texts
from .texts.message_framing import framing
from .texts.pandas_tables import column_tables
from .texts.sql_names import sql_name
from .texts.sql_values import sql_values
from .types.docstrings import documented_argument, quoted_texts
from .types.parameter_defaults import default_of, non_default_first, of_default_kind
from .types.signatures import signatures
from .types.tested_values import is_only_tested, tested_classes, together
from .types.value_kinds import Kinds, annotated_kinds, of_annotated

How = Literal["keyword", "position", "rest", "rest of keywords"]
_NOT_WRAPPING = frozenset(
    "staticmethod classmethod property cached_property abstractmethod overload override "
    "final".split()
)
"""Decorators that keep a function's signature."""
_MOST = 16
_MOST_RECORDS = 24
_ANY_KEYWORD = "{'key_1': 'value-1'}"
"""An argument for a target that collects keywords and looks at none by name."""
_MOST_SITES = 40
_MOST_PASSED = 6
_OPERATORS = frozenset(
    (*EQUALITY, *ORDER, *(f"__{way}{name}__" for name in BINARY.values() for way in ("", "r", "i")))
)
"""Special methods with two operands."""


def _no_callees() -> tuple[Callee, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Pool:
    """The values that one parameter may take."""

    name: str
    """Name of the parameter. For the call of a returned function, the call's number precedes it."""
    how: How
    texts: tuple[str, ...]
    """Expressions in the script's namespace. Without any, the parameter can only be left out."""
    is_optional: bool = False
    """Whether it can be left out. At first it is."""
    stand_ins: tuple[str, ...] = ()
    """Objects that only look like an instance of a repository class, where none can be made."""
    forms: tuple[str, ...] = ()
    """Texts of each form that a pattern or format distinguishes (see `text_forms`)."""
    call: int = 0
    """Which call takes it: 0 is the target, 1 the function that it returns, and so on."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The way to call a target, with expressions for its arguments."""

    qualname: str
    kind: Literal["function", "method", "constructor", "property"]
    receivers: Receivers = field(default_factory=lambda: Receivers(()))
    """The objects on which a method is called."""
    pools: tuple[Pool, ...] = ()
    together: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Names and values of parameters whose values belong together."""
    fitting: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Names and values of parameters that may have to match, such as in length."""
    calls: int = 1
    """Number of calls: the target, and each function that a call returns."""
    is_awaited: bool = False
    is_async_generator: bool = False
    needs_loop: bool = False
    """Whether a plain function needs a running event loop."""
    holder: str = ""
    """Attribute that holds the function where its name is bound to a decorator's object."""
    surroundings: tuple[Statement, ...] = ()
    """Statements that change what the target reads besides its arguments."""
    within: tuple[Statement, ...] = ()
    """Statements that enter all required contexts; a part of `surroundings`."""
    files: tuple[str, ...] = ()
    """Contents for files that are read at a path given as argument."""
    reaches_files: bool = False
    """Whether the slice itself reads, writes, lists or removes files."""
    caught: tuple[tuple[str, tuple[CaughtException, ...]], ...] = ()
    """Names in `except` clauses with the classes behind them, where the name alone does not do."""
    takes_values: bool = False
    """Whether the target is a generator that uses sent values."""
    keeps_state: bool = False
    """Whether a call may depend on earlier calls."""
    kinds: tuple[tuple[str, Kinds], ...] = ()
    """Targets that statements assign to, with their declared kinds."""
    signatures: tuple[tuple[str, ast.arguments], ...] = field(default=(), compare=False)
    """Signatures of the script's methods and functions, by name."""
    named: Callable[[str], str] = field(default=repr, compare=False)
    """Returns an expression for something with that name: an attribute of the target's class, or
    any value."""
    find_callees: Callable[[], tuple[Callee, ...]] = field(default=_no_callees, compare=False)

    @property
    def callees(self) -> tuple[Callee, ...]:
        """Return the methods that the target calls, each with other answers; cached."""
        return self.find_callees()


def _is_entered(node: FunctionNode) -> bool:
    """Whether the target is an asynchronous context manager and no iterator."""
    names = (ast.unparse(each).rpartition(".")[2] for each in node.decorator_list)
    return "asynccontextmanager" in names


@lru_cache(maxsize=2)
def inputs_of(repository: Repository, sliced: Slice) -> Inputs | None:
    """Return the pools of the slice's first target; `None` if it is no function.

    The last results are cached, since each step that calls the target asks for them.
    """
    maker = ArgumentBuilder(repository, sliced)
    function = maker.target
    if function is None:
        return None
    maker.assume(function)
    maker.follower = FlowQuery(maker.walk.graph, maker.assumed, maker.there)
    node = function.node
    is_async = isinstance(node, ast.AsyncFunctionDef)
    yields = is_async and any(isinstance(n, ast.Yield) for n in ast.walk(node))
    kind: Literal["function", "method", "constructor", "property"] = "function"
    found = Receivers(())
    if function.owner is not None:
        if node.name == "__init__":
            name = maker.class_name(function.owner)
            plain = maker.completed(function.owner, 0)
            concrete = (plain, *subclasses(maker, function, function.owner))
            if concrete == (name,):
                kind, found = "constructor", Receivers((name,))
            else:  # the call goes to the target, whatever name the new class has
                texts = tuple(f"object.__new__({each})" for each in concrete)
                kind, found = "method", Receivers(texts)
        else:
            kind = "property" if is_property(maker, function) else "method"
            found = receivers(maker, function, function.owner)
    results = tuple(returned_functions(maker, function)) if kind in {"function", "method"} else ()
    pools = tuple(_pools(maker, function)) if kind != "property" else ()
    for number, result in enumerate(results, 1):
        named = (replace(p, name=f"{number}:{p.name}", call=number) for p in _pools(maker, result))
        pools = (*pools, *named)
    last = results[-1].node if results else node
    border = Border(repository, sliced, (), Settings())
    code = kept_code(border)
    form = framing(code)

    def framed(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each for text in texts for each in form.frame_messages(text)))

    pools = tuple(_as_arguments(pool, node, code) for pool in pools)
    pools = tuple(_with_forms(pool, maker, function, code) for pool in pools)
    pools = tuple(replace(pool, texts=framed(pool.texts)) for pool in pools)
    assigned = _assigned(maker, function) if kind == "property" else ()
    states = (*assigned, *found.states, *argument_states(maker, function))
    said = map(Statement, framed(texts_of(states)))
    found = replace(found, texts=framed(found.texts), states=tuple(said))
    needed = {p.name: p.texts for p in pools if p.texts and not p.is_optional}
    entered = contexts(maker, code)
    uses = tuple(file_uses(border, code))
    return Inputs(
        sliced.manifest.targets[0].qualname,
        kind,
        found,
        pools,
        tuple(together(node, frozenset(p.name for p in pools))),
        tuple(fitting(needed, maker.libraries)),
        1 + len(results),
        is_awaited=isinstance(last, ast.AsyncFunctionDef) and not yields,
        is_async_generator=yields and not _is_entered(node),
        needs_loop=needs_loop(code),
        surroundings=tuple(
            Statement(text)
            for text in (
                *chain(*entered),
                *state(maker, code),
                *framework_state(code),
                *surroundings(code),
            )
        ),
        within=tuple(Statement(texts[0]) for texts in entered),
        files=readable_file_texts(border, code, uses),
        reaches_files=bool(uses),
        caught=caught(maker, function),
        takes_values=not results and takes_values(node),
        keeps_state=not results and has_state_between_calls(function),
        kinds=state_kinds(maker, function, found.states),
        signatures=signatures(sliced.source, node),
        named=lambda name: _named(maker, function.owner, name),
        find_callees=cache(lambda: callees(maker, function)),
    )


def _assigned(builder: ArgumentBuilder, function: TargetFunction) -> Iterator[Statement]:
    """Yield statements that assign to a property with a setter, which belongs to the target."""
    owner, name = function.owner, function.node.name
    for node in owner.functions if owner is not None else ():
        if owner is not None and f"{name}.setter" in map(ast.unparse, node.decorator_list):
            setter = TargetFunction(owner.module, node, owner.scope, owner, name)
            for pool in islice(_pools(builder, setter), 1):
                place = on_receiver(f".{name}")
                yield from (Statement.setting(place, text) for text in pool.texts)


def _named(builder: ArgumentBuilder, owner: ClassInfo | None, name: str) -> str:
    if owner is None:
        return builder.of(NO_USES, name, 1)
    found = chain(imitations(builder, owner, name), attribute_values(builder, owner, name))
    return next(found, "") or builder.of(NO_USES, name, 1)


def _pools(builder: ArgumentBuilder, function: TargetFunction) -> Iterator[Pool]:
    node = function.node
    skipped = 1 if function.takes_self else 0
    order = function.positional[skipped:]
    first_default = len(order) - len(node.args.defaults)
    only = {arg.arg for arg in node.args.posonlyargs}
    if function.kinds - _NOT_WRAPPING or is_rebound(builder.walk.inference, function):
        # a decorator may not pass keywords on
        only |= {arg.arg for arg in order[:first_default]}
    sites = tuple(islice(Mentions(builder.repository).calls(function.name), _MOST_SITES))
    for place, arg in enumerate(order):
        how: How = "position" if arg.arg in only else "keyword"
        given = _given(builder, function, sites, arg.arg, [a.arg for a in order])
        yield _pool(builder, function, arg, how, given, is_optional=place >= first_default)
    rest = node.args.vararg
    if rest is not None:
        made = wrap_iterables(node, rest, builder.texts(_shape(builder, function, rest)))
        yield Pool(rest.arg, "rest", ("[]", *made), is_optional=True)
    for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        given = _given(builder, function, sites, arg.arg, [])
        yield _pool(builder, function, arg, "keyword", given, is_optional=default is not None)
    named = node.args.kwarg
    if named is not None:
        shape = _shape(builder, function, named)
        made = [t for t in builder.texts(shape) if t.startswith("{") and t != "{}"]
        texts = ("{}", *(made or [_ANY_KEYWORD]))
        yield Pool(named.arg, "rest of keywords", texts, is_optional=True)


def _pool(
    builder: ArgumentBuilder,
    function: TargetFunction,
    arg: ast.arg,
    how: How,
    given: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    is_optional: bool,
) -> Pool:
    def built() -> tuple[str, ...]:
        made = tuple(builder.texts(_shape(builder, function, arg)))
        return (*column_tables(function.node, made), *made)

    literals, passed = (tuple(of_annotated(texts, arg.annotation)) for texts in given)
    parameter = TargetParameter(
        builder, function, arg, literals, passed,
        lambda: _shape(builder, function, arg), cache(built),
    )  # fmt: skip
    found = [text for strategy in STRATEGIES for text in strategy(parameter)]
    default = default_of(function.node, arg.arg)
    if not literals and arg.annotation is None and is_only_tested(function.node, arg.arg):
        found = ["True", "False"]
    if default is not None and is_literal(default):
        found.append(ast.unparse(default))
    shape = _shape(builder, function, arg)
    if default is not None:
        found = of_default_kind(found, default) if isinstance(shape, Anything) else found
        found = non_default_first(found, default)
    records = islice(builder.records(shape), _MOST_RECORDS)
    texts = tuple(dict.fromkeys((*tuple(dict.fromkeys(found))[:_MOST], *records)))
    texts = wrap_iterables(function.node, arg, texts)
    return Pool(arg.arg, how, texts, is_optional, tuple(_stand_ins(builder, function, arg)))


def _sql_names(p: TargetParameter) -> Iterator[str]:
    name = sql_name(p.function.node, p.name, p.builder.sliced.source)
    if name:
        yield repr(name)


def _quoted_texts(p: TargetParameter) -> Iterator[str]:
    """Yield the texts that the docstring quotes, for a parameter annotated as text."""
    if "str" in annotated_kinds(p.arg.annotation):
        node = p.function.node
        names = {each.arg for each in (*p.function.positional, *node.args.kwonlyargs)}
        yield from map(repr, quoted_texts(ast.get_docstring(node), names))


STRATEGIES: tuple[Strategy, ...] = (
    _sql_names,
    lambda p: p.builder.served(p.function.node, p.arg),
    lambda p: sql_values(p.function.node, p.name, p.builder.sliced.source),
    lambda p: p.literals,
    lambda p: _class_texts(p.builder, p.function, p.arg),
    lambda p: p.built[:1],
    lambda p: p.passed[:_MOST_PASSED],
    lambda p: _attribute_names(p.function, p.arg),
    lambda p: compared_texts(p.function.node, p.name, partial(p.builder.in_script, p.function)),
    lambda p: enumerated_texts(p.builder, p.function, p.name),
    lambda p: pattern_texts(p.builder, p.function, p.arg),
    _quoted_texts,
    lambda p: library_instances(p.shape),
    lambda p: _other_operand(p.builder, p.function),
    lambda p: _tested_texts(p.builder, p.function, p.arg),
    lambda p: _with_options(p.builder, p.function, p.arg),
    lambda p: other_union_members(p.builder, p.function, p.arg.annotation),
    lambda p: p.built[1:],
    lambda p: (other for text in p.built[:1] for other in array_texts(text)),
)
"""Give expressions for a parameter. The first ones of all together are kept, so order counts."""


def _with_forms(
    pool: Pool, builder: ArgumentBuilder, function: TargetFunction, code: KeptCode
) -> Pool:
    """Return the pool with text forms added, if the likeliest value is a text."""
    if any(text[:1] in "'\"" for text in pool.texts[:1]):
        return replace(pool, forms=text_forms(builder, function, pool.name, code))
    return pool


def _with_options(
    builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg
) -> Iterator[str]:
    """Yield instances of a repository class with the optional arguments that the target reads.

    For a list, its items get them, whatever names the target uses for items.
    """
    shape = _shape(builder, function, arg)
    item = shape.item if isinstance(shape, Sequence) else shape
    cls = item.own if isinstance(item, Object) else None
    if isinstance(cls, ClassInfo) and builder.keeps_class(cls):
        read = (n for n in ast.walk(function.node) if isinstance(n, ast.Attribute))
        named = ((n.attr, n.value.id) for n in read if isinstance(n.value, ast.Name))
        names = frozenset(attr for attr, name in named if item is not shape or name == arg.arg)
        made = with_more(builder, cls, names)
        yield from made if item is shape else (f"[{text}]" for text in made)


def _stand_ins(builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg) -> Iterator[str]:
    """Yield objects with the members that the target uses of an instance."""
    uses = builder.uses_of(function.node, arg.arg)
    shape = infer(uses, "any", arg.arg)
    cls = shape.own if isinstance(shape, Object) else None
    if isinstance(cls, ClassInfo) and builder.keeps_class(cls) and not builder.members(cls):
        yield from islice(builder.texts(builder.imitated(cls, uses, arg.arg)), 2)


def _tested_texts(
    builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg
) -> Iterator[str]:
    """Yield instances of the classes that a parameter, or its items in a list, is tested for."""
    tested = tested_classes(function.node, arg.arg)
    if any(isinstance(cls, ast.Name) and cls.id == "dict" for cls in tested):
        yield from islice(builder.texts(_shape(builder, function, arg, "dict")), 2)
    yield from tested_instances(builder, function, arg.arg)
    yield from matched_texts(builder, function, arg.arg)


def _other_operand(builder: ArgumentBuilder, function: TargetFunction) -> Iterator[str]:
    """Yield an instance made like the receiver, if the target is an operator with two operands."""
    owner = function.owner
    if owner is not None and function.node.name in _OPERATORS and builder.keeps_class(owner):
        yield builder.instance(owner, 1)


def _attribute_names(function: TargetFunction, arg: ast.arg) -> tuple[str, ...]:
    """Return names of attributes that every object has, if the target looks one up by this name."""
    for node in ast.walk(function.node):
        match node:
            case ast.Call(func=ast.Name("getattr" | "hasattr"), args=[_, ast.Name(name), *_]):
                if name == arg.arg:
                    return ("'__doc__'", "'__class__'")
            case _:
                pass
    return ()


def _class_texts(builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg) -> Iterator[str]:
    """Yield classes, where the annotation asks for a class without naming one."""
    match arg.annotation:
        case ast.Subscript(value=ast.Name(id="type" | "Type"), slice=wanted):
            pass
        case _:
            return
    is_known = isinstance(shape_of(builder, function, wanted), Object)
    if isinstance(wanted, ast.Name) and not is_known:
        is_builtin = isinstance(getattr(builtins, wanted.id, None), type)
        yield from (wanted.id,) if is_builtin else ("str", "int", "object")
    if "pydantic" in builder.libraries and not is_known:
        yield '__import__("pydantic").create_model("Model", name=(str, ...), count=(int, 1))'


def _shape(
    builder: ArgumentBuilder, function: TargetFunction, arg: ast.arg, known: str = ""
) -> Shape:
    """Return the shape of a parameter, or its shape as a value of the given type."""
    node = function.node
    uses = builder.uses_of(node, arg.arg)
    if known:
        facts = (*(f for f in uses.facts if f.kind not in ("type", "class")), Fact("type", known))
        return infer(replace(uses, facts=facts), "any", arg.arg)
    if arg.annotation is None:
        uses = merged(uses, builder.documented(function, arg))
    shape = infer(uses, "any", arg.arg)
    shape = builder.declared(shape, uses, annotated_kinds(arg.annotation), arg.arg)
    return builder.replaced(shape, uses, arg.arg)


def _as_arguments(pool: Pool, node: FunctionNode, code: KeptCode) -> Pool:
    """Return the pool of a parameter from which an argument parser reads the command line."""
    for each in ast.walk(node):
        match each:
            case ast.Call(
                func=ast.Attribute(attr="parse_args" | "parse_known_args"),
                args=[ast.Name(id=name), *others],
            ) if name == pool.name and not any(isinstance(n, ast.Starred) for n in others):
                lines = command_lines(code)
                given = (every_argument(code), program_arguments(code), ("--help",), (), *lines)
                texts = dict.fromkeys(repr([*each]) for each in given)
                return replace(pool, texts=tuple(texts))
            case _:
                pass
    return pool


def _given(
    builder: ArgumentBuilder,
    function: TargetFunction,
    sites: tuple[CallSite, ...],
    name: str,
    order: list[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return values passed in docstring examples and in repository calls: literals, then others."""
    found: dict[str, None] = {}
    example = documented_argument(ast.get_docstring(function.node), function.name, order, name)
    if example is not None and is_literal(example):
        found[ast.unparse(example)] = None
    others: dict[str, None] = {}
    for site in sites:
        argument = arguments_of(site.call, order).get(name)
        if argument is not None and is_literal(argument):
            found[ast.unparse(argument)] = None
        elif argument is not None:
            others.update(dict.fromkeys(passed(builder, site, argument)))
    return tuple(found), tuple(others)
