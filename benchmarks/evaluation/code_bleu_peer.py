"""Hold CodeBLEU against the program `codebleu` 0.7.0, part by part.

    python -m benchmarks.evaluation.code_bleu_peer DATASET --python PYTHON [-o FILE]

PYTHON is an interpreter that has `codebleu` with `tree-sitter-python` 0.21, which go with no newer
parser. Each original of the dataset is held against itself, against three wrong versions of it and
against another original.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from slicefunc.driver.datasets.exports.answers import wrong_definitions
from slicefunc.driver.datasets.scoring.catalogue import open_catalogue
from slicefunc.driver.evaluation.metrics.code_bleu import matches

_PARTS = ("n-gram match", "weighted n-gram match", "syntax match", "data-flow match")
_THEIRS = """
import json, logging, sys
from codebleu import calc_codebleu
logging.disable()
keys = [part + "_match_score" for part in ("ngram", "weighted_ngram", "syntax", "dataflow")]
for line in sys.stdin:
    code, original = json.loads(line)
    found = calc_codebleu([original], [code], lang="python")
    print(json.dumps([found[key] for key in keys]))
"""


def pairs_of(dataset: str, wrong: int = 3) -> list[tuple[str, str]]:
    """Return texts with the originals that they are held against."""
    catalogue, chance = open_catalogue(dataset), random.Random(0)
    rows = list(catalogue.dataset.rows())
    found: list[tuple[str, str]] = []
    for number, row in enumerate(rows):
        versions = wrong_definitions(row, catalogue.environment(row.id))
        texts = [row.code, rows[(number + 7) % len(rows)].code]
        texts += chance.sample(list(versions), min(wrong, len(versions)))
        found += [(text, row.code) for text in texts]
    return found


def likeness(ours: np.ndarray, theirs: np.ndarray) -> dict[str, Any]:
    """Return how alike two lists of scores are."""
    apart = np.abs(ours - theirs)
    return {
        "pairs": len(ours),
        "correlation": round(float(np.corrcoef(ours, theirs)[0, 1]), 4),
        "mean_difference": round(float(apart.mean()), 4),
        "largest_difference": round(float(apart.max()), 4),
    }


def main() -> int:
    """Run the comparison; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dataset")
    parser.add_argument("--python", required=True, help="an interpreter that has codebleu")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    pairs = pairs_of(given.dataset)
    lines = "".join(json.dumps(pair) + "\n" for pair in pairs)
    words = [given.python, "-c", _THEIRS]
    done = subprocess.run(words, input=lines, capture_output=True, text=True, check=True)
    theirs = np.array([json.loads(line) for line in done.stdout.splitlines()])
    ours = np.array([matches(*pair) for pair in pairs])
    has_flow = theirs[:, 3] > 0
    found = {
        **{part: likeness(ours[:, i], theirs[:, i]) for i, part in enumerate(_PARTS)},
        "data-flow match, where theirs finds any": likeness(ours[has_flow, 3], theirs[has_flow, 3]),
        "CodeBLEU, where theirs finds data flow": likeness(
            ours[has_flow].mean(1), theirs[has_flow].mean(1)
        ),
        "CodeBLEU": likeness(ours.mean(1), theirs.mean(1)),
    }
    print(json.dumps(found, indent=1))
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
