"""The replay's carrying, comparing and judging, on values that are hard to carry."""

from __future__ import annotations

import copy
import enum
import inspect
import io
import threading
import types
from abc import ABCMeta
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from benchmarks.replay.attempts import outcome_of
from benchmarks.replay.inside.carry import Encoder, Globals, World
from benchmarks.replay.inside.compare import Canonical
from benchmarks.replay.inside.handed import asked_in_vain, home_of_carried
from benchmarks.replay.inside.nodes import (
    TOUCHED,
    Hole,
    Need,
    UncarriedTouchedError,
    eager_names,
    packed,
    spelled_names,
    unpacked,
)
from benchmarks.replay.inside.placeholders import (
    Placeholder,
    describe,
    describe_instances,
    is_placeholder,
    stand_in,
)
from benchmarks.replay.inside.rebuild import Decoder, MissingError, Space
from benchmarks.replay.inside.record import is_sampled
from benchmarks.replay.judge import Outcome, masked, masks
from benchmarks.replay.slices import Modules, Sliced

WORLD = World(own=frozenset({"own_package"}), tests=(__file__.rpartition("/")[0] + "/",))


def carried(value: object) -> object:
    """The value after a round trip through the carried form."""
    encoder = Encoder(WORLD, Globals(WORLD))
    root = encoder.lenient(value)
    nodes, again = unpacked(packed((tuple(encoder.nodes), root)))
    return Decoder(nodes, Space(WORLD.own, None, {})).value(again)


def text(value: object) -> str:
    """The canonical text, taking apart the classes of this file."""
    return Canonical(lambda kind: kind.__qualname__, lambda kind: kind.__module__ == __name__).text(
        value
    )


class Slotted:
    __slots__ = ("__private", "shown")

    def __init__(self) -> None:
        self.__private = [1]
        self.shown = self

    def private(self) -> list[int]:
        return self.__private


class Named(dict):
    def __init__(self, name: str) -> None:
        super().__init__(a=1)
        self.name = name


class Cached(property):
    def __init__(self, function: object) -> None:
        super().__init__(function)
        self.name = "cached"


class Broken:
    def __init__(self) -> None:
        self.file = threading.local()
        self.value = 3

    def __reduce_ex__(self, protocol: int) -> str:
        raise AssertionError("code of the class under test must not run")


def counter() -> object:
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return count

    step()
    return step


@pytest.mark.parametrize(
    "value",
    [
        [1, 2.5, "a", b"b", None, ...],
        {"a": (1, {2, 3}), "b": frozenset({4})},
        OrderedDict(b=1, a=2),
        defaultdict(list, {"a": [1]}),
        ValueError("wrong", 3),
        {1: "x"}.items(),
        int.__add__,
        "abc".upper,
        types.MappingProxyType({"a": 1}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_the_same_after_the_round_trip(value: object) -> None:
    assert text(carried(value)) == text(value)


def test_slots_private_names_and_cycles_survive() -> None:
    made = carried(Slotted())
    assert made.shown is made
    assert made.private() == [1]


def test_a_subclass_of_a_container_keeps_content_and_attributes() -> None:
    made = carried(Named("n"))
    assert (dict(made), made.name, type(made).__name__) == ({"a": 1}, "n", "Named")


def test_a_subclass_of_property_keeps_its_function() -> None:
    made = carried(Cached(lambda _: 7))
    assert (made.fget(None), made.name) == (7, "cached")


def test_a_closure_keeps_its_state() -> None:
    step = carried(counter())
    assert step() == 2


def test_aliases_stay_aliases() -> None:
    inner: list[int] = []
    made = carried([inner, inner])
    assert made[0] is made[1]


def test_a_text_stream_keeps_its_content() -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"a\nb\n"), "utf-8")
    stream.readline()
    made = carried(io.StringIO("hello"))
    assert made.read() == "hello"
    assert carried(stream).encoding == "utf-8"


def test_an_enumeration_of_the_tests_is_carried() -> None:
    class Colour(enum.Enum):
        RED = 1

    assert carried(Colour.RED).name == "RED"


def test_instances_are_taken_apart_without_code_of_their_class() -> None:
    assert carried(Broken()).value == 3


def test_what_cannot_be_carried_is_a_hole_that_stops_whoever_uses_it() -> None:
    begun = (n for n in range(3))
    next(begun)
    made = carried([begun])
    assert type(made[0]) is Hole
    TOUCHED.clear()
    with pytest.raises(UncarriedTouchedError):
        made[0].send(None)
    assert TOUCHED == ["generator that has begun"]


def test_a_generator_that_has_not_begun_is_carried() -> None:
    factor = 3
    assert list(carried(factor * n for n in range(3))) == [0, 3, 6]


def test_a_missing_name_of_the_package_is_said() -> None:
    nodes = (("ref", "own_package.models", "User"),)
    script = types.ModuleType("script")
    with pytest.raises(MissingError, match=r"own_package\.models:User"):
        Decoder(nodes, Space(WORLD.own, script, {})).value([0])


def test_equal_values_of_other_types_differ() -> None:
    assert len({text(1), text(True), text(1.0)}) == 3
    assert text([1]) != text((1,))


def test_sets_do_not_depend_on_their_order() -> None:
    assert text({f"k{n}" for n in range(9)}) == text({f"k{8 - n}" for n in range(9)})


def test_only_numbers_are_masked() -> None:
    one = {"observed": {"value": "<T at 12.5, name='a'>"}}
    two = {"observed": {"value": "<T at 13.5, name='a'>"}}
    other = {"observed": {"value": "<T at 13.5, name='b'>"}}
    found = masks(one, two)
    assert found is not None
    assert masked("<T at 99, name='a'>", found["value"]) == "<T at ?, name='a'>"
    assert masks(one, other) is None


def test_calls_are_sampled_ever_more_sparsely() -> None:
    sampled = [n for n in range(10_000) if is_sampled(n)]
    assert sampled[:9] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert len(sampled) < 60


# Placeholders ----------------------------------------------------------------------------------


class Sized:
    def __len__(self) -> int:
        return 0


Registered = ABCMeta("Registered", (), {})

Registered.register(int)


def callback() -> None:
    pass


def placeholder_for(value: object, cls: type | None = object) -> Placeholder:
    TOUCHED.clear()
    return stand_in("own_package.views:index", describe(value), cls)


@pytest.mark.parametrize("value", [callback, Sized, Sized()], ids=["function", "class", "it"])
def test_a_placeholder_has_an_identity_that_can_be_used_without_touching_it(value: object) -> None:
    made, other = placeholder_for(value), placeholder_for(value)
    assert {made: 1, other: 2}[made] == 1
    assert [made, other].index(other) == 1
    assert made != other
    assert callable(made) is callable(value)
    assert not isinstance(made, (str, Sized))
    assert TOUCHED == []


def test_a_placeholder_is_an_instance_of_what_its_class_says() -> None:
    function = placeholder_for(callback, types.FunctionType)
    cls = placeholder_for(Sized, type)
    assert inspect.isfunction(function)
    assert inspect.isclass(cls)
    assert not isinstance(3, (cls, str))
    assert not issubclass(Sized, cls)
    assert (function.__name__, cls.__qualname__) == ("callback", "Sized")
    assert copy.deepcopy([cls])[0] is cls
    assert TOUCHED == []


@pytest.mark.parametrize(
    ("value", "use"),
    [
        (callback, lambda made: made()),
        (callback, lambda made: made.__code__),
        (callback, lambda made: setattr(made, "attribute", 1)),
        (callback, str),
        (Sized, lambda made: made()),
        (Sized, lambda made: type("Derived", (made,), {})),
        (Sized, lambda made: types.new_class("Derived", (made,))),
        (Sized(), len),
        (Sized(), bool),
        (Registered, lambda made: isinstance(3, made)),
    ],
)
def test_other_uses_of_a_placeholder_say_its_name(
    value: object, use: Callable[[object], object]
) -> None:
    made = placeholder_for(value)
    with pytest.raises((UncarriedTouchedError, TypeError)):
        use(made)
    assert TOUCHED == ["touched: own_package.views:index"]


def test_a_placeholder_cannot_do_what_the_original_cannot() -> None:
    with pytest.raises(TypeError):
        iter(placeholder_for(callback))  # pyright: ignore[reportArgumentType]
    assert TOUCHED == []


REF = ("ref", "own_package.views", "index")
NAME = "own_package.views:index"


def decoders(*nodes: tuple[object, ...]) -> tuple[Decoder, Decoder]:
    """One that has the package's function, and one that has a placeholder for it."""
    package = types.ModuleType("own_package.views")
    vars(package)["index"] = callback
    whole = Space(WORLD.own, package, {"index": "own_package.views"})
    empty = Space(WORLD.own, types.ModuleType("script"), {"other": "own_package.views"})
    about = {NAME: describe(callback)}
    return Decoder(list(nodes), whole), Decoder(list(nodes), empty, about)


def texts(decoder: Decoder) -> tuple[str, dict[str, str]]:
    canonical = Canonical(
        lambda kind: kind.__qualname__, lambda kind: kind.__module__ == __name__, decoder.references
    )
    return canonical.text([decoder.value([0]), decoder.value([0]), 5]), canonical.states()


def test_a_placeholder_reads_as_the_function_that_it_stands_for() -> None:
    there, absent = decoders(REF)
    assert not is_placeholder(there.value([0]))
    assert is_placeholder(absent.value([0]))
    (text_there, states_there), (text_absent, states_absent) = texts(there), texts(absent)
    assert text_there == text_absent
    assert (list(states_there), list(states_absent)) == ([NAME], [])


def test_what_a_call_does_to_a_function_that_is_there_is_seen() -> None:
    there, _ = decoders(REF)
    before = texts(there)[1]
    vars(callback)["mark"] = 1
    try:
        assert texts(there)[1] != before
    finally:
        del vars(callback)["mark"]


def test_instances_of_an_absent_class_are_not_made() -> None:
    _, absent = decoders(("raw", [1], "object", None, ()), REF)
    with pytest.raises(MissingError, match=NAME):
        absent.value([0])


class Held:
    """A class of which an instance lies inside of an argument."""

    def __init__(self) -> None:
        self.value = 1

    def __len__(self) -> int:
        return self.value


HOLDER = (("list", ([1],)), ("raw", [2], "object", None, (("value", 1),)), REF)


def held_inside(held: frozenset[str], direct: frozenset[int] = frozenset()) -> Decoder:
    package = types.ModuleType("own_package.views")
    vars(package)["index"] = Held
    space = Space(WORLD.own, package, {"index": "own_package.views"})
    about = describe_instances(Held)
    assert about is not None
    return Decoder(list(HOLDER), space, {f"{NAME}()": about}, held, direct)


def test_an_instance_inside_of_an_argument_reads_alike_whether_it_is_there_or_not() -> None:
    there, absent = held_inside(frozenset()), held_inside(frozenset({NAME}))
    assert [is_placeholder(each.value([1])) for each in (there, absent)] == [False, True]
    (text_there, states_there), (text_absent, states_absent) = texts(there), texts(absent)
    assert text_there == text_absent
    assert (list(states_there), states_absent) == ([f"{NAME}@1"], {})


@pytest.mark.parametrize(
    "use", [len, repr, copy.copy, copy.deepcopy, vars, bool, lambda held: held.value]
)
def test_who_uses_an_instance_inside_of_an_argument_touches_its_class(
    use: Callable[[object], object],
) -> None:
    (held,) = held_inside(frozenset({NAME})).value([0])  # pyright: ignore[reportGeneralTypeIssues]
    assert isinstance(held, Held)
    TOUCHED.clear()
    with pytest.raises(UncarriedTouchedError):
        use(held)
    assert list(TOUCHED) == [f"held: {NAME}"]
    TOUCHED.clear()


def test_an_argument_itself_is_always_there() -> None:
    assert type(held_inside(frozenset({NAME}), frozenset({1})).value([1])) is Held


def test_instances_that_are_asked_unseen_have_no_placeholder() -> None:
    class Descriptor:
        def __get__(self, _held: object, _kind: object) -> int:
            return 1

    assert describe_instances(Descriptor) is None


def test_names_are_told_apart_by_what_they_are_needed_for() -> None:
    nodes = (
        ("list", ([1], [2], [3], [8])),
        ("raw", [4], "object", None, ()),
        ("ref", "own_package", "function"),
        ("reduce", [5], (), None, None, None, None),
        ("ref", "own_package", "Class"),
        ("ref", "own_package", "unpickle"),
        ("raw", [7], "object", None, ()),
        ("ref", "own_package", "Direct"),
        ("raw", [9], "list", (), ()),
        ("ref", "own_package", "List"),
    )
    assert eager_names((nodes, ([0], [6]), (("key", 1),)), WORLD.own) == {
        ("own_package", "Class"): Need.HOLD,
        ("own_package", "Direct"): Need.INSTANCE,
        ("own_package", "List"): Need.INSTANCE,
        ("own_package", "function"): Need.MENTION,
        ("own_package", "unpickle"): Need.REBUILD | Need.MENTION,
    }


def test_texts_spell_names_of_the_package() -> None:
    nodes = (
        ("list", ("own_package.part.Class", "own_package", "other.part", "own_package.part:f")),
        ("ref", "own_package.part", "function"),
    )
    assert spelled_names((nodes, ([0],), ()), WORLD.own) == {
        ("own_package", "part.Class"),
        ("own_package.part", "Class"),
        ("own_package", "part.f"),
        ("own_package.part", "f"),
    }


# Attempts --------------------------------------------------------------------------------------


class Function:
    """Calls of one function that refer to a callback and have an instance of a class."""

    target = "own_package.py::target"
    data = ("",)
    tests = ("test",)
    skipped: dict[str, int] = {}  # noqa: RUF012 - never changed
    names = {  # noqa: RUF012
        ("own_package", "Class"): Need.INSTANCE,
        ("own_package", "callback"): Need.MENTION,
        ("own_package", "other"): Need.MENTION,
    }


class Slices:
    """A slicer that keeps what it is told to."""

    def __init__(self) -> None:
        self.kept: list[set[str]] = []

    def slice(
        self, _number: int, _target: str, keep: tuple[str, ...], _instances: object = ()
    ) -> Sliced:
        self.kept.append({name.partition("::")[2] for name in keep})
        manifest = types.SimpleNamespace(
            definitions=(),
            suggested_types=(),
            layout="",
            targets=(types.SimpleNamespace(path="own_package.py"),),
        )
        return Sliced(Path("script.py"), manifest, tuple(keep))  # pyright: ignore[reportArgumentType]


@pytest.fixture
def modules(tmp_path: Path) -> Modules:
    text = "class Class: ...\ndef callback(): ...\ndef other(): ...\ndef target(): ...\n"
    (tmp_path / "own_package.py").write_text(text)
    return Modules(tmp_path, ".")


SEEN = {"observed": {"value": "1"}}
Run = Callable[[Sliced, bool, Sequence[str]], object]


def attempted(
    modules: Modules, run: Run, seen: object = SEEN, function: type[Function] = Function
) -> tuple[Outcome, Slices]:
    slices = Slices()
    originals = [{"calls": [seen]}, {"calls": [seen]}]
    return outcome_of(function(), 0, slices, modules, run, originals), slices


def test_what_calls_only_refer_to_is_not_named(modules: Modules) -> None:
    outcome, slices = attempted(modules, lambda _sliced, _placeholders, _held: {"calls": [SEEN]})
    assert slices.kept == [set(), {"Class"}]
    assert (outcome.named, outcome.rounds, outcome.touched) == ("touched", 0, ())


def test_what_calls_touch_is_named_then(modules: Modules) -> None:
    def run(sliced: Sliced, _placeholders: bool, _held: object) -> object:
        there = "own_package.py::callback" in sliced.keep
        touched = {"left": "missing", "missing": ["own_package:callback"]}
        return {"calls": [SEEN if there else touched]}

    outcome, slices = attempted(modules, run)
    assert slices.kept == [set(), {"Class"}, {"Class", "callback"}]
    assert (outcome.identical, outcome.rounds) == (1, 1)
    assert outcome.touched == ("own_package.py::callback",)


class Holder(Function):
    """Calls that have an instance of the class somewhere inside of an argument."""

    names = {("own_package", "Class"): Need.HOLD}  # noqa: RUF012


def test_a_class_whose_instances_no_call_touches_is_not_named(modules: Modules) -> None:
    asleep: list[Sequence[str]] = []

    def run(_sliced: Sliced, _placeholders: bool, held: Sequence[str]) -> object:
        asleep.append(held)
        return {"calls": [SEEN]}

    outcome, slices = attempted(modules, run, function=Holder)
    assert (slices.kept, asleep) == ([set(), set()], [["own_package:Class"]])
    assert (outcome.named, outcome.rounds, outcome.identical) == ("touched", 0, 1)


def test_a_class_whose_instance_a_call_touches_is_named_then(modules: Modules) -> None:
    def run(_sliced: Sliced, _placeholders: bool, held: Sequence[str]) -> object:
        return {"calls": [{"left": "missing", "held": held} if held else SEEN]}

    outcome, slices = attempted(modules, run, function=Holder)
    assert slices.kept == [set(), set(), {"Class"}]
    assert (outcome.touched, outcome.identical) == (("own_package.py::Class",), 1)


def test_all_is_named_where_the_slice_does_something_else(modules: Modules) -> None:
    def run(_sliced: Sliced, placeholders: bool, _held: object) -> object:
        return {"calls": [{"observed": {"value": "2"}} if placeholders else SEEN]}

    outcome, slices = attempted(modules, run)
    assert slices.kept[-1] == {"Class", "callback", "other"}
    assert (outcome.named, outcome.identical) == ("lacking", 1)


def test_whole_classes_are_named_where_nothing_else_does(modules: Modules) -> None:
    instances: list[object] = []

    class Told(Slices):
        def slice(
            self, _number: int, _target: str, keep: tuple[str, ...], _instances: object = ()
        ) -> Sliced:
            instances.append(_instances)
            return super().slice(_number, _target, keep, _instances)

    def run(_sliced: Sliced, _placeholders: bool, _held: object) -> object:
        return {"calls": [{"observed": {"value": "2"}} if instances[-1] else SEEN]}

    originals = [{"calls": [SEEN]}, {"calls": [SEEN]}]
    outcome = outcome_of(Function(), 0, Told(), modules, run, originals)
    assert (outcome.named, outcome.identical) == ("whole", 1)


@pytest.mark.parametrize(
    ("ours", "same"),
    [
        ("<home>/f7.py:30: Old: gone\n  warn()", True),
        ("<home>/f7.py:30: Old: going\n  warn()", False),
        ("elsewhere/f7.py:30: Old: gone\n  warn()", False),
    ],
)
def test_where_a_printed_line_stands_is_not_compared(
    modules: Modules, ours: str, same: bool
) -> None:
    theirs = "<home>/pkg/module.py:17: Old: gone\n  warn()"

    def run(_sliced: Sliced, _placeholders: bool, _held: object) -> object:
        return {"calls": [{"observed": {"value": "1", "stderr": ours}}]}

    outcome, _ = attempted(modules, run, {"observed": {"value": "1", "stderr": theirs}})
    assert outcome.identical == int(same)


def test_what_naming_mends_is_not_among_the_differences(modules: Modules) -> None:
    class Twice(Function):
        data = ("", "")
        tests = ("one", "two")

    other = {"observed": {"value": "2"}}

    def run(_sliced: Sliced, placeholders: bool, _held: object) -> object:
        return {"calls": [other if placeholders else SEEN, other]}

    originals = [{"calls": [SEEN, SEEN]}, {"calls": [SEEN, SEEN]}]
    outcome = outcome_of(Twice(), 0, Slices(), modules, run, originals)
    assert (outcome.named, outcome.identical) == ("lacking", 1)
    assert [difference["test"] for difference in outcome.differences] == ["two"]


def test_a_method_is_named_in_the_class_that_defines_it(modules: Modules, tmp_path: Path) -> None:
    text = "class Base:\n    def method(self): ...\nclass Derived(Base): ...\n"
    (tmp_path / "more.py").write_text(text)

    def run(sliced: Sliced, _placeholders: bool, _held: object) -> object:
        there = "more.py::Base.method" in sliced.keep
        touched = {"left": "missing", "missing": ["more:Derived.method|more:Base.method"]}
        return {"calls": [SEEN if there else touched]}

    assert attempted(modules, run)[0].touched == ("more.py::Base.method",)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("more:Derived.method|more:Base.method", ("more.py::Base.method",)),
        ("more:Derived.absent|more:Base.absent", ()),
    ],
    ids=["defined", "of no class"],
)
def test_what_code_of_the_tests_asks_for_in_vain_is_named_where_a_class_defines_it(
    modules: Modules, tmp_path: Path, asked: str, named: tuple[str, ...]
) -> None:
    text = "class Base:\n    def method(self): ...\nclass Derived(Base): ...\n"
    (tmp_path / "more.py").write_text(text)

    def run(sliced: Sliced, _placeholders: bool, _held: object) -> object:
        there = "more.py::Base.method" in sliced.keep
        failed = {"observed": {"exception": "AttributeError"}, "asked": [asked]}
        return {"calls": [SEEN if there else failed]}

    outcome, _ = attempted(modules, run)
    assert (outcome.touched, outcome.identical) == (named, len(named))


def handed(error: BaseException, *names: str) -> list[str]:
    """What functions of these names asked for in vain, as if they were handed in from `tests`."""
    homes = dict.fromkeys(names, "tests")
    return asked_in_vain(
        *(error, lambda _: "m", lambda frame: homes.get(frame.f_code.co_name)),
        lambda frame: frame.f_code.co_name.startswith("test_"),
    )


def test_only_code_that_is_handed_in_asks_for_what_the_slice_lacks() -> None:
    def ask(given: Slotted) -> object:
        return given.absent  # pyright: ignore[reportAttributeAccessIssue]

    def of_library(given: Slotted) -> object:
        return ask(given)

    def handing(given: Slotted) -> object:
        try:
            return of_library(given)
        except AttributeError as error:
            raise ValueError("wrong") from error

    with pytest.raises(ValueError, match="wrong") as raised:
        handing(Slotted())
    assert handed(raised.value, "ask") == ["m:Slotted.absent"]
    assert handed(raised.value, "of_library", "handing") == ["m:Slotted.absent"]
    assert handed(raised.value, "other") == []


def test_a_name_that_handed_code_lacks_is_told_with_the_others_that_it_lacks() -> None:
    space: dict[str, object] = {"there": 1}
    exec("def ask():\n    return there, absent, len(missing)", space)
    ask: Callable[[], object] = space["ask"]  # pyright: ignore[reportAssignmentType]
    with pytest.raises(NameError) as raised:
        ask()
    grouped = BaseExceptionGroup("several", [raised.value])
    assert handed(raised.value, "ask") == ["tests:absent", "tests:missing"]
    assert handed(grouped, "ask") == ["tests:absent", "tests:missing"]


def test_an_error_is_not_asked_for_its_text_before_it_is_compared() -> None:
    class NotedError(Exception):
        def __str__(self) -> str:
            self.shown = True
            return "shown"

    def ask() -> None:
        raise NotedError

    with pytest.raises(NotedError) as raised:
        ask()
    assert handed(raised.value, "ask") == []
    assert vars(raised.value) == {}


def test_a_constructor_that_handed_code_lacks_is_told() -> None:
    class Bare:
        pass

    def ask() -> object:
        return Bare(1)  # pyright: ignore[reportCallIssue]

    with pytest.raises(TypeError) as raised:
        ask()
    name = "m:test_a_constructor_that_handed_code_lacks_is_told.<locals>.Bare"
    assert handed(raised.value, "ask") == [f"{name}.__init__|{name}.__new__"]


def test_code_of_the_package_that_came_by_value_is_known_by_its_home() -> None:
    def frame_of() -> types.FrameType:
        frame = inspect.currentframe()
        assert frame is not None
        return frame

    here, code = frame_of(), frame_of.__code__
    assert home_of_carried(here, {}) is None
    assert home_of_carried(here, {code: "pkg.module"}) == "pkg.module"
    elsewhere = types.FunctionType(
        code, {"__name__": "tests.absent", "inspect": inspect}, "frame_of"
    )
    assert home_of_carried(elsewhere(), {}) == "tests.absent"
    nameless = types.FunctionType(code, {"inspect": inspect}, "frame_of")
    assert home_of_carried(nameless(), {}) is None


def test_names_that_a_module_only_imports_are_found_for_code_that_reads_them(
    modules: Modules, tmp_path: Path
) -> None:
    (tmp_path / "more.py").write_text("from collections import deque as d, abc\nimport os.path\n")
    found = [modules.bound("more", name) for name in ("d", "abc", "os", "deque", "path")]
    assert found == ["more.py::d", "more.py::abc", "more.py::os", None, None]
    assert modules.target("more", "d") is None
