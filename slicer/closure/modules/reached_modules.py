"""Modules that a slice reaches through the objects that they define.

Names looked up there are accesses on unknown receivers. This part says which modules may be those
receivers, including modules that are kept later.
"""

from __future__ import annotations

import ast
import re

from ...analysis.uses.use_records import HomeUse
from ...analysis.values.abstract_values import ClassValue, FunctionValue, Instance, Values, ordered
from ...model import Gap
from ...repo.repository import Module
from ...syntax.memo import memo
from ...syntax.nodes import walk
from ..closure_record import ClosureRecord
from ..kept_definitions import Reason
from .kept_bindings import KeptBindings

_WORD = re.compile(r"[^\W\d]\w*")


class HomeModules:
    """Modules in which one slice looks up names through objects that they define."""

    def __init__(self, record: ClosureRecord, bindings: KeptBindings) -> None:
        self._record = record
        self._keep_name = bindings.keep_name
        self._questions = bindings.classes.questions
        self._seen = 0
        """Number of kept classes already examined."""
        self._deriving: dict[object, tuple[HomeUse, Reason]] = {}
        """Classes whose subclasses may be the object's class; `None` means all."""

    def add(self, use: HomeUse, values: Values, reason: Reason) -> None:
        """Record lookups in the modules of the values, and of classes derived from theirs."""
        reason = Reason(
            "looks names up in the module of an object", reason.by, reason.path, reason.line
        )
        if values is None:
            detail = "names are looked up in the module of an object that is not known"
            self._record.gaps.setdefault(Gap("dynamic-name", reason.path, reason.line, detail))
            self._watch(None, use, reason)
        for value in ordered(values):
            match value:
                case ClassValue(cls=cls) | Instance(cls=cls):
                    self._open(cls.module, use, reason)
                    self._watch(cls, use, reason)
                case FunctionValue(function=function):
                    self._open(function.module, use, reason)
                case _:
                    continue

    def _watch(self, cls: object, use: HomeUse, reason: Reason) -> None:
        if cls not in self._deriving:
            self._deriving[cls] = use, reason
            self._seen = 0

    def look(self) -> None:
        """Examine the classes that were kept since."""
        if not self._deriving:
            return
        classes = list(self._record.classes)[self._seen :]
        self._seen += len(classes)
        for cls in classes:
            for owner in (*self._record.inference.mro(cls), None):
                if owner in self._deriving:
                    self._open(cls.module, *self._deriving[owner])

    def _open(self, module: Module, use: HomeUse, reason: Reason) -> None:
        if use.runs_text:
            for word in sorted(_words(module) & module.bindings.keys()):
                self._keep_name(module, word, "value", reason)
            return
        self._questions.escape_module(module, reason)
        self._questions.look_in(module, reason)


@memo
def _words(module: Module) -> frozenset[str]:
    """Return the words in the strings of the module."""
    texts = (
        node.value
        for node in walk(module.source.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return frozenset(word for text in texts for word in _WORD.findall(text))
