"""Scores candidates with an export for inspect_ai: `inspect_child.py EXPORT CANDIDATES`.

A model that is none gives them as its answers, and inspect evaluates the task on them.
"""

import json
import sys
import tempfile
from pathlib import Path

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from slice_func_tasks.functions import functions


def main():
    """Print the rewards of each kind of candidate as JSON."""
    lines = Path(sys.argv[2]).read_text().splitlines()
    candidates = {one["id"]: one for one in map(json.loads, lines)}
    with tempfile.TemporaryDirectory() as logs:
        print(json.dumps({kind: _rewards(kind, candidates, logs) for kind in ("gold", "empty")}))


def _rewards(kind, candidates, logs):
    """Return the rewards of one kind of candidate."""
    task = functions()
    answers = {each.input: candidates[each.metadata["environment"]][kind] for each in task.dataset}

    def answer(messages, *_):
        output = ModelOutput.from_content("mockllm", answers[messages[-1].text])
        output.usage = ModelUsage()  # else it would download a tokenizer to count
        return output

    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = evaluate(task, model=model, display="none", log_dir=logs, max_samples=2)
    assert log.status == "success", log.error.message
    return [
        {"C": 1.0, "I": 0.0}[each.scores["behaves_like_original"].value] for each in log.samples
    ]


if __name__ == "__main__":
    main()
