"""Program arguments with which the slice's parsers succeed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...source.kept_code import KeptCode

_PARSERS = ("argparse.ArgumentParser", "configargparse.ArgumentParser", "configargparse.ArgParser")
_PLAIN = ("store_true", "store_false", "store_const", "append_const", "count")
"""Actions of options that take no value."""
_MOST = 10


@dataclass(slots=True)
class _Parser:
    """The arguments that a parser, or one of its subcommands, requires."""

    options: list[str] = field(default_factory=list[str])
    positionals: list[str] = field(default_factory=list[str])
    each: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    """The options, one by one."""


def program_arguments(code: KeptCode) -> tuple[str, ...]:
    """Return values for `sys.argv[1:]`: for required arguments, and for those subscripted."""
    declared = _declared(code) or _commands(code)
    return tuple(declared) if declared else tuple(_subscripted(code))


def every_argument(code: KeptCode) -> tuple[str, ...]:
    """Return values for `sys.argv[1:]` that use each option of the parsers."""
    return tuple(_declared(code, is_whole=True))


def command_lines(code: KeptCode) -> tuple[tuple[str, ...], ...]:
    """Return values for `sys.argv[1:]` by command: required ones, and each option alone."""
    main, below = _parsers(code)
    whole, more = _parsers(code, is_whole=True)
    commands = [((), main, whole)]
    if below:
        commands = [((word,), parser, more[name][1]) for name, (word, parser) in below.items()]
    head = (*main.options, *main.positionals) if below else ()
    found: dict[tuple[str, ...], None] = {}
    for word, least, every in commands:
        options = [(), *every.each, tuple(every.options)]
        for option in options:
            required = () if option == tuple(every.options) else tuple(least.options)
            found[(*head, *word, *required, *option, *least.positionals)] = None
    return tuple(found)


def parses(call: ast.Call) -> bool:
    """Whether a call parses the program's arguments."""
    match call:
        case ast.Call(
            func=ast.Attribute(attr="parse_args" | "parse_known_args"), args=[], keywords=[]
        ):
            return True
        case _:
            return False


def reads_arguments(code: KeptCode) -> bool:
    """Whether the slice itself reads the program's arguments."""
    for kept, node in code.nodes(ast.Call, ast.Attribute):
        match node:
            case ast.Call() if parses(node):
                return True
            case ast.Attribute(attr="argv"):
                if code.dotted(node, kept.path) == "sys.argv":
                    return True
            case ast.Call(func=ast.Name(id="docopt" | "Fire") | ast.Attribute(attr="Fire")):
                return True
            case ast.Call(func=ast.Attribute(attr="parse_args"), args=[ast.Name()]):
                return True  # main(argv=None)
            case _:
                pass
    return bool(_commands(code))


def _declared(code: KeptCode, *, is_whole: bool = False) -> list[str]:
    main, below = _parsers(code, is_whole=is_whole)
    found = [*main.options, *main.positionals]
    if below:
        command, parser = next(iter(below.values()))
        found += [command, *parser.options, *parser.positionals]
    return found


def _parsers(
    code: KeptCode, *, is_whole: bool = False
) -> tuple[_Parser, dict[str, tuple[str, _Parser]]]:
    """Return the main parser, and variable → the word and parser of each subcommand."""
    main = _Parser()
    below: dict[str, tuple[str, _Parser]] = {}
    for _, call in code.calls:
        for name, command in _subparser(code, call):
            below.setdefault(name, (command, _Parser()))
    for kept, call in code.calls:
        match call.func:
            case ast.Attribute(value=receiver, attr="add_argument"):
                name = _last_name(receiver)
                dotted = code.dotted(receiver, kept.path)
                known = name in below or dotted.startswith(_PARSERS) or name
                if known:
                    parser = below[name][1] if name in below else main
                    _add(parser, call, is_whole=is_whole)
            case _:
                pass
    return main, below


def _subparser(code: KeptCode, call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield the variable and word of a subcommand that a call adds to a parser."""
    match call:
        case ast.Call(
            func=ast.Attribute(attr="add_parser"), args=[ast.Constant(value=str(word)), *_]
        ):
            for holders in (code.bindings, code.locals):
                for name, values in holders.items():
                    if any(value is call for _, value in values):
                        yield name, word
        case _:
            pass


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _add(parser: _Parser, call: ast.Call, *, is_whole: bool = False) -> None:
    words = {word.arg: word.value for word in call.keywords}
    given = call.args or [value for word, value in words.items() if word == "dest"]
    names = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    action = _constant(words.get("action"))
    if not names or action in ("version", "help"):
        return
    number = _constant(words.get("nargs")) or 1
    if number in ("?", "*"):
        number = int(is_whole)
    many = number if isinstance(number, int) else 1
    value = _value(words, is_last=is_whole)
    if not names[0].startswith("-"):
        parser.positionals += [value] * many
    elif is_whole or _constant(words.get("required")):
        longest = max(names, key=len)
        words_of_it = (longest,) if action in _PLAIN else (longest, *([value] * max(many, 1)))
        parser.options += words_of_it
        parser.each.append(words_of_it)


def _constant(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _value(words: dict[str | None, ast.expr], *, is_last: bool = False) -> str:
    """Return a value for an argument: the first or last of its choices, if it has any."""
    match words.get("choices"):
        case ast.List(elts=[*items]) | ast.Tuple(elts=[*items]) if items:
            chosen = items[-1] if is_last else items[0]
            if isinstance(chosen, ast.Constant):
                return str(chosen.value)
        case _:
            pass
    match words.get("type"):
        case ast.Name(id=kind) | ast.Attribute(attr=kind):
            return {"int": "1", "float": "1.0", "Path": "data.txt", "bool": "1", "loads": "{}",
                    "INT": "1", "FLOAT": "1.0"}.get(kind, "text")  # fmt: skip
        case _:
            return "text"


def _commands(code: KeptCode) -> list[str]:
    """Return the arguments that click's decorators require for the first command."""
    parser = _Parser()
    for kept in code.statements:
        if not isinstance(kept.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for decorator in kept.node.decorator_list:
            if not isinstance(decorator, ast.Call):
                continue
            dotted = code.dotted(decorator.func, kept.path)
            if dotted in ("click.argument", "click.option"):
                _add(parser, decorator)
        if parser.options or parser.positionals:
            break
    return [*parser.options, *parser.positionals]


def _subscripted(code: KeptCode) -> list[str]:
    """Return as many values as are subscripted or counted."""
    most = 0
    numbers: set[int] = set()
    for kept, node in code.nodes(ast.Subscript, ast.Compare):
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=int(index))):
                if index > 0 and code.dotted(value, kept.path) == "sys.argv":
                    most = max(most, index)
                    match code.parents(kept.node).get(id(node)):
                        case ast.Call(func=ast.Name(id="int" | "float")):
                            numbers.add(index)
                        case _:
                            pass
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="len"), args=[value]),
                ops=[ast.NotEq() | ast.Lt() | ast.Eq()],
                comparators=[ast.Constant(value=int(count))],
            ):
                if code.dotted(value, kept.path) == "sys.argv":
                    most = max(most, count - 1)
            case _:
                pass
    return ["1" if n in numbers else "text" for n in range(1, min(most, _MOST) + 1)]
