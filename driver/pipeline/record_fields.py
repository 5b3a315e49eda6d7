"""Fields of an environment's record beside script, cases and observations."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from ...slicer import Repository
from ...slicer.model import Slice
from ...verifier.mutation.case_strength import MutationScore
from ...verifier.script.source_map import original_text
from ..places.repository_origin import Origin
from ..places.script_environment import Provision
from ..record.environment_files import Environment, environment_of
from ..record.reason_codes import Reason
from ..record.writer_prompt import Prompt, prompt_of
from .checks import HiddenCases, Verified
from .outside_names import allowed_imports, carried_imports, missing_siblings

if TYPE_CHECKING:
    from ...verifier.evidence.recordings.recorded_calls import Evidence
    from ...verifier.search.corpus.search_result import Synthesis
    from ..model.model_session import ModelPart

NO_CALLS = {"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0}


def environment_record(  # noqa: PLR0913 - one for each source of the record
    repository: Repository,
    origin: Origin,
    sliced: Slice,
    verified: Verified,
    provision: Provision,
    tests: Mapping[str, str | None],
    reasons: Sequence[Reason] = (),
    *,
    model: ModelPart | None = None,
    recorded: Evidence | None = None,
    synthesis: Synthesis | None = None,
) -> Environment | None:
    """Return the environment of a verified slice; `None` if no case is left.

    Args:
        repository: the slice's repository.
        origin: the repository's origin.
        sliced: the slice.
        verified: the findings about it.
        provision: where it ran.
        tests: texts of the tests for people, by the field of the record that names their file.
        reasons: why it does not reach the thresholds.
        model: the model's work.
        recorded: the calls that the search for cases began with, if any.
        synthesis: the search for cases, if any.

    Raises:
        NoHoleError: no candidate can take the target's place.
    """
    oracle = verified.oracle
    if oracle is None or not oracle.recorded:
        return None
    manifest = sliced.manifest
    (target, *_) = manifest.targets
    imports = (
        *allowed_imports(repository, target, provision.lock, manifest.distributions),
        *carried_imports(repository, target, oracle.script),
    )
    siblings = missing_siblings(repository, target, oracle.script, imports)
    usable = (*imports, *(each for each in siblings if each.kind == "definition"))
    text = original_text(repository.path / oracle.path)
    about: dict[str, Any] = {
        "repo": origin.repo,
        "commit": origin.commit,
        "licence": origin.licence,
        "tool_version": version("slice-func"),
        "python": provision.lock.python if provision.lock else f"3.{sys.version_info.minor}",
        "layout": manifest.layout,
        "requirements": sorted(provision.requirements),
        "compares": "outcome",
        "accepted": verified.passed and not reasons,
        "metrics": {
            "branch_coverage": verified.branch_share,
            **_mutation(verified.strength),
            "stable_runs": oracle.stable_runs,
            "ast_equal": verified.equal.ast_equal,
            "dependencies_equal": verified.equal.dependencies_equal,
            "hidden": _hidden(verified.hidden, synthesis.hidden_too_slow if synthesis else 0),
            "recorded": _recorded(recorded, sliced),
            "faithful": verified.faithful.to_json() if verified.faithful else None,
            **_search(synthesis),
        },
        "externals": [asdict(each) for each in manifest.externals],
        "gaps": [asdict(each) for each in manifest.gaps],
        "mocks": [asdict(each) for each in manifest.mocks],
        "data_files": list(manifest.data_files),
        "added": [asdict(each) for each in provision.additions],
        "reasons": [
            *map(asdict, reasons),
            *_left_out(oracle.path, verified),
            *_not_installed(oracle.path, provision),
        ],
        "prompt": _prompt(repository, sliced, prompt_of(text, sliced, usable), model),
    }
    about["model_calls"] = _model_calls(model)
    oracle = replace(oracle, imports=(*imports, *siblings))
    lock = provision.lock.text() if provision.lock else None
    return environment_of(oracle, about, lock, provision.profile.preload, tests)


def _prompt(
    repository: Repository, sliced: Slice, prompt: Prompt, model: ModelPart | None
) -> dict[str, Any]:
    """Return the prompt for writers of candidates; a model's docstring has its own field."""
    shown = asdict(prompt)
    if model is None or "docstring" not in model.client.settings.stages:
        return shown
    from ..model.model_docstring import written_docstring

    made = written_docstring(repository.path, sliced, prompt.signature, prompt.docstring, model)
    return shown if made is None else {**shown, "generated_docstring": made}


def _model_calls(model: ModelPart | None) -> dict[str, Any]:
    return model.to_json() if model is not None and model.calls else NO_CALLS


def _search(found: Synthesis | None) -> dict[str, Any]:
    """Return fields on the search: whether the time limit ended it, and the outcome for rivals."""
    cut = {"search_cut": True} if found and found.is_cut else {}
    return cut | ({"rivals": asdict(found.rivalry)} if found and found.rivalry else {})


def _mutation(found: MutationScore | None) -> dict[str, Any]:
    """Return fields on the mutants; null if none could be tried."""
    if found is None or found.failure:
        return {"kill_rate": None, "unseen_kill_rate": None, "mutants": None}
    return {
        "kill_rate": found.rate,
        "unseen_kill_rate": found.unseen_rate,
        "mutants": {
            "killed": found.killed,
            "survived": [str(each) for each in found.survived],
            "equivalent": found.equivalent,
            "unseen": found.unseen,
            "unseen_killed": found.unseen_killed,
            "not_compared": found.not_compared,
            "not_applied": found.not_applied,
            "not_drawn": found.not_drawn,
            "cheap_solutions_that_pass": list(found.cheap),
        },
    }


def _hidden(found: HiddenCases | None, too_slow: int) -> dict[str, Any] | None:
    """Return the numbers of hidden cases given, kept and left out; `None` without any.

    `too_slow` is the number of those that the search has left out before.
    """
    if found is None:
        return None
    left_out = Counter(dict(found.left_out)) + Counter(too_slow=too_slow)
    return {
        "given": found.given + too_slow,
        "kept": found.kept,
        "left_out": dict(sorted(left_out.items())),
    }


def _recorded(found: Evidence | None, sliced: Slice) -> dict[str, Any] | None:
    """Return the number of recorded calls and kept definitions; `None` without recording."""
    if found is None:
        return None
    kept = sum(each.reason == "recorded" for each in sliced.manifest.definitions)
    return {"calls": len(found.calls), "scope": found.scope, "definitions": kept}


def _left_out(path: str, verified: Verified) -> Iterator[dict[str, Any]]:
    """Yield the cases that could not be kept."""
    for each in verified.rejections:
        hint = f"{each.case}: {each.detail}" if each.case else each.detail
        yield {"code": each.code, "path": path, "line": None, "hint": hint}


def _not_installed(path: str, provision: Provision) -> Iterator[dict[str, Any]]:
    """Yield the distributions that are missing, or installed in another version."""
    for problem in provision.problems:
        code = problem.code.replace("-", "_")
        hint = f"{problem.requirement}: {problem.detail}"
        yield {"code": code, "path": path, "line": None, "hint": hint}
