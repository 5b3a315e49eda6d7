"""What an answer may hold: values, and what prepares a call; nothing that changes other code."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.checks.allowed_code import Argument, Call, Signature, checked

METHOD = Signature(("word", "n"), True, frozenset({"digest", "Door", "make", "enter", "SEEN_of"}))
PATCH = "lambda w: 'x'"


def call(word: str, *before: str, receiver: str = "Door(1)") -> Call:
    given = [Argument(name="word", value=word)]
    return Call(receiver=receiver, arguments=given, before=list(before))


def faults(made: Call) -> tuple[str, ...]:
    return checked(made, METHOD)[1]


@pytest.mark.parametrize(
    "text",
    [
        "'open sesame'", "-3", "[1, {'a': (2, None)}]", "b'x' * 3", "Door(2)", "make(Door, n=1)",
        "datetime.datetime(2020, 1, 1)", "Path('a') / 'b'", "io.StringIO('a,b')", "SEEN[0]",
        "np.array([1, 2])", "(lambda a, b=1: a.strip() + b)", "f'{1 + 2}'", "Colour.RED.value",
        "object.__new__(Door)", "'a,b'.split(',')", "[*range(3)]", "ValueError('no')",
        "os.path.join('a', 'b')", "SimpleNamespace(a=1)", "Door.of('x')", "word if n else None",
        "{**OPTIONS, 'a': 1}", "digest", "uuid.UUID('12345678123456781234567812345678')",
    ],
)  # fmt: skip
def test_values_are_taken(text: str) -> None:
    made, wrong = checked(call(text), METHOD)
    assert wrong == ()
    assert ast.dump(ast.parse(made.arguments[0].value)) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        f"[(i for i in ()).gi_frame.f_globals.update(digest={PATCH}), 'a'][1]",
        f"[getattr(digest, '__globals__').update(digest={PATCH}), 'a'][1]",
        f"[0 for hashlib.sha256 in [{PATCH}]] and 'a'",
        f"[0 for [hashlib.sha256] in [[{PATCH}]]] and 'a'",
        f"[0 for Door.digest in [{PATCH}]] and 'a'", "operator.setitem(SEEN, 0, 1)",
        "operator.attrgetter('__globals__')(digest)", "REGISTRY.update(a=1)", "SEEN.append(1)",
        "functools.update_wrapper(digest, make, assigned=('__code__',))", "digest.cache_clear()",
        "os.environ.clear()", "shutil.os.system('id')", "os.path.os._exit(0)", "os.system('id')",
        "getattr(os, 'system')('id')", "asyncio.create_subprocess_shell('id')",
        "urllib.request.urlopen('http://x')", "datetime.datetime.now()", "uuid.uuid4()",
        "__import__('os')", "exec('1')", "print('PASSED')", "exit()", "open('script.py', 'w')",
        "type('D', (Door,), {'digest': 1})", "(word := 1)", "digest.__code__", "await f()",
        "setattr(Door, 'digest', 1)", "sys.modules['a']", "globals()", "vars(Door)",
        "(lambda: SEEN.clear())()", "types.FunctionType(digest.__code__, {})", "pathlib.os.fork()",
        "Door._secret", "the_receiver_of_this_call", "word word", "", "import os",
        "numpy.random.rand()",
    ],
)  # fmt: skip
def test_what_reaches_further_is_refused(text: str) -> None:
    assert faults(call(text))


@pytest.mark.parametrize(
    "text",
    [
        "Path('a.txt').write_text('one\\ntwo')", "os.makedirs('a/b')", "os.environ['A'] = '1'",
        "with open('a', 'w') as f:\n    f.write('x')", "{it}.push(3)", "{it}.count = 3",
        "{it}.items = [Item(1), 'a']", "(Path('a') / 'b').mkdir()", "open('a', 'w').write('x')",
        "Path('a').write_text('''one\ntwo''')", "Path('a/b').parent.mkdir(parents=True)",
    ],
)  # fmt: skip
def test_preparations_are_taken(text: str) -> None:
    made, wrong = checked(call("'a'", text), METHOD)
    assert wrong == ()
    wanted, got = text.replace("{it}", "it"), made.before[0].replace("{it}", "it")
    assert ast.dump(ast.parse(got)) == ast.dump(ast.parse(wanted))


@pytest.mark.parametrize(
    "text",
    [
        f"{{it}}.digest = {PATCH}", "{it}.digest = 3", "{it}.config.loader = 3", "{it}.x = digest",
        f"{{it}}.x = [{PATCH}]", "{it}.__class__ = Door", "{it}.digest({it}als().update(a=1))",
        "x{it}.y = 1", "digest = 3", "SEEN = []", "def digest(w): return 1", "import os",
        f"os.environ['A'] = [0 for hashlib.sha256 in [{PATCH}]]", "del {it}.x", "{it} = Door(2)",
        "the_receiver_of_this_call.x = 3", "Door.digest = 3", "os.remove('a')", "pass; x = 1",
        "with open('a') as f:\n    digest = f", "while True: pass", "assert word",
        "print('PASSED')",
        "{it}.x = Door.digest", "for {it}.digest in [1]: pass", "{it}.__init__()",
        "{it}.x: int = 1",
        "subprocess.run(['pip', 'install', 'odd'])", "exec('1')", "REGISTRY.write('x')",
    ],
)  # fmt: skip
def test_what_is_no_preparation_is_refused(text: str) -> None:
    assert faults(call("'a'", text))


def test_the_form_of_a_call_is_checked_first() -> None:
    assert faults(call("'a'", receiver="")) == ("it needs a receiver",)
    twice = Call(receiver="Door()", arguments=[Argument(name="x", value="1")] * 2)
    assert faults(twice) == ("there is no parameter x", "x is given twice")
    assert faults(call("'a'" * 2000)) == ("it has more than 2000 characters",)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    made, wrong = checked(call(text, text, receiver=text), METHOD)
    assert wrong or all(ast.parse(each.value) for each in made.arguments)


def test_what_is_taken_is_one_expression() -> None:
    made, _ = checked(call("'a', 'b' # and more"), METHOD)
    assert made.arguments[0].value == "('a', 'b')"
