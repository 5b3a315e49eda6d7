"""For every generated use of an answer: the inferred default satisfies it."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from tests.property.answer_uses import programs
from tests.property.answers import run, variants


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_the_default_answer_satisfies_every_use(source: str) -> None:
    default = variants(source)[0]
    try:
        assert run(source, default.value) == "done"
    except Exception as error:
        raise AssertionError(f"{source}\n{default.value!r}") from error


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_the_answers_are_the_same_each_time(source: str) -> None:
    assert variants(source) == variants(source)
