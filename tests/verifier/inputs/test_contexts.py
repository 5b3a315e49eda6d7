"""What a target has to be called inside of is entered first."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.inputs.argument_pools import Inputs, inputs_of
from slicefunc.verifier.inputs.statements import texts_of

if TYPE_CHECKING:
    from pathlib import Path


def inputs(tmp_path: Path, source: str, target: str) -> Inputs:
    """Of a target in a repository of one file."""
    (tmp_path / "a.py").write_text(textwrap.dedent(source))
    repository = Repository(tmp_path)
    found = inputs_of(repository, compile_slice(repository, (f"a.py::{target}",)))
    assert found is not None
    return found


def result(found: Inputs, source: str, call: str) -> object:
    """What a call gives inside of all that is entered."""
    namespace: dict[str, object] = {}
    exec("\n".join((textwrap.dedent(source), *texts_of(found.within), f"made = {call}")), namespace)
    return namespace["made"]


def test_a_context_variable_is_set_to_what_is_used_of_it(tmp_path: Path) -> None:
    source = """
        from contextvars import ContextVar

        _current = ContextVar("current")

        def user_name():
            return _current.get().user.name.upper()
    """
    found = inputs(tmp_path, source, "user_name")
    assert isinstance(result(found, source, "user_name()"), str)
    assert set(texts_of(found.within)) <= set(texts_of(found.surroundings))


def test_what_stands_for_a_context_variable_tells_what_it_holds(tmp_path: Path) -> None:
    source = """
        from contextvars import ContextVar
        from werkzeug.local import LocalProxy

        _current = ContextVar("current")
        session = LocalProxy(_current, "session")
        application = LocalProxy(_current, "app")

        def flashed():
            application.logger.info("asked")
            return [text for kind, text in session["flashes"]]
    """
    (statement,) = texts_of(inputs(tmp_path, source, "flashed").within)
    assert statement.startswith("_current.set(")
    assert "'session': {'flashes': " in statement
    assert "'app': " in statement


def test_what_a_thread_local_holds_is_put_there(tmp_path: Path) -> None:
    source = """
        from threading import local

        _local = local()

        def colour():
            try:
                return _local.stack[-1].colour.lower()
            except (AttributeError, IndexError):
                raise RuntimeError("nothing is active")
    """
    found = inputs(tmp_path, source, "colour")
    assert isinstance(result(found, source, "colour()"), str)


def test_a_click_context_is_pushed_with_the_object_that_is_read(tmp_path: Path) -> None:
    source = """
        import click

        def level():
            return click.get_current_context().obj["level"]
    """
    (statement,) = texts_of(inputs(tmp_path, source, "level").within)
    assert "push_context(" in statement
    assert "obj={'level': " in statement


def test_nothing_is_entered_where_nothing_is_asked(tmp_path: Path) -> None:
    source = """
        import click

        def shout(text):
            click.echo(text.upper())
    """
    assert texts_of(inputs(tmp_path, source, "shout").within) == ()


def test_a_function_that_is_made_to_look_like_another_is_called(tmp_path: Path) -> None:
    source = """
        from functools import update_wrapper
        from typing import cast

        def logged(function):
            def inner(text):
                return function(text.upper())
            return update_wrapper(cast("object", inner), function)
    """
    assert inputs(tmp_path, source, "logged").calls == 2
