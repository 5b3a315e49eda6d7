"""What a recorded eval script did with the definitions that our slice keeps."""

from __future__ import annotations

import ast
from collections import Counter

from slicefunc.slicer import Repository, Slice
from slicefunc.verifier.script.bare_trees import bare

from ..repost.data.examples import Example, FunctionNode, definitions


def recorded(example: Example, repository: Repository, sliced: Slice) -> dict[str, int]:
    """How many kept definitions stand there identically, rewritten, or not at all.

    The target itself is left out, and so is what stands inside a class. Of classes that are there,
    also how many have lost a base or a decorator.
    """
    found: Counter[str] = Counter()
    (target,) = sliced.manifest.targets
    for kept in sliced.manifest.definitions:
        top = "." not in kept.qualname and kept.kind in ("function", "class")
        if not top or (kept.path, kept.qualname) == (target.path, target.qualname):
            continue
        own = definitions(repository.source(kept.path).text, kept.qualname)
        if not own:
            continue
        theirs = definitions(example.eval_script, kept.qualname)
        found["kept"] += 1
        if not theirs:
            found["missing"] += 1
            continue
        if kept.kind == "class":
            found["classes"] += 1
            found["bases_lost"] += _lost(_bases(own[-1]), _bases(theirs[-1]))
            found["decorators_lost"] += _lost(_decorators(own[-1]), _decorators(theirs[-1]))
            continue
        same = ast.dump(bare(own[-1])) == ast.dump(bare(theirs[-1]))
        found["identical" if same else "rewritten"] += 1
    return dict(sorted(found.items()))


def _bases(node: FunctionNode) -> list[str]:
    found = node.bases if isinstance(node, ast.ClassDef) else []
    return [ast.unparse(base).rpartition(".")[2] for base in found]


def _decorators(node: FunctionNode) -> list[str]:
    return [ast.unparse(each).partition("(")[0] for each in node.decorator_list]


def _lost(before: list[str], after: list[str]) -> int:
    return int(any(name not in after for name in before))
