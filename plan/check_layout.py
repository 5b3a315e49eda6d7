"""Check a layout: entries on each level, one name once in a tree, and one-way imports between entries.

    python check_layout.py [--repo CHECKOUT] moves.tsv [--all]

Reads the old tree's imports (also those under TYPE_CHECKING and inside functions), maps both ends to
their new places, and looks at every folder of the new layout: entries (modules and sub-folders) that
import one another in a circle are printed with the lines that close it.
"""
from __future__ import annotations

import argparse
import ast
import collections
import sys
from pathlib import Path

TOPS = ("slicer", "mocker", "verifier", "llm", "driver", "benchmarks")


def read_moves(path: Path) -> dict[str, str]:
    rows = (line.split("\t") for line in path.read_text().splitlines() if line and line[0] != "#")
    return {row[0]: row[1] for row in rows}


def imports(repo: Path, files: list[str], moves: dict[str, str]):
    known = set(moves)

    def find(parts):
        path = "/".join(parts)
        for each in (f"{path}.py", f"{path}/__init__.py"):
            if each in known:
                return each
        return None

    for file in files:
        tree = ast.parse((repo / file).read_text())
        typing_only, late = set(), set()
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                typing_only.update(id(m) for s in node.body for m in ast.walk(s))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                late.update(id(m) for m in ast.walk(node))
        package = file.split("/")[:-1]
        for node in ast.walk(tree):
            kind = "typing" if id(node) in typing_only else "late" if id(node) in late else "top"
            if isinstance(node, ast.ImportFrom):
                if node.level:
                    base = package[: len(package) - node.level + 1] + (node.module or "").split(".")
                    base = [b for b in base if b]
                else:
                    base = (node.module or "").split(".")
                    if base[0] == "slicefunc":
                        base = base[1:]
                    elif base[0] != "benchmarks":
                        continue
                for alias in node.names:
                    found = find([*base, alias.name]) or find(base)
                    if found:
                        yield file, found, node.lineno, kind
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    base = alias.name.split(".")
                    base = base[1:] if base[0] == "slicefunc" else base
                    found = find(base) if base and base[0] in TOPS else None
                    if found:
                        yield file, found, node.lineno, kind


def components(graph):
    """Tarjan."""
    index, low, stack, on, out = {}, {}, [], set(), []
    sys.setrecursionlimit(10000)

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on.add(v)
        for w in sorted(graph.get(v, ())):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            part = set()
            while True:
                w = stack.pop()
                on.discard(w)
                part.add(w)
                if w == v:
                    break
            out.append(part)

    for v in sorted(graph):
        if v not in index:
            visit(v)
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("moves", type=Path, help="old and new path of each module")
    parser.add_argument("--repo", type=Path, default=Path(), help="the checkout before the move")
    parser.add_argument("--all", action="store_true", help="also circles of modules in one folder")
    given = parser.parse_args()
    repo, show_all, moves = given.repo, given.all, read_moves(given.moves)
    moves = {old: new for old, new in moves.items() if old.endswith(".py") and old.split("/")[0] in TOPS}
    edges = collections.defaultdict(lambda: collections.defaultdict(list))
    for file, found, line, kind in imports(repo, sorted(moves), moves):
        a, b = moves[file].split("/"), moves[found].split("/")
        depth = 0
        while depth < min(len(a), len(b)) and a[depth] == b[depth]:
            depth += 1
        if depth >= min(len(a), len(b)):
            continue
        left, right = a[depth], b[depth]
        # a package's own __init__ may gather what lies below it
        if left == "__init__.py" or right == "__init__.py":
            if left == "__init__.py":
                continue
        edges["/".join(a[:depth])][left, right].append((moves[file], moves[found], f"{file}:{line}", kind))
    bad = 0
    for folder in sorted(edges):
        graph = collections.defaultdict(set)
        for (left, right), _ in edges[folder].items():
            graph[left].add(right)
            graph.setdefault(right, set())
        for part in components(graph):
            if len(part) > 1:
                has_folder = any(not p.endswith(".py") for p in part)
                if not has_folder and not show_all:
                    continue
                bad += 1
                print(f"CIRCLE in {folder}/: {' '.join(sorted(part))}")
                for (left, right), why in sorted(edges[folder].items()):
                    if left in part and right in part:
                        print(f"    {left} -> {right} ({len(why)})")
                        for a, b, at, kind in why[: 4 if len(why) <= 12 else 2]:
                            print(f"        {at} [{kind}]  {a} imports {b}")
    entries = collections.defaultdict(set)
    for new in moves.values():
        parts = new.split("/")
        for i in range(1, len(parts)):
            if parts[i] != "__init__.py":
                entries["/".join(parts[:i])].add(parts[i])
    for folder, names in sorted(entries.items()):
        if len(names) > 12:
            print(f"WIDE {folder}/: {len(names)} entries")
    for top in TOPS:
        same = collections.defaultdict(list)
        for new in moves.values():
            if new.startswith(top + "/") and not new.endswith("__init__.py"):
                same[new.rsplit("/", 1)[-1]].append(new)
        for name, places in sorted(same.items()):
            if len(places) > 1 and name != "family.py":
                print(f"SAME NAME in {top}/: {name}: {' '.join(places)}")
    for top in TOPS:
        graph = collections.defaultdict(set)
        for left, right in edges.get(top, {}):
            graph[left].add(right)
        order = {}

        def level(v, seen=()):
            if v in seen:
                return 0
            if v not in order:
                order[v] = 1 + max((level(w, (*seen, v)) for w in graph.get(v, ())), default=0)
            return order[v]

        names = {n for n in entries[top]}
        layers = collections.defaultdict(list)
        for n in names:
            layers[level(n)].append(n)
        print(f"LAYERS {top}: " + " / ".join(" ".join(sorted(layers[k])) for k in sorted(layers, reverse=True)))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
