"""Observe one call: its value or exception, what it changed, and what it printed.

The case runs as written, except that its one call of the target goes through an `Observer`.
"""

from __future__ import annotations

import builtins
import gc
import sys
import types

from .. import raw
from ..encoders.classes import Classes
from ..encoders.encode import Encoder, encode
from ..encoders.kinds.encode_builtins import LEAVES
from ..encoders.kinds.encode_code import PLAIN_ITERATORS, collected, sending, yielded
from ..encoders.nodes import quoted, quoted_name
from ..state import observed_state
from . import warned
from .accidents import is_accident
from .aliases import Aliases
from .key_order import orders_of
from .printed import Capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection

    from ..encoders.nodes import Child
    from ..raw import Raw
    from ..state.namespaces import Known

__builtins__ = dict(vars(builtins))

MAX_NODES = 20_000
"""Most nodes of one argument that are compared before and after the call."""

_LEAST_RECURSION = 1_000

_getattr = getattr
_getframe = sys._getframe  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
_gettrace, _settrace = sys.gettrace, sys.settrace
_getprofile, _setprofile = sys.getprofile, sys.setprofile
_is_collecting, _start_collecting, _stop_collecting = gc.isenabled, gc.enable, gc.disable
_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit


class Observer:
    """Stands in for the call of the target in a case, and keeps the observation as JSON.

    `trace` is the trace function of an arc collector, for code that the call leaves to be run.
    `bounds` limit how closely globals are inspected. `known` is kept from one case to the next.
    """

    def __init__(
        self,
        namespace: dict[str, Raw],
        own_names: Collection[str],
        folder: str,
        trace: Raw = None,
        bounds: observed_state.Bounds | None = None,
        known: Known | None = None,
    ) -> None:
        self.calls = 0
        self.observation = None
        self.goes_on = False
        """Whether the case continues after the call; the case sets it."""
        self.pending = None
        self._after: Capture | None = None
        self._raised: BaseException | None = None
        self.namespace = namespace
        self.own_names = own_names
        self.folder = folder
        self.trace = trace
        self.globals = observed_state.Globals(namespace, own_names, bounds, known)
        self.known_classes = known.classes if known is not None else None
        self.unwatched: Collection[str] = ()
        """Labels of globals that are not reported."""

    def function(self, function: Raw, then: Raw = None) -> Callable[..., Raw]:
        """Return a replacement for a function or class; `then` continues with its result."""
        called = _followed(function, then)
        return lambda *args, **keywords: self._call(called, raw.MISSING, args, keywords)

    def method(self, receiver: Raw, name: str, then: Raw = None) -> Callable[..., Raw]:
        """Return a replacement for a receiver's method."""
        bound = _getattr(receiver, name)
        if raw.derives(type(receiver), type) or raw.derives(type(receiver), types.ModuleType):
            return self.function(bound, then)
        called = _followed(bound, then)
        return lambda *args, **keywords: self._call(called, receiver, args, keywords)

    def attribute(self, receiver: Raw, name: str) -> Raw:
        """Return the value of a property, observed like a call."""
        return self._call(lambda: _getattr(receiver, name), receiver, (), {})

    def _call(self, function: Raw, receiver: Raw, args: Raw, keywords: Raw) -> Raw:
        self.calls += 1
        if self.calls > 1:
            return function(*args, **keywords)
        watch = _Watch(self, receiver, args, keywords, _getframe(1).f_back)
        try:
            value = function(*args, **keywords)
        except BaseException as error:
            self._end(watch, "raised", error)
            raise
        if type(value) is types.CoroutineType:
            self.pending = self._awaiting(value, watch)
            return self.pending
        if type(value) is types.AsyncGeneratorType:
            self.pending = self._collecting(value, watch)
            return self.pending
        self._end(watch, "returned", value)
        return value

    def _end(self, watch: _Watch, outcome: str, value: Raw, is_awaited: bool = False) -> None:
        """Record the observation of the call; the case prints what is printed from here on."""
        self.observation = watch.end(outcome, value, is_awaited)
        self._raised = value if outcome == "raised" else None
        if self.goes_on:
            self._after = Capture()
            self._after.start()

    def end_of_case(self, outcome: str, value: Raw) -> None:
        """Add the end of a case that continues after the call.

        An exception of the call that the case lets through adds nothing.
        """
        if self._after is None or self.observation is None:
            return
        stdout, _ = self._after.stop()
        if self._raised is not None and value is self._raised:
            return
        then = ended(outcome, value, stdout, self.own_names)
        self.observation = f'{self.observation[:-1]},"then":{then}}}'

    async def _awaiting(self, coroutine: Raw, watch: _Watch) -> Raw:
        try:
            value = await coroutine
        except BaseException as error:
            self._end(watch, "raised", error, is_awaited=True)
            raise
        self._end(watch, "returned", value, is_awaited=True)
        return value

    async def _collecting(self, generator: Raw, watch: _Watch) -> AsyncIterator[Raw]:
        items, end, last = await collected(generator)
        label = f"async_generator{sending(generator)}"
        self.observation = watch.end("returned", yielded(label, items, end, last))
        for item in items:
            yield item
        if end == "raised":
            raise last


def _followed(function: Raw, then: Raw) -> Raw:
    """Return a function that also processes its result by `then`."""
    if then is None:
        return function

    def called(*args: Raw, **keywords: Raw) -> Raw:
        return then(function(*args, **keywords))

    return called


class _Watch:
    """The state before a call, and the comparison after it."""

    def __init__(
        self, observer: Observer, receiver: Raw, args: Raw, keywords: Raw, caller: Raw
    ) -> None:
        self._observer = observer
        self._own_names = observer.own_names
        self._arguments = [(str(position), value) for position, value in enumerate(args)]
        self._arguments.extend(keywords.items())
        if receiver is not raw.MISSING:
            self._arguments.insert(0, ("self", receiver))
        trace = _gettrace()
        _settrace(None)  # the tracer must not see what is read beforehand
        try:
            with raw.LookupCache():
                classes = self._classes()
                self._texts, self._globals = self._now(classes)
                variables: dict[str, Raw] = dict(caller.f_locals) if caller is not None else {}
                others = list(variables.values())
                self._aliases = Aliases(self._arguments, others, classes)
            self._files = observed_state.files(observer.folder)
        finally:
            _settrace(trace)
        self._effects = len(self._effect_log())
        self._warnings = len(warned.noted)
        self._first: list[Raw] | None = None
        self._capture = Capture()
        self._capture.start()

    def end(self, outcome: str, value: Raw, is_awaited: bool = False) -> str:
        """Return the observation as JSON; stop capturing output."""
        trace, profile, was_collecting = _gettrace(), _getprofile(), _is_collecting()
        _settrace(None)  # nor may foreign tracers and finalisers run in between
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
        drives = not self._observer.goes_on
        encoder = Encoder(self._own_names, drives, trace=self._observer.trace)
        if raw.class_of(value) in PLAIN_ITERATORS:
            encoder.after_first = self._note_first
        child = encoder.add(value)  # runs iterators, so their output belongs to the call
        stdout, stderr = self._capture.stop()
        fields = [("outcome", quoted(outcome))]
        if outcome == "raised" and is_accident(value):
            fields.append(("accident", "true"))
        if is_awaited:
            fields.append(("awaited", "true"))
        parts = [("value" if outcome == "returned" else "exception", child)]
        same = self._same(child, value)
        if same:
            fields.append(("value_is", quoted_name(same)))
        with raw.LookupCache():
            classes = self._classes()
            texts, names = self._now(classes)
            replaced, stored = self._aliases.changed(value, classes)
        lists = [
            ("arguments", self._changed_arguments(texts)),
            ("globals", self._changed_globals(names)),
            ("files", self._changed_files()),
            ("effects", [("", one) for one in self._all_effects()]),
        ]
        added = [(name, [(n, encoder.add(v)) for n, v in pairs]) for name, pairs in lists]
        printed = [(n, LEAVES[id(str)](t)) for n, t in (("stdout", stdout), ("stderr", stderr))]
        writer = encoder.writer()
        fields.extend([(name, writer.text(one)) for name, one in parts])
        fields.extend([(name, _pairs(name, pairs, writer)) for name, pairs in added])
        fields.extend(printed)
        if order := orders_of(value, [each for _, each in self._arguments]):
            fields.append(("order", quoted_name(order)))
        named = [("lazy", self._lazy(texts)), ("replaced", replaced), ("stored", stored)]
        for name, places in named:
            if places:
                fields.append((name, "[" + ",".join([quoted_name(one) for one in places]) + "]"))
        fields.append(("shared", writer.shared()))
        return "{" + ",".join([f'"{name}":{text}' for name, text in fields]) + "}"

    def _same(self, child: Child, value: Raw) -> str:
        """Return the name of the argument that the value is, unless it is immutable."""
        if isinstance(child, str) or child.kind in ("tuple", "frozenset"):
            return ""
        return next((name for name, one in self._arguments if one is value), "")

    def _now(self, classes: Classes) -> tuple[list[str], Raw]:
        """Return each argument's state as text, empty if immutable, and the globals."""
        texts = [
            "" if id(raw.class_of(value)) in LEAVES
            else encode(value, classes, max_nodes=MAX_NODES)
            for _, value in self._arguments
        ]  # fmt: skip
        return texts, self._observer.globals.snapshot(classes)

    def _classes(self) -> Classes:
        return Classes(self._own_names, self._observer.known_classes)

    def _changed_arguments(self, texts: list[str]) -> list[tuple[str, Raw]]:
        pairs = zip(self._texts, texts)  # noqa: B905 - new in 3.10
        differs = ['"not driven"' in before or now != before for before, now in pairs]
        return [each for each, is_other in zip(self._arguments, differs) if is_other]  # noqa: B905

    def _changed_globals(self, names: Raw) -> list[tuple[str, Raw]]:
        unwatched = self._observer.unwatched
        return [
            each
            for each in observed_state.changed(self._globals, names)
            if each[0] not in unwatched
        ]

    def _changed_files(self) -> list[tuple[str, Raw]]:
        folder = self._observer.folder
        return observed_state.changed_files(folder, self._files, observed_state.files(folder))

    def _all_effects(self) -> list[Raw]:
        effects = self._effect_log()[self._effects :]
        if len(warned.noted) == self._warnings:
            return effects
        modules = [each for _, each in observed_state.own_modules(self._observer.namespace)]
        return [*effects, *warned.warnings_of(modules, self._warnings)]

    def _note_first(self) -> None:
        """Record the state once an iterator has given its first item."""
        self._first = self._standing()

    def _standing(self) -> list[Raw]:
        """Return the positions of iterators among the arguments, and the number of effects."""
        hints = [_left(value) for _, value in self._arguments]
        with raw.LookupCache():
            return [self._now(self._classes())[0], hints, len(self._effect_log())]

    def _lazy(self, texts: list[str]) -> list[str]:
        """Return what changed since the first item of the returned iterator."""
        if self._first is None:
            return []
        before, hints, effects = self._first
        later = [
            name
            for (name, value), old, new, hint in zip(self._arguments, before, texts, hints)  # noqa: B905
            if old != new or hint != _left(value)
        ]
        return [*later, "effects"] if effects != len(self._effect_log()) else later

    def _effect_log(self) -> list[Raw]:
        log = raw.dict_item(self._observer.namespace, "_effects")
        return log if raw.class_of(log) is list else []


def failed(outcome: str, error: BaseException, own_names: Collection[str]) -> str:
    """Return an observation that consists of an exception."""
    encoder = Encoder(own_names)
    child = encoder.add(error)
    writer = encoder.writer()
    return f'{{"outcome":"{outcome}","exception":{writer.text(child)},"shared":{writer.shared()}}}'


def ended(outcome: str, value: Raw, stdout: str, own_names: Collection[str]) -> str:
    """Return the end of a case as an observation."""
    encoder = Encoder(own_names, drives=True)
    child = encoder.add(value)
    writer = encoder.writer()
    name = "value" if outcome == "returned" else "exception"
    return (
        f'{{"outcome":{quoted(outcome)},"{name}":{writer.text(child)},'
        f'"stdout":{LEAVES[id(str)](stdout)},"shared":{writer.shared()}}}'
    )


def _left(value: Raw) -> int:
    """Return how many items a builtin iterator has left; -1 for other values."""
    if raw.class_of(value) not in PLAIN_ITERATORS:
        return -1
    hint = raw.class_attribute(raw.class_of(value), "__length_hint__")
    return -1 if hint is raw.MISSING else hint(value)


def _pairs(name: str, pairs: Raw, writer: Raw) -> str:
    if name == "effects":
        return "[" + ",".join([writer.text(child) for _, child in pairs]) + "]"
    return "[" + ",".join([f"[{quoted_name(n)},{writer.text(child)}]" for n, child in pairs]) + "]"
