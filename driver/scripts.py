"""The tests that people can run: written, tried in the sandbox, and left with what holds there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..slicer.model import Slice
from ..verifier.errors import SandboxError
from ..verifier.executors.choose import Choice
from ..verifier.executors.interface import Job, Limits, Outcome, Profile
from ..verifier.scoring.holes import NoHoleError
from ..verifier.scripts.eval_script import Seen, eval_script

EVAL_SCRIPT = "eval_script.py"
_LIMITS = Limits(wall_seconds=60.0, cpu_seconds=60.0, memory_bytes=4 << 30)
Run = Callable[[Job], Outcome]


@dataclass(frozen=True, slots=True)
class Written:
    """A script with tests, and what people should know of it."""

    text: str | None
    told: tuple[str, ...] = ()


def written_eval_script(
    sliced: Slice, seen: Sequence[Seen], choice: Choice, profile: Profile
) -> Written:
    """The eval script of a slice, with the cases in which the original agrees with itself.

    Args:
        sliced: the slice, as one script.
        seen: cases, and what the original does in them.
        choice: the executor.
        profile: the interpreter of the run.

    Raises:
        SandboxError: the sandbox fails.
    """
    (target, *_) = sliced.manifest.targets

    def made(some: Sequence[Seen]) -> str:
        return eval_script(sliced.source, target.path, target.qualname, some)

    try:
        text = made(seen)
    except NoHoleError as error:
        return Written(None, (f"no eval script: {error}",))
    executor = choice.make()
    executor.start(profile)
    try:
        if _passes(executor.run, text):
            return Written(text)
        kept = [one for one in seen if _passes(executor.run, made([one]))]
        gone = ", ".join(one.case.name for one in seen if one not in kept)
        text = made(kept)
        if not kept or not _passes(executor.run, text):
            return Written(None, ("no eval script: the original does not agree with its copy",))
        return Written(text, (f"the eval script is without {gone}: the copy differs there",))
    finally:
        executor.close()


def _passes(run: Run, text: str) -> bool:
    outcome = run(Job(text, name=EVAL_SCRIPT, limits=_LIMITS))
    if outcome.end == "infrastructure":
        raise SandboxError(f"the sandbox failed: {outcome.detail}")
    return outcome.end == "exited" and not outcome.exit_status
