"""`get_imports`: where the names that code does not define come from."""

from __future__ import annotations

import builtins
import symtable
import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from pydantic import Field

from ...slicer.repo.repository import STDLIB
from ..retrieval.languages import LANGUAGES, Language, parser_of
from .code_index import CodeIndex
from .imports_by_syntax import imports_by_syntax
from .syntax_records import other_language
from .tool_contract import Parameters, Tool, ToolInputError

_IMPLICIT = frozenset({"__file__", "__name__", "__doc__", "__package__", "__spec__", "__class__"})
_SHOWN = 8
"""Maximum number of sources of one name."""


class CodeToImport(Parameters):
    """Code whose imports are missing."""

    code: str = Field(
        min_length=1,
        max_length=200_000,
        description="Code as you mean to write it: a function, a class or a whole file. It is "
        "parsed, not run.",
    )
    path: str = Field(
        default="",
        description="The file of the repository that the code will stand in, for example "
        "`shop/pricing.py`. Names that the file has are then left out. Leave path out for a new "
        "file.",
    )


def get_imports(index: CodeIndex, code: str, path: str = "") -> str:
    """Return for each undefined name of some code the statements that would import it.

    Args:
        index: the repository.
        code: the code.
        path: the file that it will stand in, if it exists.

    Raises:
        ToolInputError: the code does not parse.
        TargetError: there is no such file in the repository.
    """
    if path:
        path = index.known_path(path)
    language = language_of_code(index, code, path)
    if language is not None:
        return imports_by_syntax(index, code, path, language)
    names = undefined_names(code)
    if path:
        record = index.stamps.get(index.repository.normal_path(path))
        if record is None:
            raise ToolInputError(f"{path}: no Python file that parses", "leave path out")
        own = record[1]
        known = {each.name for each in own.imports} | set(own.variables)
        known |= {each.qualname for each in own.definitions}
        names = [name for name in names if name not in known]
    if not names:
        return "no name is undefined: no import is missing"
    lines: list[str] = []
    for name in names:
        lines.append(f"{name}:")
        found = list(_sources(index, name))
        lines += [f"    {statement}  # {why}" for statement, why in found[:_SHOWN]]
        if len(found) > _SHOWN:
            lines.append(f"    # and {len(found) - _SHOWN} more")
        if not found:
            lines.append("    # nothing in the repository or the standard library has this name")
    return "\n".join(lines)


def language_of_code(index: CodeIndex, code: str, path: str) -> Language | None:
    """Return the language of code that is not Python; `None` for Python.

    The file that it stands in decides, or else whether it parses as Python; what does not is in a
    language in which it parses, the one with most files of the repository first.
    """
    if path:
        return other_language(path)
    found = Counter(each.name for r in index.records if (each := other_language(r.path)))
    with suppress(SyntaxError, ValueError):
        symtable.symtable(textwrap.dedent(code), "<code>", "exec")
        return None
    by_name = {each.name: each for each in LANGUAGES}
    usual = [by_name[name] for name, _ in found.most_common()]
    parsing = (e for e in usual if not parser_of(e.name).parse(code.encode()).root_node.has_error)
    return next(parsing, usual[0] if usual else None)


def undefined_names(code: str) -> list[str]:
    """Return the names that code reads as globals and does not bind, sorted.

    Raises:
        ToolInputError: the code does not parse.
    """
    try:
        top = symtable.symtable(textwrap.dedent(code), "<code>", "exec")
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        place = f"line {line}: " if line else ""
        message = getattr(error, "msg", None) or error
        raise ToolInputError(f"the code does not parse: {place}{message}", "mend it") from None
    bound = {each.get_name() for each in top.get_symbols() if _binds(each)}
    used = {name for table in _tables(top) for name in _read_globals(table, top)}
    bound |= {name for table in _tables(top) for name in _declared(table)}
    return sorted(used - bound - _IMPLICIT - set(dir(builtins)))


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _read_globals(table: symtable.SymbolTable, top: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        is_global = symbol.is_global() or (table is top and not _binds(symbol))
        if symbol.is_referenced() and is_global:
            yield symbol.get_name()


def _declared(table: symtable.SymbolTable) -> Iterator[str]:
    """Yield the names that a function binds in the module with `global`."""
    for symbol in table.get_symbols():
        if symbol.is_declared_global() and _binds(symbol):
            yield symbol.get_name()


def _sources(index: CodeIndex, name: str) -> Iterator[tuple[str, str]]:
    """Yield statements that import a name, with why: definitions first, then usual imports."""
    seen: set[str] = set()
    for record in index.records:
        defined = next((d for d in record.definitions if d.qualname == name), None)
        if defined is not None or name in record.variables:
            line = f":{defined.first}" if defined else ""
            statement = f"from {record.module} import {name}"
            seen.add(statement)
            yield statement, f"defined in {record.path}{line}"
        if record.module == name or record.module.endswith(f".{name}"):
            package = record.module.rpartition(".")[0]
            statement = f"from {package} import {name}" if package else f"import {name}"
            if statement not in seen:
                seen.add(statement)
                yield statement, f"the module {record.path}"
    used = Counter(
        each.statement for record in index.records for each in record.imports if each.name == name
    )
    for statement, count in sorted(used.items(), key=lambda item: (-item[1], item[0])):
        if statement not in seen:
            seen.add(statement)
            yield statement, f"as in {count} file{'s' * (count != 1)} of the repository"
    if name in STDLIB and f"import {name}" not in seen:
        yield f"import {name}", "a standard module"


def _answer(index: CodeIndex, given: CodeToImport) -> str:
    return get_imports(index, given.code, given.path)


GET_IMPORTS: Tool[CodeIndex] = Tool(
    "get_imports",
    "Missing imports",
    "Find the imports that a piece of code lacks: for each name that it uses and does not define, "
    "all import statements that would bring it (definitions of the repository, imports that the "
    "repository's other files use, standard modules). Call it with your present attempt before "
    "you run or submit it.",
    CodeToImport,
    _answer,
)
