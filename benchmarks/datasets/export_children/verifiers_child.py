"""Scores candidates with an export for verifiers: `verifiers_child.py EXPORT CANDIDATES`.

`vf-validate` scores the original and the untouched task; rewards are those of traces that hold the
candidate as the model's answer.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import verifiers.v1 as vf
from verifiers.v1.configs.taskset import TasksetConfig


def main():
    """Print the rewards of each kind of candidate as JSON."""
    lines = Path(sys.argv[2]).read_text().splitlines()
    candidates = {one["id"]: one for one in map(json.loads, lines)}
    tasks = list(vf.load_taskset(TasksetConfig(id="slice-func-taskset")))
    found = {kind: asyncio.run(_rewards(kind, tasks, candidates)) for kind in ("gold", "empty")}
    print(json.dumps({**found, "vf_validate": _validated()}))


async def _rewards(kind, tasks, candidates):
    """Return the rewards of one kind of candidate."""
    return [await _reward(task, candidates[task.data.id][kind]) for task in tasks]


async def _reward(task, answer):
    """Return the reward of a trace with one answer."""
    from verifiers.v1.graph import MessageNode
    from verifiers.v1.state import state_cls
    from verifiers.v1.trace import Trace, TraceTask

    trace = Trace(
        task=TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash),
        state=state_cls(type(task))(),
        agent=vf.AgentInfo(config=vf.AgentConfig(), name="given", trainable=False),
    )
    message = vf.AssistantMessage(content=answer)
    trace.nodes.append(MessageNode(message=message, sampled=True, parent=None))
    await task.score(trace)
    return trace.reward


def _validated():
    """Return how many tasks `vf-validate` finds valid."""
    with tempfile.TemporaryDirectory() as out:
        command = ["vf-validate", "slice-func-taskset", "--runtime.type", "subprocess"]
        subprocess.run(
            [*command, "--no-rich", "-c", "2", "-o", out], check=True, stdout=subprocess.DEVNULL
        )
        (summary,) = Path(out).rglob("summary.json")
        return json.loads(summary.read_text())["outcomes"]["valid"]


if __name__ == "__main__":
    main()
