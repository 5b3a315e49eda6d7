"""The verdict on a run, by how it ended and what its records say."""

from __future__ import annotations

import json
import signal
from dataclasses import replace

import pytest
from slicefunc.verifier.execution.executors.interface import End, Outcome
from slicefunc.verifier.observation.compare_observations import Comparison
from slicefunc.verifier.observation.decode_records import decode_text
from slicefunc.verifier.observation.observation import Observation
from slicefunc.verifier.scoring.verdict import LONGEST_OBSERVED, Added, Judgement, judge


def observation(value: object, **fields: object) -> dict[str, object]:
    """An observation of a call that returned."""
    return {"outcome": "returned", "value": value, **fields}


def decoded(value: object, **fields: object) -> Observation:
    """The same as the trusted half holds it."""
    found = decode_text(json.dumps(observation(value, **fields)))
    assert isinstance(found, Observation)
    return found


EXPECTED = (("a", decoded(1)), ("b", decoded(2)))


def records(*values: object) -> tuple[str, ...]:
    """The records of a whole run."""
    cases = [
        {"kind": "case", "name": name, "observation": observation(value)}
        for name, value in zip("ab", values, strict=False)
    ]
    return tuple(json.dumps(each) for each in [{"kind": "ready"}, *cases, {"kind": "end"}])


def judged(outcome: Outcome, added: Added | None = None) -> Judgement:
    """The verdict on a run of two cases."""
    return judge(outcome, EXPECTED, Comparison(), added)


def run(*lines: str, end: End = "exited", status: int | None = 0, **more: object) -> Outcome:
    """An outcome with these records."""
    return Outcome(end, status, records=lines, is_set_up=True, **more)  # type: ignore[arg-type]


def test_all_alike_is_passed() -> None:
    assert judged(run(*records(1, 2))) == Judgement("passed", 2)


def test_a_record_that_is_as_expected_to_the_byte_is_not_read_again() -> None:
    text = json.dumps(observation([]), separators=(",", ":"))  # which is malformed
    told = replace(decoded(1), text=text)
    record = f'{{"kind":"case","name":"a","observation":{text}}}'
    for sent, verdict in ((record, "passed"), (record.replace("[]", "[] "), "unsafe")):
        outcome = run('{"kind":"ready"}', sent, '{"kind":"end"}')
        assert judge(outcome, (("a", told),), Comparison()).verdict == verdict
    outcome = run('{"kind":"ready"}', record, '{"kind":"end"}')
    assert judge(outcome, (("b", told),), Comparison()).verdict == "unsafe"


def test_first_difference_is_told() -> None:
    found = judged(run(*records(1, True)))
    assert (found.verdict, found.cases_passed) == ("failed", 1)
    assert found.first_difference is not None
    assert found.first_difference.case == "b"
    assert (found.first_difference.expected, found.first_difference.observed) == ("2", "True")


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome("infrastructure", detail="gone"), "infrastructure"),
        (Outcome("timeout", is_set_up=False), "infrastructure"),
        (run(*records(1, 2), end="timeout"), "timeout"),
        (run(*records(1, 2), end="cpu"), "timeout"),
        (run(*records(1, 2)[:2], end="cpu"), "timeout"),
        (run(*records(1, 2), end="output"), "error"),
        (run(*records(1, 2), end="signaled", signal=signal.SIGSEGV), "error"),
        (run(*records(1, 2), end="signaled", signal=signal.SIGSYS), "unsafe"),
        (run(*records(1, 2), status=1), "error"),
        (run(), "error"),
        (run(*records(1, 2)[:1]), "error"),
        (run(*records(1, 2)[:2]), "error"),
        (run(*records(1, 2)[:3]), "error"),
        (run(*records(1, 2), records(1, 2)[-1]), "unsafe"),
        (run(*records(1, 2)[1:]), "unsafe"),
        (run(records(1, 2)[0], *records(1, 2)[:0:-1]), "unsafe"),
        (run(*records(1)), "unsafe"),
        (run("no JSON", *records(1, 2)), "unsafe"),
        (run(*records(1, [2])), "unsafe"),
    ],
)
def test_only_a_whole_run_with_a_clean_exit_counts(outcome: Outcome, verdict: str) -> None:
    found = judged(outcome)
    assert found.verdict == verdict
    assert found.cases_passed == 0 or verdict in {"error", "timeout"}
    assert found.reason or outcome.end in {"cpu", "timeout", "output"}


def test_cases_before_the_one_in_which_a_run_ends_count() -> None:
    for lines, passed in ((records(1, 2)[:3], 2), (records(1, 2)[:2], 1), (records(3, 2)[:2], 0)):
        found = judged(run(*lines, end="cpu"))
        assert (found.verdict, found.cases_passed, found.ended) == (
            "timeout",
            passed,
            len(lines) - 1,
        )
    for lines in ((), ("no JSON",), records(1, 2)[1:]):
        assert judged(run(*lines, end="cpu")) == Judgement("timeout")


def test_what_a_candidate_has_chosen_is_cut() -> None:
    found = judged(run(*records("x" * 70, 2)))
    assert found.first_difference is not None
    assert len(found.first_difference.observed) == LONGEST_OBSERVED
    assert "x" * LONGEST_OBSERVED not in found.reason


def test_script_that_raises_is_an_error() -> None:
    error = {"kind": "exception", "type": "KeyError", "args": ["x"], "state": []}
    load = {"kind": "load", "observation": {"outcome": "raised", "exception": error}}
    found = judged(run(json.dumps(load), '{"kind":"end"}'))
    assert (found.verdict, found.reason) == ("error", "importing it raises KeyError('x')")


def test_globals_of_its_own_are_the_candidates_affair() -> None:
    lines = list(records(1, 2))
    changed = observation(1, globals=[["<script>.memo", 1], ["<script>.memo.x", 1]])
    lines[1] = json.dumps({"kind": "case", "name": "a", "observation": changed})
    assert judged(run(*lines)).verdict == "failed"
    assert judged(run(*lines), Added(("<script>",), frozenset({"memo"}))).verdict == "passed"
    assert judged(run(*lines), Added(("<script>",), frozenset({"x"}))).verdict == "failed"
    assert judged(run(*lines), Added(("a.b",), frozenset({"memo"}))).verdict == "failed"
