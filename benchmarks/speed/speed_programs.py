"""Programs that are made to be hard to slice fast, each with a target."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

LINES = 32_000
FEW_FILES, MANY_FILES = 290, 310


def large_module(folder: Path) -> str:
    """One module of 32,000 lines, half of its statements at its top level."""
    lines = ["import os", "", "VALUES = {}", ""]
    count = 0
    while len(lines) < LINES:
        lines += [
            f"def function_{count}(value):",
            f'    """Number {count}."""',
            f"    total = value + {count}",
            "    if total > 10:",
            f"        return function_{count // 2}(total - 1)",
            "    return os.path.join(str(total), 'x')",
            "",
            f"LIMIT_{count} = {count}",
            f"VALUES['k{count}'] = LIMIT_{count}",
            "",
        ]
        count += 1
    return _target(folder, {"mod.py": lines}, f"mod.py::function_{count // 2}")


def visitors(folder: Path, count: int) -> str:
    """Functions that call one another with nodes of as many classes."""
    lines = ["class Node:", "    def __init__(self, kind):", "        self.kind = kind", ""]
    for at in range(count):
        lines += [f"class Node{at}(Node):", "    def show(self):", f"        return {at}", ""]
    for at in range(count):
        lines += [f"def visit_{at}(node, context):"]
        for step in range(4):
            other = (at * (2 * step + 1) + step + 1) % count
            lines += [
                f"    if node.kind == {step}:",
                f"        return visit_{other}(node, context)",
            ]
        other = (at + 1) % count
        lines += [f"    return node.show() or visit_{other}(Node{at}('x'), node)", ""]
    lines += ["def run():", "    return visit_0(Node0('a'), Node1('b'))"]
    return _target(folder, {"mod.py": lines}, "mod.py::run")


def many_files(folder: Path, count: int) -> str:
    """As many files, with a class that a relation names in one of them."""
    files = {f"more/part_{at}.py": [f"VALUE = {at}", "def get():", "    return VALUE"]
             for at in range(count - 3)}  # fmt: skip
    files["shop/orm.py"] = [
        "from sqlalchemy.orm import declarative_base",
        "Base = declarative_base()",
    ]
    files["shop/models.py"] = [
        "from shop.orm import Base",
        "class Order(Base):",
        "    __tablename__ = 'orders'",
    ]
    files["shop/setup.py"] = [
        "from sqlalchemy.orm import relationship",
        "from shop.orm import Base",
        "class Shop(Base):",
        "    orders = relationship('Order')",
        "def make(item): return Shop(), item.total()",
    ]
    return _target(folder, files, "shop/setup.py::make")


def _target(folder: Path, files: dict[str, list[str]], target: str) -> str:
    for name, lines in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join(lines) + "\n")
    return target


PROGRAMS: tuple[tuple[str, Callable[[Path], str]], ...] = (
    (f"a module of {LINES:,} lines", large_module),
    ("100 visitors", lambda folder: visitors(folder, 100)),
    ("150 visitors", lambda folder: visitors(folder, 150)),
    (f"{FEW_FILES} files", lambda folder: many_files(folder, FEW_FILES)),
    (f"{MANY_FILES} files", lambda folder: many_files(folder, MANY_FILES)),
)
