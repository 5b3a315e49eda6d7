"""What parameters hold: values that flow through calls, also in circles and when more is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.analysis.scopes.definitions import Scope, module_scope
from slicefunc.slicer.analysis.values.abstract_values import INT, STR, Parameter, Values
from slicefunc.slicer.closure.parameters.parameter_constraints import ParameterConstraints
from slicefunc.slicer.repo.repository import Module


@pytest.fixture(name="module")
def a_module(tmp_path: Path) -> Module:
    (tmp_path / "mod.py").write_text("def f(x): ...\n")
    return Repository(tmp_path).module_at("mod.py")


def scope_in(module: Module) -> Scope:
    return Scope(module, module.units[0].node, module_scope(module))


def nothing_declared(_: Parameter) -> Values:
    return None


def test_values_flow_round_a_circle(module: Module) -> None:
    held: ParameterConstraints[str] = ParameterConstraints(nothing_declared)
    first, second = Parameter(scope_in(module), "x"), Parameter(scope_in(module), "y")
    for parameter in (first, second):
        held.mark_called(parameter.scope)
    held.bind(first, frozenset({second}))
    held.bind(second, frozenset({first}))
    assert held.of(first, "asker") == frozenset()
    assert held.bind(second, STR) == ["asker"]
    assert held.of(first, "asker") == STR
    assert held.bind(first, INT) == ["asker"]
    assert held.of(second, "other") == STR | INT


def test_nobody_is_woken_for_what_is_known(module: Module) -> None:
    held: ParameterConstraints[str] = ParameterConstraints(nothing_declared)
    parameter = Parameter(scope_in(module), "x")
    held.mark_called(parameter.scope)
    held.bind(parameter, STR)
    assert held.of(parameter, "asker") == STR
    assert held.bind(parameter, STR) == []


def test_what_is_called_with_anything_holds_what_is_declared(module: Module) -> None:
    held: ParameterConstraints[str] = ParameterConstraints(lambda _: INT)
    first, second = Parameter(scope_in(module), "x"), Parameter(scope_in(module), "y")
    for parameter in (first, second):
        held.mark_called(parameter.scope)
    held.bind(first, frozenset({second}))
    held.bind(second, STR)
    assert held.of(first, "asker") == STR
    assert held.open(second.scope) == ["asker"]
    assert held.of(first, "asker") == INT


def test_visitors_that_call_one_another_know_all_nodes(tmp_path: Path) -> None:
    parts = ["class Node:", "    def show(self): return 0", ""]
    for n in range(40):
        parts += [f"class Node{n}(Node):", f"    def show(self): return {n}", ""]
    for n in range(40):
        parts += [
            f"def visit{n}(node, left):",
            f"    if left: return visit{(n * 7 + 1) % 40}(node, left - 1)",
            f"    return node.show() + visit{(n + 1) % 40}(Node{n}(), left)",
            "",
        ]
    (tmp_path / "mod.py").write_text("\n".join(parts) + "\ndef run(): return visit0(Node(), 3)\n")
    kept = slice_function(Repository(tmp_path), "mod.py::run").manifest.definitions
    assert {f"Node{n}.show" for n in range(40)} <= {each.qualname for each in kept}
