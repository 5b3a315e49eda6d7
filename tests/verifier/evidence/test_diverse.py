"""Of calls that are alike a few are taken."""

from __future__ import annotations

from slicefunc.verifier.evidence.recordings.diverse_calls import diverse
from slicefunc.verifier.evidence.recordings.recorded_calls import RecordedCall


def test_two_of_each_kind_are_taken_in_their_order() -> None:
    texts = [
        "5",
        "7",
        "9",
        "-5",
        "'a'",
        "'b'",
        "'c'",
        "'ab'",
        "[5]",
        "[7]",
        "[9]",
        "[5, 5]",
        "None",
    ]
    calls = [RecordedCall("a.py", "f", (("a", text),)) for text in texts]
    found = [dict(call.arguments)["a"] for call in diverse(calls)]
    assert found == ["5", "7", "-5", "'a'", "'b'", "'ab'", "[5]", "[7]", "[5, 5]", "None"]


def test_calls_on_other_instances_are_of_other_kinds() -> None:
    calls = [RecordedCall("a.py", "C.f", receiver=f"C({n})") for n in range(80)]
    assert diverse(calls) == tuple(calls[:60])
