"""What is called where a handler watches raises what the handler catches."""

from __future__ import annotations

import ast
import asyncio
import errno
import textwrap
from types import SimpleNamespace

import pytest
from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.inputs.argument_pools import Inputs, Pool
from slicefunc.verifier.inputs.proposals.caught_exceptions import CaughtException
from slicefunc.verifier.inputs.receivers.receiver_pool import Receivers
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.search.drafts.drafts import Draft, case_of
from slicefunc.verifier.search.drafts.readable import readable
from slicefunc.verifier.search.drafts.recording_stand_ins import recordings
from slicefunc.verifier.search.strategies.raised_exceptions import failing, open_handlers

STREAM = "type('Stream', (), {'write': lambda self, *args, **named: 3})()"


class StoreError(Exception):
    pass


class OddError(Exception):
    def __init__(self) -> None:
        super().__init__("odd")


class Thing:
    def __init__(self, stream: object = None) -> None:
        self.stream = stream

    def fetch(self) -> str:
        return "fetched"


def came(body: str, draft: Draft, kind: str = "method") -> list[object]:
    """What a function returns for the draft, and for those that make its handlers' calls fail."""
    text = f"def f(self, value, sent):\n{textwrap.indent(textwrap.dedent(body), '    ')}"
    block = Block(text, 1, text.count("\n") + 1)
    parameters = ("self", "value", "sent") if kind == "function" else ("value", "sent")
    inputs = Inputs(
        "f" if kind == "function" else "Thing.f",
        "function" if kind == "function" else "method",
        Receivers(("Thing()",)),
        tuple(Pool(name, "keyword", ("1",)) for name in parameters),
    )
    names = {
        "StoreError": StoreError,
        "OddError": OddError,
        "Thing": Thing,
        "errors": SimpleNamespace(OddError=OddError),
        "errno": errno,
    }
    exec(text, names)
    Thing.f = names["f"]
    lines = frozenset(range(1, text.count("\n") + 2))
    drafts = [draft]
    for line, first in open_handlers(block, lines):
        assert first < line
        drafts += failing(inputs, block, draft, line)
    results: list[object] = []
    for each in drafts:
        case = case_of(inputs, each, "case_a")
        for code in (case.code, readable(Case("case_a", case.code)).code):
            exec(code, names)
            try:
                results.append(names["case_a"]())
            except Exception as error:  # noqa: BLE001 - whatever the case shows
                results.append(type(error))
    return results


METHOD = Draft("Thing()", (("value", "'a'"), ("sent", "2")))


def sending(caught: str) -> str:
    return f"try:\n    return value.write(sent)\nexcept {caught}:\n    return 'caught'\n"


@pytest.mark.parametrize(
    "caught",
    ["Exception", "BaseException", "ValueError", "UnicodeDecodeError", "(KeyError, OSError)",
     "StoreError", "OddError", "errors.OddError as error", "StopIteration", "KeyboardInterrupt"],
)  # fmt: skip
def test_a_stand_in_raises_what_is_caught(caught: str) -> None:
    draft = Draft("Thing()", (("value", STREAM), ("sent", "2")))
    assert "caught" in came(sending(caught), draft)


def test_a_bare_handler_is_met_and_each_handler_of_several() -> None:
    draft = Draft("Thing()", (("value", STREAM), ("sent", "2")))
    body = (
        "try:\n    return value.write(sent)\nexcept KeyError:\n    return 'one'\n"
        "except ValueError:\n    return 'two'\nexcept:\n    return 'three'\n"
    )
    assert {"one", "two", "three", 3} <= set(came(body, draft))


def test_what_is_no_stand_in_is_replaced_by_one() -> None:
    assert "caught" in came(sending("ValueError"), METHOD)


def test_a_function_that_is_given_raises() -> None:
    body = "try:\n    return value(sent)\nexcept ValueError:\n    return 'caught'\n"
    assert "caught" in came(body, METHOD.with_arguments([("value", "(lambda *args, **named: 7)")]))


def test_the_targets_own_methods_and_attributes_raise() -> None:
    own = "try:\n    return self.fetch()\nexcept ValueError:\n    return 'caught'\n"
    assert came(own, METHOD)[0] == "fetched"
    assert "caught" in came(own, METHOD)
    held = "try:\n    return self.stream.read()\nexcept ValueError:\n    return 'caught'\n"
    assert "caught" in came(held, METHOD)
    draft = Draft(f"Thing({STREAM.replace('write', 'read')})", METHOD.arguments)
    assert came(held, draft)[0] == 3
    assert "caught" in came(held, draft)


@pytest.mark.parametrize("classes", [(CaughtException("KeyError"), CaughtException("OddError")),
                                     (CaughtException("OddError", "OddError()"),)])  # fmt: skip
def test_what_stands_behind_a_name_is_raised(classes: tuple[CaughtException, ...]) -> None:
    body = "try:\n    value.write()\nexcept ERRORS as error:\n    raise\n"
    inputs = Inputs("f", "function", caught=(("ERRORS", classes),))
    text = f"def f(value):\n{textwrap.indent(body, '    ')}"
    draft = Draft("", (("value", STREAM),))
    made = failing(inputs, Block(text, 1, 6), draft, 5)
    raised: list[str] = []
    for each in made:
        stream = eval(dict(each.arguments)["value"], {"OddError": OddError})
        with pytest.raises((KeyError, OddError, TypeError)) as caught:
            stream.write()
        raised.append(caught.typename)
    assert {each.cls for each in classes} <= set(raised)
    assert not classes[0].made or raised[0] == classes[0].cls


def test_items_loops_and_contexts_fail_too() -> None:
    for test in ("value['a']", "[each for each in value]"):
        body = f"try:\n    return {test}\nexcept LookupError:\n    return 'caught'\n"
        assert "caught" in came(body, METHOD.with_arguments([("value", "3")]))
    body = "try:\n    with value:\n        return 1\nexcept LookupError:\n    return 'caught'\n"
    assert "caught" in came(body, METHOD.with_arguments([("value", "3")]))
    entered = (
        "type('Lock', (), {'__enter__': lambda self: self, '__exit__': lambda self, *e: None})()"
    )
    assert "caught" in came(body, METHOD.with_arguments([("value", entered)]))


def test_handlers_that_were_come_to_are_left_alone() -> None:
    text = "def f(a):\n    try:\n        a()\n    except ValueError:\n        return 1\n"
    block = Block(text, 1, 5)
    assert list(open_handlers(block, frozenset({3}))) == []
    assert list(open_handlers(block, frozenset({5}))) == [(5, 3)]


def test_a_person_reads_that_it_raises() -> None:
    text = "def f(value):\n    try:\n        value.write()\n    except KeyError:\n        pass\n"
    inputs = Inputs("f", "function", pools=(Pool("value", "keyword", (STREAM,)),))
    (made, *_) = failing(inputs, Block(text, 1, 5), Draft("", (("value", STREAM),)), 5)
    code = readable(case_of(inputs, made, "case_a")).code
    assert "raise KeyError('failed')" in code
    assert "lambda" not in code
    assert "throw" not in code
    ast.parse(code)


WAITING = "type('Client', (), {'get': lambda self: __import__('asyncio').sleep(0, 7)})()"
"""A stand-in whose method is awaited."""


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("try:\n    return await value.get()\nexcept KeyError:\n    return 'caught'\n", WAITING),
        ("try:\n    return await asyncio.wait_for(value.get(), 1)\n"
         "except KeyError:\n    return 'caught'\n", WAITING),
        ("later = value.get()\ntry:\n    return await later\n"
         "except KeyError:\n    return 'caught'\n", WAITING),
        ("later = asyncio.create_task(value.get())\ntry:\n    return await later\n"
         "except KeyError:\n    return 'caught'\n", WAITING),
        ("try:\n    return await value()\nexcept KeyError:\n    return 'caught'\n",
         "(lambda: __import__('asyncio').sleep(0, 7))"),
        ("later = value()\ntry:\n    return await later\nexcept KeyError:\n    return 'caught'\n",
         "(lambda: __import__('asyncio').sleep(0, 7))"),
        ("try:\n    return await value\nexcept KeyError:\n    return 'caught'\n",
         "__import__('asyncio').sleep(0, 7)"),
        ("try:\n    return await asyncio.wait_for(value, 1)\n"
         "except KeyError:\n    return 'caught'\n", "__import__('asyncio').sleep(0, 7)"),
        ("try:\n    return (await asyncio.gather(value))[0]\n"
         "except KeyError:\n    return 'caught'\n", "__import__('asyncio').sleep(0, 7)"),
        ("try:\n    return [each async for each in value][-1]\n"
         "except KeyError:\n    return 'caught'\n",
         "(await __import__('asyncio').sleep(0, each) for each in [7])"),
        ("try:\n    async with value:\n        return 7\n"
         "except KeyError:\n    return 'caught'\n",
         "__import__('contextlib').AsyncExitStack()"),
    ],
)  # fmt: skip
def test_what_is_awaited_fails_when_it_is_awaited(body: str, given: str) -> None:
    results = waited(body, given)
    assert results[0] == 7
    assert "caught" in results[1:]


def test_what_is_awaited_elsewhere_fails_when_it_is_made() -> None:
    body = (
        "try:\n    later = value.get()\nexcept KeyError:\n    return 'early'\nreturn await later\n"
    )
    assert "early" in waited(body, WAITING)


def waited(body: str, given: str) -> list[object]:
    """What a coroutine returns for a draft, and for those that make its handlers' calls fail."""
    text = f"async def f(value):\n{textwrap.indent(body, '    ')}"
    lines = text.count("\n") + 1
    block = Block(text, 1, lines)
    inputs = Inputs("f", "function", pools=(Pool("value", "keyword", (given,)),), is_awaited=True)
    names: dict[str, object] = {"asyncio": asyncio}
    exec(text, names)
    drafts = [Draft("", (("value", given),))]
    for line, _ in open_handlers(block, frozenset(range(1, lines + 1))):
        drafts += failing(inputs, block, drafts[0], line)
    results: list[object] = []
    for draft in (d for made in drafts for d in (made, *recordings(made, ()))):
        case = case_of(inputs, draft, "case_a")
        for code in (case.code, readable(Case("case_a", case.code)).code):
            assert code is case.code or "Condition" not in code
            exec(code, names)
            results.append(asyncio.run(names["case_a"]()))
    return results


def test_a_person_reads_that_a_coroutine_raises() -> None:
    text = "async def f(task):\n    try:\n        await task\n    except KeyError:\n        pass\n"
    inputs = Inputs("f", "function", pools=(Pool("task", "keyword", ("1",)),), is_awaited=True)
    (made, *_) = failing(inputs, Block(text, 1, 5), Draft("", (("task", "1"),)), 5)
    code = readable(case_of(inputs, made, "case_a")).code
    assert "async def run(self, *args, **named):\n            raise KeyError('failed')" in code
    assert "lambda" not in code
