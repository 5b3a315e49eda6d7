"""One observed call: value or exception, what it changed, and what it printed.

The case runs as it was written, save that its one call of the target goes through an `Observer`.
"""

from __future__ import annotations

import builtins
import gc
import sys
import types

from . import raw, state
from .classes import Classes
from .encode import Encoder, encode
from .encode_builtins import LEAVES
from .encode_code import collected, yielded
from .nodes import quoted, quoted_name
from .printed import Capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection

    from .namespaces import Known
    from .nodes import Child
    from .raw import Raw

__builtins__ = dict(vars(builtins))

MAX_NODES = 20_000
"""Nodes of one argument that are compared with what it was before the call."""

_LEAST_RECURSION = 1_000

_getattr = getattr
_gettrace, _settrace = sys.gettrace, sys.settrace
_getprofile, _setprofile = sys.getprofile, sys.setprofile
_is_collecting, _start_collecting, _stop_collecting = gc.isenabled, gc.enable, gc.disable
_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit


class Observer:
    """Stands in a case for the call of the target, and keeps what it saw as JSON.

    `trace` is the trace function of whoever collects arcs, for what the call left to be run, and
    `bounds` say how closely globals are looked at; `known` is kept from one case to the next.
    """

    def __init__(
        self,
        namespace: dict[str, Raw],
        own_names: Collection[str],
        folder: str,
        trace: Raw = None,
        bounds: state.Bounds | None = None,
        known: Known | None = None,
    ) -> None:
        self.calls = 0
        self.observation = None
        self.pending = None
        self.namespace = namespace
        self.own_names = own_names
        self.folder = folder
        self.trace = trace
        self.globals = state.Globals(namespace, own_names, bounds, known)
        self.known_classes = known.classes if known is not None else None

    def function(self, function: Raw, then: Raw = None) -> Callable[..., Raw]:
        """What is called in place of a function, or of a class; `then` goes on with its result."""
        called = _followed(function, then)
        return lambda *args, **keywords: self._call(called, raw.MISSING, args, keywords)

    def method(self, receiver: Raw, name: str, then: Raw = None) -> Callable[..., Raw]:
        """What is called in place of a receiver's method."""
        bound = _getattr(receiver, name)
        if raw.derives(type(receiver), type) or raw.derives(type(receiver), types.ModuleType):
            return self.function(bound, then)
        called = _followed(bound, then)
        return lambda *args, **keywords: self._call(called, receiver, args, keywords)

    def attribute(self, receiver: Raw, name: str) -> Raw:
        """The value of a property, read as a call."""
        return self._call(lambda: _getattr(receiver, name), receiver, (), {})

    def _call(self, function: Raw, receiver: Raw, args: Raw, keywords: Raw) -> Raw:
        self.calls += 1
        if self.calls > 1:
            return function(*args, **keywords)
        watch = _Watch(self, receiver, args, keywords)
        try:
            value = function(*args, **keywords)
        except BaseException as error:
            self.observation = watch.end("raised", error)
            raise
        if type(value) is types.CoroutineType:
            self.pending = self._awaiting(value, watch)
            return self.pending
        if type(value) is types.AsyncGeneratorType:
            self.pending = self._collecting(value, watch)
            return self.pending
        self.observation = watch.end("returned", value)
        return value

    async def _awaiting(self, coroutine: Raw, watch: _Watch) -> Raw:
        try:
            value = await coroutine
        except BaseException as error:
            self.observation = watch.end("raised", error, is_awaited=True)
            raise
        self.observation = watch.end("returned", value, is_awaited=True)
        return value

    async def _collecting(self, generator: Raw, watch: _Watch) -> AsyncIterator[Raw]:
        items, end, last = await collected(generator)
        self.observation = watch.end("returned", yielded("async_generator", items, end, last))
        for item in items:
            yield item
        if end == "raised":
            raise last


def _followed(function: Raw, then: Raw) -> Raw:
    """A function, and what is done with its result."""
    if then is None:
        return function

    def called(*args: Raw, **keywords: Raw) -> Raw:
        return then(function(*args, **keywords))

    return called


class _Watch:
    """The state before a call, and the comparison after it."""

    def __init__(self, observer: Observer, receiver: Raw, args: Raw, keywords: Raw) -> None:
        self._observer = observer
        self._own_names = observer.own_names
        self._arguments = [(str(position), value) for position, value in enumerate(args)]
        self._arguments.extend(keywords.items())
        if receiver is not raw.MISSING:
            self._arguments.insert(0, ("self", receiver))
        trace = _gettrace()
        _settrace(None)  # what is looked at before is none of the tracer's business
        try:
            self._texts, self._globals = self._now()
            self._files = state.files(observer.folder)
        finally:
            _settrace(trace)
        self._effects = len(self._effect_log())
        self._capture = Capture()
        self._capture.start()

    def end(self, outcome: str, value: Raw, is_awaited: bool = False) -> str:
        """The observation, as JSON; stops holding back what is printed."""
        trace, profile, was_collecting = _gettrace(), _getprofile(), _is_collecting()
        _settrace(None)  # nor do tracers and finalisers of theirs run in between
        _setprofile(None)
        _stop_collecting()
        limit = _recursion_limit()
        _set_recursion_limit(max(limit, _LEAST_RECURSION))
        try:
            return self._observation(outcome, value, is_awaited)
        except Exception as error:  # noqa: BLE001 - what ran broke something that is needed here
            return failed("unobservable", error, self._own_names)
        finally:
            _set_recursion_limit(limit)
            if was_collecting:
                _start_collecting()
            _setprofile(profile)
            _settrace(trace)

    def _observation(self, outcome: str, value: Raw, is_awaited: bool) -> str:
        encoder = Encoder(self._own_names, drives=True, trace=self._observer.trace)
        child = encoder.add(value)  # runs iterators, so what these print belongs to the call
        stdout, stderr = self._capture.stop()
        fields = [("outcome", quoted(outcome))]
        if is_awaited:
            fields.append(("awaited", "true"))
        parts = [("value" if outcome == "returned" else "exception", child)]
        same = self._same(child, value)
        if same:
            fields.append(("value_is", quoted_name(same)))
        texts, names = self._now()
        lists = [
            ("arguments", self._changed_arguments(texts)),
            ("globals", state.changed(self._globals, names)),
            ("files", self._changed_files()),
            ("effects", [("", one) for one in self._effect_log()[self._effects :]]),
        ]
        added = [(name, [(n, encoder.add(v)) for n, v in pairs]) for name, pairs in lists]
        printed = [(n, LEAVES[id(str)](t)) for n, t in (("stdout", stdout), ("stderr", stderr))]
        writer = encoder.writer()
        fields.extend([(name, writer.text(one)) for name, one in parts])
        fields.extend([(name, _pairs(name, pairs, writer)) for name, pairs in added])
        fields.extend(printed)
        fields.append(("shared", writer.shared()))
        return "{" + ",".join([f'"{name}":{text}' for name, text in fields]) + "}"

    def _same(self, child: Child, value: Raw) -> str:
        """The argument that the value is; of immutable values identity says nothing."""
        if isinstance(child, str) or child.kind in ("tuple", "frozenset"):
            return ""
        return next((name for name, one in self._arguments if one is value), "")

    def _now(self) -> tuple[list[str], Raw]:
        """What each argument holds, as a text, empty where that cannot change; and the globals."""
        with raw.Settled():
            classes = Classes(self._own_names, self._observer.known_classes)
            texts = [
                "" if id(raw.class_of(value)) in LEAVES
                else encode(value, classes, max_nodes=MAX_NODES)
                for _, value in self._arguments
            ]  # fmt: skip
            return texts, self._observer.globals.snapshot(classes)

    def _changed_arguments(self, texts: list[str]) -> list[tuple[str, Raw]]:
        pairs = zip(self._texts, texts)  # noqa: B905 - new in 3.10
        differs = ['"not driven"' in before or now != before for before, now in pairs]
        return [each for each, is_other in zip(self._arguments, differs) if is_other]  # noqa: B905

    def _changed_files(self) -> list[tuple[str, Raw]]:
        folder = self._observer.folder
        return state.changed_files(folder, self._files, state.files(folder))

    def _effect_log(self) -> list[Raw]:
        log = raw.dict_item(self._observer.namespace, "_effects")
        return log if raw.class_of(log) is list else []


def failed(outcome: str, error: BaseException, own_names: Collection[str]) -> str:
    """An observation that has nothing but an exception."""
    encoder = Encoder(own_names)
    child = encoder.add(error)
    writer = encoder.writer()
    return f'{{"outcome":"{outcome}","exception":{writer.text(child)},"shared":{writer.shared()}}}'


def _pairs(name: str, pairs: Raw, writer: Raw) -> str:
    if name == "effects":
        return "[" + ",".join([writer.text(child) for _, child in pairs]) + "]"
    return "[" + ",".join([f"[{quoted_name(n)},{writer.text(child)}]" for n, child in pairs]) + "]"
