"""The process behind `NewerScorer`: candidates in, scores out, a line of JSON each."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from ...verifier.scoring.score import Candidate
from .environment_scorer import ScoreOptions, open_scorer


def main() -> int:
    """Score until the input ends."""
    folder, options = sys.argv[1:3]
    given: dict[str, Any] = json.loads(options)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what else is printed is for people
    with open_scorer(folder, ScoreOptions(**given)) as scorer:
        for line in sys.stdin:
            name, text = json.loads(line)
            found = scorer.score(Candidate(name, text))
            answers.write(json.dumps(found.to_json()) + "\n")
            answers.flush()
    return 0
