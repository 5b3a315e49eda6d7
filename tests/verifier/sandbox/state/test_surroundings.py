"""What one case leaves behind is undone before the next."""

from __future__ import annotations

from typing import Any

import pytest
from slicefunc.verifier.sandbox.state.reset_surroundings import Surroundings

MEMO = """\
def memo(function):
    known = {}

    def wrapped(key):
        if key not in known:
            known[key] = function(key)
        return known[key]

    return wrapped
"""
SCRIPTS = {
    "a closure": f"{MEMO}\n@memo\ndef f(key):\n    return SAID[0]\n",
    "two closures": f"{MEMO}\n@memo\n@memo\ndef f(key):\n    return SAID[0]\n",
    "a method": (
        f"{MEMO}\nclass Box:\n    @memo\n    def get(self):\n        return SAID[0]\n"
        "box = Box()\ndef f(key):\n    return box.get()\n"
    ),
    "a cache": "import functools\n@functools.lru_cache\ndef f(key):\n    return SAID[0]\n",
    "a cached method": (
        "import functools\nclass Box:\n    @functools.cache\n    def get(self):\n"
        "        return SAID[0]\nbox = Box()\ndef f(key):\n    return box.get()\n"
    ),
    "an attribute": (
        "def f(key):\n    f.calls += 1\n    return SAID[0] if f.calls == 1 else f.calls\n"
        "f.calls = 0\n"
    ),
    "a default": (
        "def f(key, _calls=[]):\n    _calls.append(key)\n"
        "    return SAID[0] if len(_calls) == 1 else _calls\n"
    ),
    "a default of a keyword": (
        "def f(key, *, _known={}):\n    return _known.setdefault(key, SAID[0])\n"
    ),
    "a counter": (
        "def made():\n    calls = []\n    def f(key):\n        calls.append(key)\n"
        "        return SAID[0] if len(calls) == 1 else calls\n    return f\nf = made()\n"
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_functions_know_of_their_calls_is_forgotten(name: str) -> None:
    said = ["first"]
    script: dict[str, Any] = {"__name__": "script", "SAID": said}
    exec(SCRIPTS[name], script)
    around = Surroundings([script], ["script"], SCRIPTS[name])
    assert script["f"](1) == "first"
    around.restart("")
    script["SAID"] = ["second"]
    assert script["f"](1) == "second"


def test_what_functions_of_libraries_know_stays() -> None:
    library: dict[str, Any] = {"__name__": "library"}
    exec(SCRIPTS["a cache"], library)
    library["SAID"] = ["first"]
    script: dict[str, Any] = {"__name__": "script", "f": library["f"]}
    around = Surroundings([script], ["script"], "")
    assert library["f"](1) == "first"
    library["SAID"] = ["second"]
    around.restart("")
    assert library["f"](1) == "first"
