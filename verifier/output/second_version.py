"""A second version of the target: a sibling under another name."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from ...slicer.emission.text_literal import text_literal
from ..same_code.sanity_checks import CANDIDATE_SUFFIX
from ..scoring.candidates.definition_blocks import Group, groups, split_name
from ..scoring.candidates.text_pieces import indentation, moved, split_lines
from ..scoring.module_holes import NoHoleError
from ..scoring.substitute import carried_literals

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_IDENTITY = re.compile(r"^(    identity=)'(\w+)'", re.M)


def with_new_implementation(script: str, path: str, qualname: str) -> str:
    """Return the script with a sibling of the target, at first a copy of it.

    Args:
        script: in the layout `flat` or `modules`.
        path: path of the target's file in the repository.
        qualname: qualified name of the target.

    Raises:
        NoHoleError: the target is no function in lines of its own.
    """
    found = sorted(carried_literals(script, path))
    if not found:
        return _with_sibling(script, qualname)
    content = script.encode("utf-8", "surrogatepass")
    for first, last, text in reversed(found):
        literal = f"((1, {text_literal(_with_sibling(text, qualname))}),)"
        content = content[:first] + literal.encode("utf-8", "surrogatepass") + content[last:]
    # its modules differ from the slice's, and both may be loaded in one process
    text = _IDENTITY.sub(r"\1'\2-eval'", content.decode("utf-8", "surrogatepass"), count=1)
    return text + _binding(text, qualname)


def _with_sibling(text: str, qualname: str) -> str:
    parts = split_name(qualname)
    found = groups(ast.parse(text).body, parts)
    if not found:
        raise NoHoleError(f"{qualname} is not defined where it should be")
    lines = split_lines(text)
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    own = [_own(group) for group in found]
    for node in sorted(own, key=lambda node: -node.lineno):
        lines[node.end_lineno : node.end_lineno] = _sibling(lines, node, parts[-1])
    return "".join(lines)


def _own(group: Group) -> ast.stmt:
    """Return the definition that counts: no overload, and for a property the getter."""
    plain = [node for node in group.nodes if not _is_companion(node)]
    return (plain or group.nodes)[-1]


def _is_companion(node: ast.stmt) -> bool:
    last = [ast.unparse(each).rpartition(".")[2] for each in getattr(node, "decorator_list", ())]
    return bool({"overload", "setter", "deleter"} & set(last))


def _sibling(lines: Sequence[str], node: ast.stmt, name: str) -> list[str]:
    indent = indentation(lines[node.lineno - 1])
    before = lines[node.lineno - 1].encode()[: node.col_offset]
    behind = lines[(node.end_lineno or 1) - 1].encode()[node.end_col_offset :].strip()
    if before.strip() or (behind and not behind.startswith(b"#")):
        raise NoHoleError(f"line {node.lineno}: the target shares its line with something else")
    if isinstance(node, _FUNCTION):
        pattern = rf"^([ \t\f]*(?:async\s+)?def\s+){name}\b"
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        pattern = rf"^([ \t\f]*){name}\b"
    else:
        raise NoHoleError(f"line {node.lineno}: the target is no function")
    text, count = re.subn(
        pattern,
        rf"\g<1>{name}{CANDIDATE_SUFFIX}",
        moved(lines, [node], indent),
        count=1,
        flags=re.M,
    )
    if not count:
        raise NoHoleError(f"line {node.lineno}: the target's name is not found")
    return ["\n" * (1 if indent else 2), text]


def _binding(script: str, qualname: str) -> str:
    """Return the import that binds a function's sibling as the script binds the function."""
    name, *rest = split_name(qualname)
    for node in reversed(ast.parse(script).body if not rest else []):
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            return f"from {node.module} import {name}{CANDIDATE_SUFFIX}\n"
    return ""
