"""Scores predictions for an export for SWE-bench: `swe_bench_child.py EXPORT CANDIDATES`.

Its harness reads the instances, makes predictions of the gold patches, and reads predictions of
empty bodies; the program of the export scores both.
"""

import difflib
import json
import subprocess
import sys
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from swebench.harness.utils import get_predictions_from_file, load_swebench_dataset


def main():
    """Print the rewards of each kind of candidate as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    instances = load_swebench_dataset(str(folder / "train.jsonl"), "train")
    spec = spec_from_file_location("slice_func_reward", folder / "slice_func_reward.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    gold = get_predictions_from_file("gold", str(folder / "train.jsonl"), "train")
    given = {each["id"]: each for each in map(json.loads, candidates.read_text().splitlines())}
    empty = [
        {"instance_id": one["instance_id"], "model_name_or_path": "empty", "model_patch": patch}
        for one in instances
        for patch in [_emptied(module.patched, one, given[one["environment"]])]
    ]
    print(json.dumps({"gold": _report(folder, gold), "empty": _report(folder, empty)}))


def _emptied(patched, instance, given):
    """Return a patch that fills the hole with an empty body."""
    gold = patched(instance, instance["patch"])
    code, empty = (_code(given[kind]) for kind in ("gold", "empty"))
    assert gold.count(code) == 1
    emptied = gold.replace(code, empty)
    lines = (text.splitlines(keepends=True) for text in (instance["file_with_hole"], emptied))
    path = instance["path"]
    return "".join(difflib.unified_diff(*lines, f"a/{path}", f"b/{path}"))


def _code(answer):
    return "".join(answer.splitlines(keepends=True)[1:-1])


def _report(folder, predictions):
    with tempfile.TemporaryDirectory() as made:
        file = Path(made) / "predictions.jsonl"
        file.write_text("".join(f"{json.dumps(each)}\n" for each in predictions))
        read = get_predictions_from_file(str(file), str(folder / "train.jsonl"), "train")
        assert read == predictions
        command = [sys.executable, folder / "slice_func_reward.py", file]
        report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rewards = {"resolved_ids": 1.0, "unresolved_ids": 0.0, "error_ids": None}
    return [reward for kind, reward in rewards.items() for _ in report[kind]]


if __name__ == "__main__":
    main()
