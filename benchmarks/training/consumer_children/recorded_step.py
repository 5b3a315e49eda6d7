"""A step of a trainer whose answers end at recorded moments."""

import json
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

LATENCIES = []
"""Seconds of each reward."""
MOMENTS = []
"""When each reward was asked for, and when it came."""


def plan():
    """Return the answers with their moments, and the seconds of the whole generation."""
    found = json.loads(Path(sys.argv[1]).read_text())
    return found["answers"], found["generation"]


def reward_module():
    """Return the module of the reward, which notes how long each one takes."""
    spec = spec_from_file_location("slice_func_reward", sys.argv[2])
    module = module_from_spec(spec)
    sys.modules["slice_func_reward"] = module
    spec.loader.exec_module(module)
    watch(vars(module))
    return module


def watch(names):
    """Note how long each reward takes that a module with these names gives."""
    ask = names["reward_of"]

    def reward_of(environment, answer):
        begin = time.monotonic()
        try:
            return ask(environment, answer)
        finally:
            end = time.monotonic()
            LATENCIES.append(end - begin)
            MOMENTS.append((begin, end))

    names["reward_of"] = reward_of


def report(rewards, waits):
    """Print what was waited for as JSON."""
    first, last = min(begin for begin, _ in MOMENTS), max(end for _, end in MOMENTS)
    found = {"rewards": rewards, "waits": max(0.0, waits), "scoring": last - first}
    print(json.dumps({**found, "latencies": LATENCIES}))
