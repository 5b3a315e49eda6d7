"""The command, in forks of one process that has loaded it: most of a short run is loading.

Its searches have small bounds, and which files libraries have is looked up once.

Run as a program, with a line of JSON for each run on standard input: its `words`, the folder `cwd`,
the variables `env`, and the files `out` and `err`. Each is answered by a line with its exit status.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from little_search import search_little

BUILDING = frozenset({"--verify", "--env"})
LOADED = (
    "slicefunc.driver.cli.command",
    "slicefunc.driver.pipeline.checks",
    "slicefunc.driver.pipeline.passes",
    "slicefunc.driver.pipeline.recording.observed_repair",
    "slicefunc.driver.places.environment_scorer",
    "slicefunc.driver.pipeline.slice_passes",
    "slicefunc.driver.pipeline.case_synthesis",
    "slicefunc.driver.pipeline.stage_progress",
    "slicefunc.verifier.scoring.rewrites.rewrites",
)


def main() -> None:
    """Serve until standard input ends; in the fork of a run, do that and exit."""
    for name in LOADED:
        importlib.import_module(name)
    search_little()
    gc.collect()
    gc.freeze()
    with os.fdopen(os.dup(1), "w") as answers:
        for line in iter(sys.stdin.readline, ""):
            run = json.loads(line)
            if BUILDING.intersection(run["words"]):
                know_libraries()
            child = os.fork()
            if not child:
                answers.close()
                become(run)
                os._exit(status_of(sys.modules["slicefunc.driver.cli.command"].main))
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


def status_of(main: Callable[[], int]) -> int:
    """The status of the command, when all is done that an interpreter does in the end.

    But for taking down what is loaded: a fifth of a short run.
    """
    try:
        status = main()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter tells it
        traceback.print_exc()
        status = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


@cache
def know_libraries() -> None:
    """Look once at which files libraries have; one of all workers indexes them."""
    from slicefunc.driver.settings.cache_folders import index_folder
    from slicefunc.verifier.execution.executors.interface import Profile
    from slicefunc.verifier.scoring.leaks import definition_index
    from slicefunc.verifier.scoring.leaks.original_reach import view_of

    definition_index._files = cache(definition_index._files)
    folder = index_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        view_of(Profile(), folder)


def become(run: Mapping[str, Any]) -> None:
    """Make this process what one is that was started for the run."""
    for number, path in enumerate((os.devnull, run["out"], run["err"])):
        file = os.open(path, os.O_RDWR)
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(run["env"])
    os.chdir(run["cwd"])
    sys.argv[1:] = run["words"]


if __name__ == "__main__":
    main()
