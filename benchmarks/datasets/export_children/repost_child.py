"""Runs an export's eval scripts as RepoST does: `repost_child.py EXPORT CANDIDATES`.

RepoST is no package: it writes each script into a file and runs it, and a run succeeds whose status
is 0 and that writes of no error. Here that happens in the sandbox, in one environment with all that
the image would hold. A script's candidate is a copy of the original; the empty one returns at once.
"""

import ast
import json
import sys
from pathlib import Path

from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Job, Limits, Profile

_LIMITS = Limits(wall_seconds=120, cpu_seconds=30)
_ERRORS = (b"ERROR", b"Error", b"error")


def main():
    """Print the rewards of each kind of candidate as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    rows = json.loads((folder / "data/ExecTrain/checked_test_set_final.json").read_text())
    wanted = {json.loads(line)["id"] for line in candidates.read_text().splitlines()}
    profile = Profile(python=Path(sys.executable))
    executor = choose(profile).make()
    executor.start(profile)
    try:
        found = {
            kind: [_reward(executor, text(row)) for row in rows if row["environment"] in wanted]
            for kind, text in (("gold", _whole), ("empty", _emptied))
        }
    finally:
        executor.close()
    print(json.dumps(found))


def _whole(row):
    return row["eval_script"]


def _emptied(row):
    """Return the script whose candidate returns before it does anything."""
    code = row["orig_func"]
    tree = ast.parse(f"if 1:\n{code}" if code[:1].isspace() else code)
    node = next(each for each in ast.walk(tree) if hasattr(each, "decorator_list"))
    lines = row["eval_script"].splitlines()
    head = f"def {node.name}_new_implementation("
    (first,) = (number for number, line in enumerate(lines) if head in line)
    indent = " " * (len(lines[first]) - len(lines[first].lstrip()) + 4)
    lines.insert(first + node.body[0].lineno - node.lineno, f"{indent}return")
    return "\n".join([*lines, ""])


def _reward(executor, text):
    outcome = executor.run(Job(text, limits=_LIMITS))
    if outcome.end == "infrastructure":
        return None
    is_clean = not any(word in outcome.stderr for word in _ERRORS)
    return float(outcome.end == "exited" and outcome.exit_status == 0 and is_clean)


if __name__ == "__main__":
    main()
