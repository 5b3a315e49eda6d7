"""What decorators of commands say of parameters."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.inputs.types.command_options import Declared, declared_option

CASES = [
    ('@click.option("--loud", is_flag=True)', "loud", Declared("bool")),
    ('@click.option("--loud/--quiet", default=True)', "loud", Declared("bool", ("True",))),
    ('@click.option("-v", "--verbose", count=True)', "verbose", Declared("int")),
    ('@option("--dry-run", "-n", type=int, default=3)', "dry_run", Declared("int", ("3",))),
    ('@click.option("--interval", default=300)', "interval", Declared("int", ("300",))),
    ('@click.option("-f", "target", type=click.Path(exists=True))', "target", Declared("path")),
    ('@click.argument("NAME")', "name", Declared("str")),
    ('@click.argument("names", nargs=-1)', "names", Declared("list", ("()",))),
    (
        '@click.option("--kind", type=click.Choice(["a", "b"]), default="b")',
        "kind",
        Declared("str", ("'a'", "'b'")),
    ),
    (
        '@click.option("--kind", type=click.Choice(["a", "b"]), multiple=True)',
        "kind",
        Declared("list", ("('a', 'b',)", "()")),
    ),
    ('@click.option("--when", type=click.DateTime())', "when", Declared()),
    ('@click.option("--other", is_flag=True)', "loud", None),
    ('@app.route("--loud", is_flag=True)', "loud", None),
]


@pytest.mark.parametrize(("decorator", "name", "said"), CASES)
def test_an_option_says_what_its_parameter_is(
    decorator: str, name: str, said: Declared | None
) -> None:
    (node,) = ast.parse(f"{decorator}\ndef f({name}):\n    pass\n").body
    assert isinstance(node, ast.FunctionDef)
    assert declared_option(node, name) == said
