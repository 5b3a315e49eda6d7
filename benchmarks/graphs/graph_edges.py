"""Edges of different tools made comparable, judged against observed calls, and followed."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

Edge = tuple[str, str]
LAMBDA = re.compile(r"\.<?lambda[^.]*$")


@dataclass(slots=True)
class Names:
    """What is defined in a folder; functions in functions are named `module.outer.inner`."""

    modules: set[str] = field(default_factory=set[str])
    classes: set[str] = field(default_factory=set[str])
    functions: dict[str, str] = field(default_factory=dict[str, str])
    """For each function the outermost one around it, which is what a slice keeps."""

    def read(self, module: str, text: bytes) -> None:
        """Add the definitions of a module; what cannot be parsed has none."""
        self.modules.add(module)
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return
        stack: list[tuple[ast.AST, str, str]] = [(tree, module, "")]
        while stack:
            node, scope, outermost = stack.pop()
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.ClassDef):
                    name = f"{scope}.{child.name}"
                    self.classes.add(name)
                    stack.append((child, name, outermost))
                elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                    name = f"{scope}.{child.name}"
                    self.functions[name] = outermost or name
                    stack.append((child, name, outermost or name))
                else:
                    stack.append((child, scope, outermost))


def comparable(edges: Iterable[Edge], names: Names) -> set[Edge]:
    """Edges from a function or module to a function of the folder.

    What a class body calls is called by the function or module around it, and so is what a lambda
    calls; the tools differ in this. Calls of lambdas are left out, since each names them
    otherwise.
    """
    found: set[Edge] = set()
    for source, target in edges:
        caller = source
        while caller in names.classes or LAMBDA.search(caller):
            caller = caller.rpartition(".")[0]
        if target in names.functions and (caller in names.functions or caller in names.modules):
            found.add((caller, target))
    return found


def judged_edges(found: set[Edge], direct: set[Edge], by_library: set[Edge]) -> dict[str, int]:
    """How many of the observed calls were found, and how many edges were not observed."""
    return {
        "found": len(direct & found),
        "missed": len(direct - found),
        "found_by_library": len(by_library & found),
        "missed_by_library": len(by_library - found),
        "not_observed": len(found - direct - by_library),
    }


def outgoing(edges: Iterable[Edge]) -> dict[str, list[str]]:
    """The targets of each source."""
    targets: dict[str, list[str]] = {}
    for source, target in edges:
        targets.setdefault(source, []).append(target)
    return targets


def reached(starts: Iterable[str], targets: Mapping[str, Collection[str]]) -> set[str]:
    """The starts, and all that can be reached from them."""
    stack = list(starts)
    seen = set(stack)
    while stack:
        for target in targets.get(stack.pop(), ()):
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return seen


def started(targets: Collection[str], names: Names) -> set[str]:
    """The functions that targets stand for: of a class its methods."""
    return {
        name
        for name in names.functions
        if any(f"{name}.".startswith(f"{target}.") for target in targets)
    }


def kept_by(functions: Iterable[str], names: Names) -> set[str]:
    """The outermost functions that have to be kept for some functions."""
    return {names.functions[name] for name in functions if name in names.functions}


def judged_closure(own: set[str], ours: set[str], below: set[str], ran: set[str]) -> dict[str, int]:
    """Whether a closure covers what ran below the target, and all that ran, and is like ours."""
    return {
        "closures": 1,
        "covers_below": int(below <= own),
        "covers_all": int(ran <= own),
        "same": int(own == ours),
        "extra": len(own - ran),
    }
