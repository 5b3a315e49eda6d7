"""Missing imports of code in Java, JavaScript, Go and Rust."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ..retrieval.languages import Language, parser_of
from .code_index import CodeIndex
from .syntax_imports import import_statement, used_names
from .syntax_records import other_language, syntax_record

_SHOWN = 8
"""Maximum number of sources of one name."""


def imports_by_syntax(index: CodeIndex, code: str, path: str, language: Language) -> str:
    """Return statements for the names of code in another language than Python.

    Only names that the repository defines or imports somewhere are known: what else is undefined
    in the code is not looked for.
    """
    own = syntax_record(path or f"code{language.endings[0]}", code.encode(), language)
    known = {each.name for each in (*own.definitions, *own.imports)}
    if path and (stored := index.stamps.get(path)):
        known |= {each.name for each in (*stored[1].definitions, *stored[1].imports)}
        own = replace(own, module=stored[1].module)
    root = parser_of(language.name).parse(code.encode()).root_node
    lines: list[str] = []
    for name in sorted(used_names(root) - known):
        found = list(_other_sources(index, name, own.module, language))
        if found:
            lines.append(f"{name}:")
            lines += [f"    {statement}  // {why}" for statement, why in found[:_SHOWN]]
        if len(found) > _SHOWN:
            lines.append(f"    // and {len(found) - _SHOWN} more")
    nothing = "the code uses no name that the repository defines or imports elsewhere"
    return "\n".join(lines) or nothing


def _other_sources(
    index: CodeIndex, name: str, module: str, language: Language
) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    used: Counter[str] = Counter()
    same = [each for each in index.records if other_language(each.path) == language]
    if language.name in ("java", "go") and any(
        each.qualname == name
        for record in same
        if record.module == module
        for each in record.definitions
    ):
        return  # a package sees its own names
    for record in same:
        used.update(each.statement for each in record.imports if each.name == name)
        for each in record.definitions:
            if each.qualname == name:
                statement = import_statement(each, record.module, language)
                if statement not in seen:
                    seen.add(statement)
                    yield statement, f"defined in {record.path}:{each.first}"
    for statement, count in sorted(used.items(), key=lambda item: (-item[1], item[0])):
        if statement not in seen:
            yield statement, f"as in {count} file{'s' * (count != 1)} of the repository"
