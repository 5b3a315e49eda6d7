"""What a web framework holds by key is given to a target that looks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.statements import texts_of

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """
from flask import current_app, g, session

def setting(value, name, default=None):
    return current_app.config.get(name, default) if value is None else value

def limit(value=None):
    return setting(value, "LIMIT_SECONDS", 5) + current_app.config["LIMIT_MORE"]

def user():
    if "user" not in session:
        session["user"] = 1
    return session["user"], g.page

def worked_out(key):
    name = key + "x"
    return session[name] or "first_name"

def plain(config):
    return config["LIMIT"]
"""


def surroundings(folder: Path, target: str) -> str:
    (folder / "a.py").write_text(SOURCE)
    repository = Repository(folder)
    found = inputs_of(repository, slice_function(repository, f"a.py::{target}"))
    assert found is not None
    return "\n".join(texts_of(found.surroundings))


def test_settings_are_made_that_another_function_looks_for(tmp_path: Path) -> None:
    found = surroundings(tmp_path, "limit")
    assert "current_app.config['LIMIT_SECONDS'] = 'setting-1'" in found
    assert "current_app.config['LIMIT_MORE'] = 0" in found


def test_the_session_and_what_is_kept_for_a_request_hold_something(tmp_path: Path) -> None:
    found = surroundings(tmp_path, "user")
    assert "session['user'] = 'text-1'" in found
    assert ".g, 'page', 'text-1')" in found


def test_a_key_that_is_worked_out_may_be_a_name_of_the_function(tmp_path: Path) -> None:
    assert "session['first_name'] = 1" in surroundings(tmp_path, "worked_out")


def test_what_is_no_framework_holds_nothing(tmp_path: Path) -> None:
    assert not surroundings(tmp_path, "plain")
