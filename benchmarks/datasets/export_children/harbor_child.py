"""Scores candidates with an export for Harbor: `harbor_child.py EXPORT CANDIDATES`.

Its oracle agent writes the solution of each task, its no-op agent leaves the stub; both run in
containers of the Dockerfiles. The daemon at `DOCKER_HOST` must have the base image
`python:X.Y-slim`, with what pip installs if it has no network.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_SETTINGS = {"DOCKER_BUILDKIT": "0", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


def main():
    """Print the rewards of each kind of candidate as JSON."""
    export, here = Path(sys.argv[1]), str(Path(__file__).parent)
    ids = [json.loads(line)["id"] for line in Path(sys.argv[2]).read_text().splitlines()]
    tasks = {_environment(each): each for each in export.iterdir()}
    lint = subprocess.run(["harbor", "lint", *tasks.values()], stdout=sys.stderr, check=False)
    with tempfile.TemporaryDirectory() as jobs:
        found = {
            kind: _rewards(agent, export, Path(jobs, agent), here)
            for kind, agent in (("gold", "oracle"), ("empty", "nop"))
        }
    names = [tasks[each].name for each in ids]
    rewards = {kind: [each.get(name) for name in names] for kind, each in found.items()}
    notes = {
        "lint": lint.returncode,
        "environment": "docker_environment.py, not Harbor's own by Compose",
    }
    print(json.dumps({**rewards, **notes}))


def _environment(task):
    """Return the id of the environment of a task."""
    record = json.loads((task / "tests/environment/environment.json").read_text())
    return record["id"]


def _rewards(agent, export, jobs, here):
    """Return the reward of an agent in each task."""
    command = [
        "harbor",
        "run",
        "-p",
        str(export),
        "-a",
        agent,
        "-o",
        str(jobs),
        "-n",
        "2",
        "-y",
        "-q",
    ]
    subprocess.run(
        [*command, "--env", "docker_environment:DockerCommand"],
        env={**os.environ, **_SETTINGS, "PYTHONPATH": here},
        stdout=sys.stderr,
        check=True,
    )
    rewards = {}
    for file in jobs.rglob("result.json"):
        result = json.loads(file.read_text())
        if result.get("verifier_result"):
            name = result["task_name"].rpartition("/")[2]
            rewards[name] = result["verifier_result"]["rewards"]["reward"]
    return rewards


if __name__ == "__main__":
    main()
