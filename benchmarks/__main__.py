"""Lists the benchmarks by subject: `python -m benchmarks`."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

HERE = Path(__file__).parent
_GUARD = 'if __name__ == "__main__":'


def main() -> int:
    """Print each subject with its commands, a line each, and return the exit status."""
    commands = [path for path in sorted(HERE.rglob("*.py")) if _is_command(path)]
    folders = sorted({path.parent for path in commands})
    for folder in folders:
        print(f"\n{_summary(folder / '__init__.py')}")
        for path in commands:
            if path.parent == folder:
                print(f"  python -m {_module(path)}\n      {_summary(path)}")
    return 0


def _is_command(path: Path) -> bool:
    """Whether people start the module: its docstring says how."""
    text = path.read_text("utf-8")
    says_how = "python -m " in (ast.get_docstring(ast.parse(text)) or "")
    return says_how and _GUARD in text and path != Path(__file__)


def _module(path: Path) -> str:
    return ".".join(("benchmarks", *path.relative_to(HERE).with_suffix("").parts))


def _summary(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or path.parent.name
    return " ".join(docstring.partition("\n\n")[0].split())


if __name__ == "__main__":
    sys.exit(main())
