"""Another body for functions that are there already: only their code objects are replaced.

So a mutant of the target needs no second start of its script, and reaches every reference to the
function: decorated, registered or kept in a closure. After the way in which mutation testers with
one process for all mutants work (Untch, Offutt and Harrold, "Mutation analysis using mutant
schemata", ISSTA 1993).
"""

from __future__ import annotations

import ast
import builtins
import gc
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .raw import Raw

__builtins__ = dict(vars(builtins))

_FLAGS = 0x1FE0000
"""Of a code object: what `from __future__` has set for it."""


class SwapError(Exception):
    """No function was found that the new body could be given to."""


class Functions:
    """The functions of the script that begin within some lines of a file, outer ones only."""

    def __init__(self, file: str, first: int, last: int) -> None:
        self._file = file
        self._found: dict[tuple[int, str], list[Raw]] = {}
        for each in gc.get_objects():
            if type(each) is types.FunctionType:
                code = each.__code__
                if first <= code.co_firstlineno <= last and self._is_file(code.co_filename):
                    self._found.setdefault((code.co_firstlineno, code.co_name), []).append(each)

    def _is_file(self, name: str) -> bool:
        return name == self._file or (not self._file.startswith("/") and name.endswith(self._file))

    def swap(self, text: str) -> None:
        """Give the functions the bodies that they have in `text`.

        Args:
            text: definitions on the very lines that they have in the file, inside the classes
                that they have there.

        Raises:
            SwapError: there is no function that takes one of them.
            SyntaxError: the text does not compile.
        """
        swapped = 0
        for functions in self._found.values():
            for function in functions:
                old = function.__code__
                for new in _inside(_compiled(text, old)):
                    if (new.co_firstlineno, new.co_name) == (old.co_firstlineno, old.co_name):
                        if new.co_freevars != old.co_freevars:
                            raise SwapError("the target uses other variables of what is around it")
                        function.__code__ = new
                        swapped += 1
                        break
        if not swapped:
            raise SwapError("the target is no function that can be given another body")


def _compiled(text: str, old: types.CodeType) -> types.CodeType:
    """The text, in which functions go on using the variables that the old code uses."""
    tree = ast.parse(text)
    if old.co_freevars:  # a body that lost its `super()` still has the cell of its class
        for node in _outer_functions(tree):
            names = [ast.Name(name, ast.Load()) for name in old.co_freevars]
            never = ast.If(ast.Constant(0), [ast.Expr(name) for name in names], [])
            ast.copy_location(never, node.body[-1])
            node.body.append(ast.fix_missing_locations(never))
    flags = old.co_flags & _FLAGS
    return compile(tree, old.co_filename, "exec", flags=flags, dont_inherit=True)


def _outer_functions(node: Raw) -> Iterator[Raw]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
        else:
            yield from _outer_functions(child)


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code objects in a code object, outer ones first."""
    for each in code.co_consts:
        if type(each) is types.CodeType:
            yield each
            yield from _inside(each)
