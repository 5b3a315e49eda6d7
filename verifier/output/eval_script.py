"""Eval scripts in RepoST's layout (arXiv 2503.07358): two versions of a function, compared.

`NAME_new_implementation` stands beside the original, at first as a copy of it, and `test_NAME`
calls both with the same arguments. This is for compatibility: the new version runs in the process
of the assertions and can fool them, so scores are never taken from it.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence

from ..observation.compare_observations import has_effect_beyond_output
from ..observation.decode_records import decode_text
from ..observation.observation import Malformed, Observation
from ..same_code.sanity_checks import CANDIDATE_SUFFIX, FEWEST_ASSERTIONS
from ..sandbox.cases.holders import mangled_name
from ..scoring.candidates.definition_blocks import Group, bound_names, groups, split_name
from ..scoring.substitute import carried_literals, module_names
from ..script.expression_layout import expression_text, lines_of_statements
from .case_calls import CaseParts, split_case
from .eval_helpers import free_helpers
from .exporter import Exporter, RecordedCase
from .second_version import with_new_implementation


def eval_script(script: str, path: str, qualname: str, cases: Sequence[RecordedCase]) -> str:
    """Return the slice's script with a second version of the target, and a test that compares both.

    Args:
        script: in the layout `flat` or `modules`.
        path: path of the target's file in the repository.
        qualname: qualified name of the target.
        cases: the cases; one whose call is repeated, as in a loop, is left out.

    Raises:
        NoHoleError: the target is no function in lines of its own.
    """
    text = with_new_implementation(script, path, qualname)
    return text.rstrip("\n") + "\n" + "\n".join(_Writer(script, path, qualname).lines(cases)) + "\n"


class _Writer:
    """Writes the test of one script."""

    def __init__(self, script: str, path: str, qualname: str) -> None:
        *_, self._owner, self._name = ["", *split_name(qualname)]
        self._new = self._name + CANDIDATE_SUFFIX
        self._class = ".".join(split_name(qualname)[:-1])
        self._outside = mangled_name(qualname)
        self._qualname = qualname
        body = ast.parse(script).body
        self._helpers, self._observed, self._agree = free_helpers(bound_names(body))
        carried = [text for _, _, text in carried_literals(script, path)]
        self._has_loader = "_slice_func(" in script
        trees = [ast.parse(text).body for text in carried] or [body]
        self._is_swapped = _needs_swap(trees, qualname)
        self._module = ""
        if carried:
            names = set(module_names(path))
            modules = {n.module for n in body if isinstance(n, ast.ImportFrom) and n.module}
            self._module = next(iter(sorted(modules & names, key=len, reverse=True)), "")

    def lines(self, cases: Sequence[RecordedCase]) -> Iterator[str]:
        """Yield the lines after the script."""
        test = f"test_{self._name}"
        taken = [(one, parts) for one in cases if (parts := split_case(one.case, self._qualname))]
        yield from ("", "", *self._helpers.splitlines(), "", "")
        yield f"def {test}():"
        text = (
            f"Hold {self._new} against {self._name}. A new implementation runs in this process and "
            "can fool the assertions, so they are no score: slice-func score gives one."
        )
        filled = textwrap.wrap(text, 90, initial_indent='    """', subsequent_indent="    ")
        yield from (*filled, '    """')
        if self._is_swapped:
            yield from ("    import sys", "    from unittest import mock", "")
        if self._owner.strip("_") and self._name.startswith("__"):
            mangled = f"_{self._owner.lstrip('_')}{self._new}"  # mangled within the class
            yield f"    {self._class}.{self._new} = vars({self._class})[{mangled!r}]"
        if self._is_swapped and self._owner:
            yield f"    assert {self._class}.{self._new} is not {self._class}.{self._outside}"
        blocks = [list(self._block(one, parts)) for one, parts in taken]
        count = sum(line.lstrip().startswith("assert ") for block in blocks for line in block)
        for block in blocks:
            yield from block
            if count < FEWEST_ASSERTIONS:
                yield "    assert actual.printed == expected.printed"
                yield "    assert actual.effects == expected.effects"
        yield from ("", "")
        if self._has_loader:
            yield from ("import sys as _sys", "")
            yield "if vars(_sys.modules['__main__']) is globals():"
            yield "    __name__ = '__main__'  # which carried modules have changed"
        yield from ('if __name__ == "__main__":', f"    {test}()")

    def _block(self, one: RecordedCase, parts: CaseParts) -> Iterator[str]:
        """Yield the assertions of one case."""
        yield from ("", f"    # {parts.name}")
        has_given = bool(parts.arguments or parts.before or parts.is_async)
        if has_given:
            yield from self._given(parts)
        yield from self._call("expected", self._outside, parts, 4)
        indent = 4
        if self._is_swapped:
            yield f"    with {self._swap()}:"
            indent = 8
        yield from self._call("actual", self._new, parts, indent)
        yield "    assert actual.error is expected.error"
        yield f"    assert {self._agree}(actual.value, expected.value)"
        if parts.arguments:
            yield f"    assert {self._agree}(actual.arguments, expected.arguments)"
        observation = decode_text(one.observation)
        if not isinstance(observation, Malformed):
            yield from self._more(observation)

    def _more(self, observation: Observation) -> Iterator[str]:
        if observation.stdout and not has_effect_beyond_output(observation):
            yield "    assert actual.printed == expected.printed"
        if observation.effects:
            yield "    assert actual.effects == expected.effects"
        if observation.files:
            yield "    assert actual.files == expected.files"

    def _given(self, parts: CaseParts) -> Iterator[str]:
        keys = [ast.Constant(name) for name, _ in parts.arguments]
        made = ast.Dict([*keys], [value for _, value in parts.arguments])
        word = "async def" if parts.is_async else "def"
        yield f"    {word} given():"
        yield from lines_of_statements(parts.before, 8)
        yield from f"        return {expression_text(made, 8, 15)}".split("\n")
        yield ""

    def _call(self, result: str, name: str, parts: CaseParts, indent: int) -> Iterator[str]:
        """Yield the assignment of what one version does."""
        parameters = ", ".join(name for name, _ in parts.arguments)
        head = ast.parse(f"{result} = {self._observed}(lambda {parameters}: 0)").body[0]
        assert isinstance(head, ast.Assign)
        assert isinstance(head.value, ast.Call)
        (function,) = head.value.args
        assert isinstance(function, ast.Lambda)
        function.body = parts.named(self._owner if parts.is_by_owner else name)
        if parts.arguments or parts.before or parts.is_async:
            head.value.args.append(ast.Name("given", ast.Load()))
        yield from lines_of_statements([head], indent)

    def _swap(self) -> str:
        """Return the expression that patches the new version in, for all callers."""
        if self._class:
            owner = self._class
            return f'mock.patch.object({owner}, "{self._outside}", vars({owner})["{self._new}"])'
        where = f"vars(sys.modules[{self._module!r}])" if self._module else "globals()"
        return f'mock.patch.dict({where}, {{"{self._name}": {self._new}}})'


def _needs_swap(trees: Sequence[Sequence[ast.stmt]], qualname: str) -> bool:
    """Whether Python calls the target by name, or the target calls itself, perhaps indirectly."""
    parts = split_name(qualname)
    name = parts[-1]
    if name.startswith("__") and name.endswith("__"):
        return True
    return any(name in _called(tree, groups(tree, parts)) for tree in trees)


def _called(tree: Sequence[ast.stmt], target: Sequence[Group]) -> Iterator[str]:
    """Yield names that functions read; the target's decorators may repeat its name and are
    skipped.
    """
    own = [node for group in target for node in group.nodes]
    skipped = {id(each) for node in own for each in getattr(node, "decorator_list", ())}
    around: list[tuple[ast.AST, bool]] = [(node, False) for node in tree]
    while around:
        node, is_inside = around.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                if is_inside:
                    yield name
            case _:
                pass
        inner = is_inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        below = (each for each in ast.iter_child_nodes(node) if id(each) not in skipped)
        around.extend((each, inner) for each in below)


EXPORTER = Exporter(
    "eval script",
    "Name of the file with the eval script; null where there is none.",
    write=lambda given: eval_script(
        given.script, given.target.path, given.target.qualname, given.cases
    ),
    program=lambda _, text: text,
)
