"""Duplicates among all functions of checkouts: how many, how fast, and what MinHash-LSH would miss.

python -m benchmarks.datasets.duplicates FOLDER...             FOLDERs hold checkouts; the table
python -m benchmarks.datasets.duplicates FOLDER... --write NAME      also kept among the results
python -m benchmarks.datasets.duplicates FOLDER... --against FILE    and held against a set
python -m benchmarks.datasets.duplicates FOLDER... --quick           counts and time alone

Changed copies show what is found of a function that somebody disguised: all its local names are
renamed, one of its statements is taken out, or both.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import random
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.deduplication.find_duplicates import find_duplicates
from slicefunc.driver.datasets.deduplication.function import Function, Options, Verdicts
from slicefunc.driver.datasets.deduplication.references import code_references, read_references
from slicefunc.driver.datasets.deduplication.report import duplicate_report
from slicefunc.driver.datasets.deduplication.shingles import shingles_of, tokens_of
from slicefunc.driver.datasets.deduplication.similarity_index import SimilarityIndex, shingle_sets
from slicefunc.driver.datasets.deduplication.tree_digest import tree_digest
from slicefunc.slicer.syntax.scopes import bound_by, bound_inside

from ..common.report import machine, table, write_result

COPIES = 2000
"""Functions that are copied with changes."""
SHUFFLED = 5000
"""Functions that are also judged in another order."""
PERMUTATIONS = 128
"""Of MinHash; datasketch's default."""


def main(words: Sequence[str] | None = None) -> int:
    """Print the table and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--against", action="append", default=[], metavar="FILE")
    parser.add_argument("--similarity", type=float, default=0.7)
    parser.add_argument("--quick", action="store_true", help="without parts and changed copies")
    parser.add_argument("--write", metavar="NAME", help="of the file among the results")
    arguments = parser.parse_args(words)
    options = Options(arguments.similarity)
    functions = [each for folder in arguments.folders for each in functions_in(folder)]
    started = time.process_time()
    verdicts = find_duplicates(functions, options)
    seconds = time.process_time() - started
    report = duplicate_report(functions, verdicts, options)
    result: dict[str, Any] = {
        **{name: report[name] for name in ("functions", "fallen", "rules", "repositories")},
        "checkouts": len({each.repo for each in functions}),
        "similarity": options.similarity,
        "by_rule_and_repository": _places(functions, verdicts),
        "seconds": round(seconds, 1),
        "seconds_per_100_000": round(seconds / len(functions) * 100_000, 1),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    few = functions[:SHUFFLED]
    shuffled = find_duplicates(random.Random(0).sample(few, len(few)), options)
    result["same_in_another_order"] = shuffled == find_duplicates(few, options)
    if not arguments.quick:
        result["parts"] = _seconds_of_parts(functions, options.similarity)
        result["changed_copies"] = _changed_copies(functions, verdicts, options)
    for file in arguments.against:
        result.setdefault("against", {})[Path(file).name] = _against(functions, file, options)
    result["machine"] = machine()
    print(table(["", ""], [[name, str(value)] for name, value in result.items()]))
    if arguments.write:
        write_result(arguments.write, result)
    return 0 if result["same_in_another_order"] else 1


def functions_in(folder: Path) -> Iterator[Function]:
    """Yield all functions and methods of the checkouts in a folder."""
    for checkout in sorted(each for each in folder.iterdir() if each.is_dir()):
        for file in sorted(checkout.rglob("*.py")):
            if file.is_file() and not file.is_symlink():
                path = file.relative_to(checkout).as_posix()
                with contextlib.suppress(UnicodeDecodeError):
                    for number, each in enumerate(code_references(file.read_text("utf-8"), path)):
                        if each.qualname is not None:  # a file without functions, or broken
                            name = f"{folder.name}/{checkout.name}/{each.id}#{number}"
                            yield Function(name, checkout.name, path, each.qualname, each.code)


def _places(functions: Sequence[Function], verdicts: Verdicts) -> dict[str, int]:
    repo = {each.id: each.repo for each in functions}
    return dict(
        sorted(
            Counter(
                f"{each.rule}, " + ("within" if repo[each.id] == repo[each.resembles] else "across")
                for each in verdicts.fallen
            ).items()
        )
    )


# ------------------------------------------------------------------- the parts, and MinHash


def _seconds_of_parts(functions: Sequence[Function], similarity: float) -> dict[str, Any]:
    """Processor time of each part, and of MinHash-LSH on the same shingles in the same order."""
    from datasketch import MinHash, MinHashLSH

    times = [time.process_time()]

    def passed() -> float:
        times.append(time.process_time())
        return round(times[-1] - times[-2], 1)

    for each in functions:
        tree_digest(each.code, each.qualname)
    result: dict[str, Any] = {"tree_digests": passed()}
    shingles = [shingles_of(each.code) for each in functions]
    result["shingles"] = passed()
    sets = shingle_sets(shingles)
    index = SimilarityIndex(similarity)
    found: set[int] = set()
    for place, each in enumerate(sets):
        if index.most_similar(each) is None:
            index.add(each)
        else:
            found.add(place)
    result["similarity_join"] = passed()
    empty = MinHash(PERMUTATIONS, hashfunc=int, scheme="affine64")
    lsh = MinHashLSH(similarity, PERMUTATIONS)
    by_lsh: set[int] = set()
    for place, numbers in enumerate(shingles):
        sketch = empty.copy()
        sketch.update_batch(numbers.tolist())
        similar = (_jaccard(sets, place, other) for other in lsh.query(sketch))
        if any(each >= similarity for each in similar):
            by_lsh.add(place)
        else:
            lsh.insert(place, sketch)
    result["minhash_lsh"] = passed()
    result["near_or_same_tokens"] = len(found)
    result["of_these_missed_by_minhash_lsh"] = len(found - by_lsh)
    return result


def _jaccard(sets: Sequence[Any], one: int, other: int) -> float:
    common = sets[one].common(sets[other])
    return common / (sets[one].size + sets[other].size - common)


# ------------------------------------------------------------------- changed copies


def _changed_copies(
    functions: Sequence[Function], verdicts: Verdicts, options: Options
) -> dict[str, Any]:
    """The share of changed copies that is found, by change and size of the function."""
    kept = {name for name, _ in verdicts.kept}
    alone = [each for each in functions if each.id in kept]
    chosen = random.Random(0).sample(alone, min(COPIES, len(alone)))
    result: dict[str, Any] = {}
    for name, changes in (
        ("renamed", ("rename",)),
        ("a statement less", ("cut",)),
        ("both", ("rename", "cut")),
    ):
        counts = Counter[tuple[str, bool]]()
        for each in chosen:
            code = _changed(each.code, changes)
            if code is not None:
                copy = Function("copy", "", "", each.qualname, code, "9999-12-31")
                fallen = find_duplicates([each, copy], options).fallen
                counts[_size(each.code), bool(fallen)] += 1
        result[name] = {
            size: f"{counts[size, True]} of {counts[size, True] + counts[size, False]}"
            for size in sorted({size for size, _ in counts})
        }
    return result


def _size(code: str) -> str:
    count = len(tokens_of(code))
    return "up to 50 tokens" if count <= 50 else "51-150 tokens" if count <= 150 else "above 150"


def _changed(code: str, changes: Sequence[str]) -> str | None:
    """Return the function with the changes; `None` if it has nothing to change."""
    if "cut" in changes:
        function = _function(code)
        lines = code.splitlines(keepends=True)
        simple = [
            each
            for each in function.body[1:]
            if not hasattr(each, "body") and not isinstance(each, (ast.Match, ast.Return))
        ]
        if not simple:
            return None
        chosen = simple[len(simple) // 2]
        shift = 1 if code[:1] in " \t" else 0
        del lines[chosen.lineno - 1 - shift : (chosen.end_lineno or 0) - shift]
        code = "".join(lines)
    if "rename" not in changes:
        return code
    function = _function(code)
    nodes = list(ast.walk(function))
    if any(isinstance(node, ast.ClassDef) for node in nodes):
        return None  # names in it are attributes, which others may use
    others = {name for node in nodes if not isinstance(node, ast.Name) for name in bound_by(node)}
    names = sorted(bound_inside(function) - others)
    new = {name: f"renamed_{at}" for at, name in enumerate(names)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in new:
            node.id = new[node.id]
        elif isinstance(node, ast.arg) and node.arg in new:
            node.arg = new[node.arg]
        elif isinstance(node, ast.Nonlocal):
            node.names = [new.get(name, name) for name in node.names]
    return ast.unparse(function) if names else None


def _function(code: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        is_indented = code[:1] in " \t"
        (statement,) = ast.parse(f"if 1:\n{code}" if is_indented else code).body
    if isinstance(statement, ast.If):
        (statement,) = statement.body
    assert isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
    return statement


def _against(functions: Sequence[Function], file: str, options: Options) -> dict[str, Any]:
    """What falls beside a reference set that does not fall without it."""
    references = list(read_references([file]))
    verdicts = find_duplicates(functions, options, references)
    fallen = [each for each in verdicts.fallen if each.between == "reference"]
    return {
        "references": len(references),
        "fallen": dict(sorted(Counter(each.rule for each in fallen).items())),
        "examples": [f"{each.id} {each.rule} {each.resembles}" for each in fallen[:5]],
    }


if __name__ == "__main__":
    sys.exit(main())
