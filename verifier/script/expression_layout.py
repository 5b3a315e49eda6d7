"""Format syntax trees as a person would: long expressions over several lines."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

WIDTH = 92
_STEP = 4
_LEAST_REPEATED = 6
_LONGEST_UNIT = 3
_LEAST_TEXT = 24
_DEFINITION = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_SIMPLE = (ast.Constant, ast.Name)


def lines_of_statements(statements: Iterable[ast.stmt], indent: int = 0) -> Iterator[str]:
    """Yield the lines of some statements, kept close to `WIDTH` where possible."""
    before: ast.stmt | None = None
    for statement in statements:
        if isinstance(before, _DEFINITION) or (before and isinstance(statement, _DEFINITION)):
            yield ""
        yield from _statement(statement, indent)
        before = statement


def expression_text(node: ast.expr, indent: int = 0, used: int = 0, behind: int = 0) -> str:
    """Return an expression on one line if it fits, else one part per line.

    Args:
        node: the expression.
        indent: indentation of its first and last line.
        used: characters before it on the first line.
        behind: characters that must fit after it.
    """
    text = ast.unparse(node)
    if used + len(text) + behind <= WIDTH:
        return text
    return _folded(node, indent, used) or text


def person_like(tree: ast.AST) -> ast.AST:
    """Return the tree with literals as people write them: repetition as multiplication."""
    return _Literals().visit(tree)


def _statement(node: ast.stmt, indent: int) -> Iterator[str]:
    space = " " * indent
    match node:
        case ast.Return(value=ast.expr() as value):
            yield from _lines(space + "return ", value, indent)
        case ast.Expr(value=value):
            yield from _lines(space, value, indent)
        case ast.Assign(targets=[target], value=value):
            yield from _lines(f"{space}{ast.unparse(target)} = ", value, indent)
        case ast.Assert(test=test, msg=None):
            yield from _lines(space + "assert ", test, indent)
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _definition(node, indent)
        case ast.AsyncFor(target=target, iter=items, body=body, orelse=[]):
            head = f"{space}async for {ast.unparse(target)} in "
            yield from _lines(head, items, indent, ":")
            yield from lines_of_statements(body, indent + _STEP)
        case _:
            yield from (space + line for line in ast.unparse(node).splitlines())


def _definition(
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, indent: int
) -> Iterator[str]:
    space = " " * indent
    yield from (f"{space}@{ast.unparse(each)}" for each in node.decorator_list)
    body, decorators = node.body, node.decorator_list
    node.body = list[ast.stmt]([ast.Pass()])
    node.decorator_list = []
    try:
        head, *_ = ast.unparse(node).splitlines()
    finally:
        node.body, node.decorator_list = body, decorators
    yield space + head
    yield from lines_of_statements(body, indent + _STEP)


def _lines(head: str, value: ast.expr, indent: int, tail: str = "") -> Iterator[str]:
    text = expression_text(value, indent, len(head), len(tail))
    # a multi-line string stays whole
    yield from (head + text + tail).split("\n")


def _folded(node: ast.expr, indent: int, used: int) -> str:
    match node:
        case ast.Await(value=value):
            return "await " + expression_text(value, indent, used + len("await "))
        case ast.Call(func=func, args=args, keywords=keywords) if args or keywords:
            head = expression_text(func, indent, used, 1)
            parts: list[tuple[str, ast.expr]] = [("", each) for each in args]
            parts += [(f"{k.arg}=" if k.arg else "**", k.value) for k in keywords]
            return _bracketed(f"{head}(", parts, ")", indent)
        case ast.Lambda(args=given, body=body):
            head = f"lambda {ast.unparse(given)}: ".replace("lambda :", "lambda:")
            return head + expression_text(body, indent, used + len(head), 1)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            head = f"{expression_text(left, indent, used, 4)} == "
            last = head.rpartition("\n")[2]
            width = len(last) if "\n" in head else used + len(last)
            return head + expression_text(right, indent, width)
        case ast.Attribute(value=value, attr=attr):
            return f"{expression_text(value, indent, used, len(attr) + 1)}.{attr}"
        case ast.List(elts=items) if items:
            return _bracketed("[", [("", each) for each in items], "]", indent)
        case ast.Tuple(elts=items) if items:
            return _bracketed("(", [("", each) for each in items], ")", indent)
        case ast.Set(elts=items) if items:
            return _bracketed("{", [("", each) for each in items], "}", indent)
        case ast.Dict(keys=keys, values=values) if values:
            heads = ["**" if key is None else f"{ast.unparse(key)}: " for key in keys]
            return _bracketed("{", list(zip(heads, values, strict=True)), "}", indent)
        case _:
            return ""


def _bracketed(head: str, parts: Sequence[tuple[str, ast.expr]], tail: str, indent: int) -> str:
    match parts:
        case [(name, ast.List() | ast.Tuple() | ast.Set() | ast.Dict() as value)]:
            return f"{head}{name}{expression_text(value, indent, WIDTH)}{tail}"
        case [(_, ast.Constant())]:
            return ""  # it would be as long on a line of its own
        case _:
            pass
    inner = indent + _STEP
    lines = [
        f"{' ' * inner}{name}{expression_text(value, inner, inner + len(name), 1)},\n"
        for name, value in parts
    ]
    if _is_filled(parts):
        lines = list(_filled([line.strip() for line in lines], inner))
    return f"{head}\n{''.join(lines)}{' ' * indent}{tail}"


def _is_filled(parts: Sequence[tuple[str, ast.expr]]) -> bool:
    """Whether small parts share lines."""
    return all(isinstance(value, _SIMPLE) for _, value in parts)


def _filled(parts: Sequence[str], indent: int) -> Iterator[str]:
    line = ""
    for part in parts:
        if line and indent + len(line) + len(part) >= WIDTH:
            yield f"{' ' * indent}{line}\n"
            line = ""
        line += f" {part}" if line else part
    yield f"{' ' * indent}{line}\n"


# ------------------------------------------------------------------------------- literals


class _Literals(ast.NodeTransformer):
    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node  # its parts are no expressions of their own

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node  # patterns cannot contain products

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not _is_repeated(node.elts):
            return node
        times = ast.Constant(len(node.elts))
        return ast.BinOp(ast.List([node.elts[0]], ast.Load()), ast.Mult(), times)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value: object = node.value
        if not isinstance(value, (str, bytes)) or len(value) < _LEAST_TEXT:
            return node
        for size in range(1, _LONGEST_UNIT + 1):
            times, rest = divmod(len(value), size)
            unit = value[:size]
            if not rest and unit * times == value:
                return ast.BinOp(ast.Constant(unit), ast.Mult(), ast.Constant(times))
        return node


def _is_repeated(items: Sequence[ast.expr]) -> bool:
    """Whether all items are one constant, so that sharing one object does no harm."""
    if len(items) < _LEAST_REPEATED or not isinstance(items[0], ast.Constant):
        return False
    constants = [each for each in items if isinstance(each, ast.Constant)]
    return len(constants) == len(items) and len({repr(each.value) for each in constants}) == 1
