"""What is handed to asyncio is awaited: stand-ins for it give coroutines."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import inputs_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "body",
    [
        "return await x.get()",
        "return await x.get('key')",
        "return await asyncio.wait_for(x.fetch(), 1)",
        "return await asyncio.create_task(x.fetch())",
        "return await asyncio.shield(x.fetch())",
        "return await asyncio.gather(x.fetch(), x.load())",
        "return await asyncio.gather(*[x.fetch(n) for n in (1, 2)])",
    ],
)
def test_stand_ins_give_what_is_awaited(tmp_path: Path, body: str) -> None:
    text = f"import asyncio\n\n\nasync def f(x):\n    {body}\n"
    (tmp_path / "a.py").write_text(text)
    repository = Repository(tmp_path)
    inputs = inputs_of(repository, slice_function(repository, "a.py::f"))
    assert inputs is not None
    names: dict[str, object] = {}
    exec(text, names)

    async def called() -> object:
        return await names["f"](eval(inputs.pools[0].texts[0]))

    asyncio.run(called())


def test_what_is_no_promise_stays_a_mapping(tmp_path: Path) -> None:
    text = "async def f(x, g):\n    return await g(x.get('key'))\n"
    (tmp_path / "a.py").write_text(text)
    repository = Repository(tmp_path)
    inputs = inputs_of(repository, slice_function(repository, "a.py::f"))
    assert inputs is not None
    assert inputs.pools[0].texts[0].startswith("{")
