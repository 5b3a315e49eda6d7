"""SQLAlchemy, SQLModel and Flask-SQLAlchemy stay real: engines of any address are SQLite ones."""

from __future__ import annotations

import ast

from ....answers.services.sql_facts import expected_tables, trees
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_MODULES = ("sqlalchemy", "sqlmodel", "flask_sqlalchemy", "sqlalchemy_utils")
_READERS = frozenset(
    "query select scalars scalar exec execute filter filter_by first all one fetchall fetchone where"
    " read_sql read_sql_query read_sql_table get_or_404 first_or_404 paginate delete merge".split()
)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Every engine is an SQLite one; its tables are those of the slice's own metadata."""
    del contacts
    names = _names(border)
    reads = names.called & _READERS or names.gets
    tables = expected_tables(border, reads_any=bool(reads))
    requirements = ("aiosqlite>=0.20", "greenlet>=3") if names.is_async else ()
    imported = [top for top in _MODULES if border.modules(top)]
    return Mock(
        treated=tuple(
            ModuleTreatment(
                top, "faked", "its engines are SQLite ones, with the slice's own tables"
            )
            for top in imported
        ),
        setup=f"{tables}answer_sqlalchemy({names.columns!r})\n",
        pieces=("sqlalchemy_engines",),
        requirements=requirements,
    )


class _Names(ast.NodeVisitor):
    """The names that the slice calls, and the methods it calls on columns."""

    def __init__(self) -> None:
        self.called: set[str] = set()
        self.columns: list[str] = []
        self.gets = False
        self.is_async = False

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(attr=name) | ast.Name(id=name):
                self.called.add(name)
                first = node.args[0] if node.args else None
                if name in ("get", "refresh"):
                    self.gets |= isinstance(first, ast.Name) and first.id[:1].isupper()
            case _:
                pass
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("c", "columns"):
            self.columns.append(node.attr)
        self.called.update({node.attr} & {"query"})
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        match node:
            case ast.Subscript(
                value=ast.Attribute(attr="c" | "columns"), slice=ast.Constant(value=str() as name)
            ):
                self.columns.append(name)
            case _:
                pass
        self.generic_visit(node)


def _names(border: Border) -> _Names:
    names = _Names()
    for tree in trees(border):
        names.visit(tree)
    names.columns = sorted(set(names.columns) - {"keys", "values", "items", "get", "tolist"})
    modules = border.modules("sqlalchemy.ext.asyncio", "sqlmodel.ext.asyncio")
    names.is_async = bool(modules)
    return names


FAMILY = Family("sqlalchemy", stub)
