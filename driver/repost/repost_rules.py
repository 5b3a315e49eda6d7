"""Sanity checks of a draft in RepoST's pipeline before it runs: the paper's, and this project's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ...verifier.output.second_version import with_new_implementation
from ...verifier.same_code.sanity_checks import CANDIDATE_SUFFIX, Evaluated, sanity_checks
from ...verifier.scoring.module_holes import NoHoleError

_LOADER = "_slice_func"
"""Name of the loader function of slices: a text that calls it is parsed as a module."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that drafts for one function must meet."""

    path: str
    qualname: str
    original: str
    """The function's text in the repository."""
    context: str
    """The slice's code, as people read it."""

    @property
    def test(self) -> str:
        """The name of the function that runs the tests."""
        return f"test_{self.qualname.rpartition('.')[2]}"

    def filled(self, script: str) -> str:
        """Return the script with a copy of the function as its second version.

        Raises:
            NoHoleError: the script does not define the function in lines of its own.
        """
        return with_new_implementation(script, self.path, self.qualname)

    def faults(self, script: str) -> list[str]:
        """Return the faults of a script without tests."""
        return self._sanity_faults(script, None)

    def faults_of_tested(self, plain: str, tested: str) -> list[str]:
        """Return the faults of a script with tests, made from one without."""
        found = self._sanity_faults(tested, None) or self._sanity_faults(plain, tested)
        if not found:
            found += _faults_of_names(ast.parse(tested), self.qualname, self.test)
        if not found:
            try:
                self.filled(tested)
            except NoHoleError as error:
                found.append(str(error))
        return found

    def _sanity_faults(self, script: str, tested: str | None) -> list[str]:
        if _LOADER in script or _LOADER in (tested or ""):
            return [f"it holds {_LOADER}, which slices use"]
        evaluated = Evaluated(self.qualname, self.original, (self.context,), script, tested)
        try:
            found = sanity_checks(evaluated)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return [f"it is no Python: {error}"]
        return [f"{each.name}: {each.detail}" for each in found if not each.is_passed]


def _faults_of_names(tree: ast.Module, qualname: str, test: str) -> Iterator[str]:
    """Yield faults of definitions: the test must be defined, and the second version must not be."""
    new = qualname.rpartition(".")[2] + CANDIDATE_SUFFIX
    if new in set(_bound(tree)):
        yield f"{new} is defined in the script: it is not to be"
    own = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == test]
    if not own:
        yield f"{test} is no plain function of the module"
    elif len(own[-1].args.args) > len(own[-1].args.defaults) or own[-1].args.posonlyargs:
        yield f"{test} takes parameters"


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield every name and attribute that the code binds."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(name, ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield name
            case _:
                pass
