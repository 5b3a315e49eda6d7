"""Trees with others in the place of some nodes."""

from __future__ import annotations

import ast

from slicefunc.verifier.search.drafts.draft_trees import constant, parsed, unparsed, with_nodes


def test_a_changed_tree_leaves_the_first_as_it_was_and_shares_the_rest() -> None:
    tree = parsed("f([1, 2], key={'a': 3}, *more)")
    assert tree is not None
    nodes = tree.nodes
    before = ast.dump(tree.root)
    at = next(n for n, node in enumerate(nodes) if isinstance(node, ast.List))
    changed = with_nodes(tree, {at: constant({2, 1})})
    assert unparsed(changed) == "f({1, 2}, *more, key={'a': 3})"
    assert ast.dump(tree.root) == before
    shared = {id(node) for node in ast.walk(tree.root)}
    assert {type(node) for node in ast.walk(changed) if id(node) not in shared} == {
        ast.Expression,
        ast.Call,
        ast.Set,
        ast.Constant,
    }


def test_of_nodes_in_one_another_the_outer_one_counts() -> None:
    tree = parsed("{it}.x = [1, 2]")
    assert tree is not None
    nodes = tree.nodes
    outer = next(n for n, node in enumerate(nodes) if isinstance(node, ast.List))
    inner = next(n for n, node in enumerate(nodes) if isinstance(node, ast.Constant))
    assert unparsed(with_nodes(tree, {outer: constant("b"), inner: constant(7)})) == "{it}.x = 'b'"
    assert unparsed(with_nodes(tree, {inner: constant(7)})) == "{it}.x = [7, 2]"
