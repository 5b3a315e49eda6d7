"""Stand-ins that record: what is called on them is seen from the outside."""

from __future__ import annotations

import ast
import asyncio
from typing import Any

from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.inputs.statements import Statement
from slicefunc.verifier.inputs.types.signatures import signatures
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.drafts.readable import readable
from slicefunc.verifier.search.drafts.recording_stand_ins import recordings


def recording(draft: Draft) -> Draft:
    """The draft that records what is called."""
    return next(recordings(draft, ()))


POST = "type('Post', (), {'check': lambda self, *args, **named: None})()"
SESSION = f"type('Session', (), {{'post': lambda self, *args, **named: {POST}, 'size': 3}})()"


def test_calls_of_a_stand_in_and_of_what_it_gives_are_in_one_list() -> None:
    session = eval(dict(recording(Draft("", (("session", SESSION),))).arguments)["session"])
    session.post("url", timeout=3).check()
    assert session.calls == [("post", "url", {"timeout": 3}), ("check", {})]
    assert session.size == 3


def test_a_stand_in_takes_what_methods_of_its_names_take() -> None:
    script = (
        "class Base:\n    def post(self, url):\n        pass\n\n"
        "class Session(Base):\n    def post(self, url, timeout=5, *, data=None):\n        pass\n\n"
        "def check(*args):\n    pass\n"
    )
    calls = ast.parse("def send(s):\n    s.post('url', timeout=3).check(1, 2, a=3)\n")
    known = signatures(script, calls)
    draft = next(recordings(Draft("", (("session", SESSION),)), known))
    session = eval(dict(draft.arguments)["session"])
    assert session.post("url", 3).check(1, 2) == session.post(url="url", timeout=3).check(1, 2)
    assert session.calls == [("post", "url", 3, None), ("check", 1, 2, {})] * 2
    assert not signatures(script, ast.parse("s.post('url', 3, 4)"))


def test_a_callback_answers_as_before_and_records() -> None:
    callback = eval(recording(Draft("", (("f", "(lambda *args, **named: 7)"),))).arguments[0][1])
    assert callback(1, key=2) == 7
    assert callback.calls == [("called", 1, {"key": 2})]


def test_what_is_no_stand_in_stays() -> None:
    draft = Draft(
        "Point(1, 2)", (("rows", "[1, 2]"), ("name", "'lambda'")), (Statement("{it}.x = 3"),)
    )
    assert recording(draft) == draft


def test_a_receiver_that_holds_one_and_an_attribute_that_is_one_record() -> None:
    draft = recording(Draft(f"Client({SESSION})", (), (Statement(f"{{it}}.session = {SESSION}"),)))
    made = eval(draft.receiver, {"Client": lambda session: session})
    assert made.calls == []
    assert draft.before[0].text.startswith("{it}.session = (lambda calls: ")


def test_a_person_reads_statements() -> None:
    given = recording(Draft("", (("session", SESSION),))).arguments[0][1]
    case = readable(Case("case_a", f"def case_a():\n    return send(session={given})\n"))
    assert "lambda" not in case.code
    assert "        self.calls = calls\n" in case.code
    assert (
        "        calls.append(('post', *args, named))\n        return Post()\n"
        in case.code.replace("    def", "def").replace("            ", "        ")
    )
    ast.parse(case.code)


def test_callbacks_are_named_after_what_they_are_given_as() -> None:
    does_nothing = "(lambda *args, **named: 1)"
    draft = recording(Draft("", (("on_end", does_nothing), ("1:f", does_nothing))))
    given = ", ".join(f"a{n}={text}" for n, (_, text) in enumerate(draft.arguments))
    case = readable(Case("case_a", f"def case_a():\n    return run({given})\n"))
    assert "class OnEnd:" in case.code
    assert "class F:" in case.code
    assert "type(" not in case.code


CHANNEL = (
    "type('Channel', (), {'send': lambda self, *args, **named: "
    "__import__('asyncio').sleep(0, 3), 'name': 'a'})()"
)


def test_what_is_awaited_records_when_it_is_called_or_when_it_is_awaited() -> None:
    called, waited = (
        eval(draft.arguments[0][1]) for draft in recordings(Draft("", (("channel", CHANNEL),)), ())
    )

    async def only_call(channel: Any) -> None:
        channel.send(1).close()

    async def both(channel: Any) -> int:
        return await channel.send(2)

    for channel in (called, waited):
        asyncio.run(only_call(channel))
        assert asyncio.run(both(channel)) == 3
    assert called.calls == [("send", 1, {}), ("send", 2, {})]
    assert waited.calls == [("send", 2, {})]


def test_a_person_reads_that_it_is_awaited() -> None:
    _, waited = recordings(Draft("", (("channel", CHANNEL),)), ())
    code = f"async def case_a():\n    return await send({waited.arguments[0][1]})\n"
    read = readable(Case("case_a", code)).code
    assert "async def send(self, *args, **named):" in read
    assert "yield" not in read
    assert "import types" not in read
    names: dict[str, Any] = {"send": lambda channel: channel.send(5)}
    exec(read, names)
    assert asyncio.run(names["case_a"]()) == 3


def test_what_no_class_can_be_written_for_stays_a_coroutine() -> None:
    _, waited = recordings(Draft("", (("channel", CHANNEL.replace("'name'", "'no name'")),)), ())
    code = f"async def case_a():\n    return await send({waited.arguments[0][1]})\n"
    names: dict[str, Any] = {"send": lambda channel: channel.send(5)}
    exec(readable(Case("case_a", code)).code, names)
    assert asyncio.run(names["case_a"]()) == 3


CONTEXT = "(lambda *args, **named: {'size': 3})"


def test_what_is_done_to_a_collection_that_is_answered_is_seen() -> None:
    given = recording(Draft("", (("context", CONTEXT),))).arguments[0][1]
    context = eval(given)
    context()["items"] = [1]
    context()["items"].append(2)
    assert context.answer == {"size": 3, "items": [1, 2]}
    assert context.calls == [("called", {})] * 2
    rows = "type('Rows', (), {'read': lambda self, *args, **named: [1], 'size': 3})()"
    made = eval(recording(Draft("", (("rows", rows),))).arguments[0][1])
    made.read().append(2)
    assert made.read_answer == [1, 2]


def test_a_person_reads_what_is_answered_as_an_attribute() -> None:
    given = recording(Draft("", (("context", CONTEXT),))).arguments[0][1]
    read = readable(Case("case_a", f"def case_a():\n    return send({given})\n")).code
    assert "        self.calls = calls\n            self.answer = {'size': 3}\n" in read
    assert "        return self.answer\n" in read
    assert "setattr" not in read
