"""Tests that a model writes, comparing a function with another version of it over many calls.

After the test-generation stage in Xie et al., "RepoST: Scalable Repository-Level Coding Environment
Construction with Sandbox Testing" (2025). Here the other version is the function itself under
another name, because only the calls that such a test makes are needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages, question

NEW = "_new_implementation"
"""Suffix of the other version's name."""
ENTRY = "test_slice_func_written"
"""Name of the test in the file that is run."""
_MOST_CHARACTERS = 40_000
"""Maximum number of characters of an answer."""
_MOST_CONTEXT = 24_000
"""Maximum number of characters of the script; the prompt says that the rest is left out."""
_ALL = "Every line and every branch: nothing has reached any yet."


class UnusableTestError(ValueError):
    """A written test that cannot be run; the text says why."""


class WrittenTest(BaseModel):
    """What a model answers."""

    imports: list[str] = []
    """Statements."""
    test: str
    """Source of one function."""


@dataclass(frozen=True, slots=True)
class UntestedFunction:
    """The prompt's data on a function to write a test for."""

    function: str
    """The function's lines with numbers."""
    context: str
    """The script that contains the function."""
    calls: str
    """Names of the function, its other version and the test, and how it is called."""
    missing: str
    """Lines that no call has reached, and changes that none has revealed; empty if unknown."""
    purpose: str


def written_request(untested: UntestedFunction, settings: Settings) -> Request[WrittenTest]:
    """Return the question for a test.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {
        "function": untested.function,
        "context": bounded(untested.context, _MOST_CONTEXT),
        "calls": untested.calls,
        "missing": untested.missing or _ALL,
    }
    return Request(messages("tests", parts, settings.prompts), WrittenTest, untested.purpose)


def again_request(
    request: Request[WrittenTest], answer: str, came: str, missing: str, settings: Settings
) -> Request[WrittenTest]:
    """Return the same question, with the outcome of an answer and what is still missing.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"came": came, "missing": missing or _ALL}
    known = "".join(message.text for message in request.messages) + answer
    return request.after(answer, question("tests_again", parts, settings.prompts, context=known))


# ------------------------------------------------------------------------- the file that is run


def written_file(
    answer: WrittenTest,
    module: str,
    qualname: str,
    others: Sequence[str] = (),
    first: Sequence[str] = (),
) -> str:
    """Return a file whose function `ENTRY` runs the test, with the target under both names.

    Args:
        answer: the written test.
        module: the target's module; the test sees all names that it binds.
        qualname: qualified name of the target in the module.
        others: further modules whose names the test sees, if the first has loaded them.
        first: modules to load before any other.

    Raises:
        UnusableTestError: it is not Python, or contains no function that can be called.
    """
    if sum(map(len, (answer.test, *answer.imports))) > _MOST_CHARACTERS:
        raise UnusableTestError(f"the test has more than {_MOST_CHARACTERS} characters")
    body = _parsed(answer.test)
    name = _entry(body, f"test_{qualname.rpartition('.')[2]}")
    inner = [node for node in body if isinstance(node, _IMPORTS)]
    imports = [*_imports(answer.imports), *map(ast.unparse, inner)]
    own = [node for node in body if not isinstance(node, (*_IMPORTS, ast.Expr, ast.If))]
    begin = _BEGIN.format(
        first=tuple(first), module=module, others=tuple(others), imports=tuple(imports),
        qualname=qualname, new=NEW,
    )  # fmt: skip
    return f"{begin}\n\n{_text(own)}\n\n\n{_END.format(entry=ENTRY, name=name)}"


_IMPORTS = (ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BEGIN = '''\
"""A test that somebody has written, and the names that it uses."""


def slice_func_begin(names):
    """Put the names there; the target has another one."""
    import importlib
    import sys

    def put(module):
        for name, value in list(vars(module).items()):
            if not (name.startswith("__") and name.endswith("__")):
                names[name] = value

    top, *inner = {qualname!r}.split(".")
    for name in {first!r}:
        importlib.import_module(name)
    module = importlib.import_module({module!r})
    if top not in vars(module):  # a module of the library may have the same name
        del sys.modules[{module!r}]
        module = importlib.import_module({module!r})
    for name in {others!r}:
        if name in sys.modules:
            put(sys.modules[name])
    put(module)
    for statement in {imports!r}:
        try:
            exec(statement, names)
        except BaseException:
            pass
    try:
        names[top] = owner = vars(module)[top]
        if not inner:
            names[top + {new!r}] = owner
            return
        *classes, last = inner
        for name in classes:
            owner = vars(owner)[name]
        private = "_" + owner.__name__.lstrip("_") + last
        for name in (last, private):
            if name in vars(owner) and not name.endswith("__"):
                setattr(owner, name + {new!r}, vars(owner)[name])
    except (AttributeError, KeyError, TypeError):
        pass


slice_func_begin(globals())
'''
_END = '''\
def {entry}():
    """Run it to its end."""
    made = {name}()
    if hasattr(made, "__await__"):
        import asyncio

        asyncio.run(made)
'''


def _parsed(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except SyntaxError as error:
        raise UnusableTestError(
            f"the test is no Python: line {error.lineno}: {error.msg}"
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnusableTestError(f"the test is no Python: {error}") from error


def _text(body: Sequence[ast.stmt]) -> str:
    try:
        return "\n\n\n".join(map(ast.unparse, body))
    except (ValueError, RecursionError) as error:
        raise UnusableTestError(f"the test is no Python: {error}") from error


def _entry(body: Sequence[ast.stmt], wanted: str) -> str:
    """Return the name of the test function: the requested one, or else the likeliest."""
    found = [node for node in body if isinstance(node, _FUNCTIONS)]
    if not found:
        raise UnusableTestError("the test holds no function")
    best = max(found, key=lambda node: (node.name == wanted, node.name.startswith("test")))
    args = best.args
    optional = len(args.defaults) + sum(each is not None for each in args.kw_defaults)
    if len((*args.posonlyargs, *args.args, *args.kwonlyargs)) > optional:
        raise UnusableTestError(f"the test {best.name} takes parameters")
    return best.name


def _imports(texts: Sequence[str]) -> Iterator[str]:
    """Yield the import statements among some texts."""
    for text in texts:
        try:
            body = _parsed(text)
        except UnusableTestError:
            continue
        yield from (ast.unparse(node) for node in body if isinstance(node, _IMPORTS))
