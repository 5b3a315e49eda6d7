"""Arrays and tables are compared by type, dtype, shape and content, floats with tolerance."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from slicefunc.verifier.observation.shown_evidence import evidence

from tests.verifier.observation.running import STRICT, Comparison, difference, seen

np: Any = pytest.importorskip("numpy")

PAIRS = [
    (np.array([1, 2]), np.array([1, 3])),
    (np.array([1, 2]), np.array([1.0, 2.0])),
    (np.array([1, 2], "i4"), np.array([1, 2], "i8")),
    (np.array([1, 2]), np.array([[1, 2]])),
    (np.array([1, 2]), [1, 2]),
    (np.array([1.0]), np.array([1.1])),
    (np.array([1.0], "f2"), np.array([2.0], "f2")),
    (np.array([1.0], "f4"), np.array([2.0], "f4")),
    (np.array([1.0], "g"), np.array([2.0], "g")),
    (np.array([1j]), np.array([2j])),
    (np.array([True]), np.array([False])),
    (np.array(["a"]), np.array(["b"])),
    (np.array([b"a"]), np.array([b"b"])),
    (np.array([{"a": 1}]), np.array([{"a": 2}])),
    (np.array(["2020-01-01"], "M8[D]"), np.array(["2020-01-02"], "M8[D]")),
    (np.array([1], "m8[s]"), np.array([1], "m8[m]")),
    (np.zeros(2, [("a", "i4"), ("b", "f8")]), np.ones(2, [("a", "i4"), ("b", "f8")])),
    (np.zeros(1, [("a", "i4"), ("b", "f8")]), np.zeros(1, [("a", "i4"), ("c", "f8")])),
    (np.zeros(1, [("a", "i4")])[0], np.zeros(1, [("b", "i4")])[0]),
    (np.dtype([("a", "i4"), ("b", "i4")]), np.dtype([("a", "i4"), ("b", "f4")])),
    (np.dtype(("i4", (2,))), np.dtype(("f4", (2,)))),
    (np.rec.array([(1,)], dtype=[("a", "i4")]), np.rec.array([(2,)], dtype=[("a", "i4")])),
    (np.array([1], object), np.array([True], object)),
    (np.array(["NaT"], "M8[s]"), np.array(["2020"], "M8[s]")),
    (np.datetime64("2020", "D"), np.datetime64("2020", "s")),
    (np.array([1], ">i4"), np.array([1], "<i4")),
    (np.array(1), np.array([1])),
    (np.ma.masked_array([1], [1], fill_value=3), np.ma.masked_array([1], [1], fill_value=4)),
    (np.ma.masked_array([1, 2], [True, False]), np.ma.masked_array([1, 2], [False, True])),
    (np.float64(1), np.float64(2)),
    (np.float64(1), 1.0),
    (np.float32(1), np.float64(1)),
    (np.int64(1), 1),
    (np.bool_(True), True),
    (np.str_("a"), "a"),
    (np.datetime64("2020-01-01"), np.datetime64("2020-01-02")),
    (np.dtype("f4"), np.dtype("f8")),
    (np.float32, np.float64),
    (np.zeros(1_000_000), np.ones(1_000_000)),
]


def test_no_command_loads_these_packages() -> None:
    code = """
import sys
import slicefunc.driver.batch.whole_repository, slicefunc.driver.cli.command
import slicefunc.driver.places.environment_scorer, slicefunc.driver.pipeline.passes
import slicefunc.slicer, slicefunc.verifier.scoring.score
import slicefunc.verifier.sandbox.cases.case_runner
import networkx
print(*{name.partition(".")[0] for name in sys.modules})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "slicefunc" in loaded
    assert not loaded & {"numpy", "pandas", "torch", "scipy"}


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_an_array_equals_itself_and_differs_from_another(left: object, right: object) -> None:
    assert difference(left, left, STRICT) is None
    assert difference(right, right, STRICT) is None
    assert difference(left, right) is not None


@pytest.mark.parametrize(("left", "right"), PAIRS[:-1])
def test_all_of_it_is_evidence(left: object, right: object) -> None:
    assert evidence(seen([left, right])) == "full"


def test_the_index_of_the_first_difference_is_told() -> None:
    left = np.arange(6, dtype="f8").reshape(2, 3)
    right = left.copy()
    right[1, 2] = 7
    assert difference({"a": left}, {"a": right}) == 'value["a"][1, 2]: 5.0 != 7.0'


def test_floats_in_arrays_have_the_tolerance() -> None:
    left = np.array([1.0, float("nan")])
    assert difference(left, left + 1e-14) is None
    assert difference(left, left + 1e-6) is not None
    assert difference(left, left + 1e-6, Comparison(relative_tolerance=1e-3)) is None


def test_layout_in_memory_is_no_part_of_the_value() -> None:
    left = np.arange(6).reshape(2, 3)
    assert difference(left, np.asfortranarray(left)) is None
    assert difference(left, np.arange(12).reshape(2, 6)[:, ::2] // 2) is None


def test_an_array_that_holds_itself_ends() -> None:
    loop = np.empty(1, object)
    loop[0] = loop
    assert difference(loop, loop) is None


def test_a_class_that_calls_itself_an_array_is_none() -> None:
    fake = type("ndarray", (), {"__module__": "numpy"})()
    assert difference(np.array([]), fake) is not None


def test_subclasses_keep_their_class_and_state() -> None:
    class Unit(np.ndarray):  # type: ignore[misc]
        pass

    left, right = np.array([1]).view(Unit), np.array([1]).view(Unit)
    right.unit = "m"
    assert difference(left, left) is None
    assert difference(left, right) is not None
    assert difference(left, np.array([1])) is not None


def test_tables() -> None:
    pd: Any = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": [1.5, float("nan")]})
    others = [
        frame.rename(columns={"a": "z"}),
        frame.assign(a=[1, 3]),
        frame.assign(b=["x", "y"]),
        frame.assign(c=[1.5, 2.5]),
        frame.astype({"a": "float64"}),
        frame.iloc[:1],
        frame.set_index("a"),
        frame["a"],
        frame.assign(b=frame["b"].astype("category")),
    ]
    assert difference(frame, frame.copy(), STRICT) is None
    assert difference(frame, frame.assign(c=frame["c"] + 1e-14)) is None
    for other in others:
        assert difference(frame, other) is not None
        assert difference(other, other.copy(), STRICT) is None
        assert evidence(seen(other)) == "full"


def _with_attributes(table: Any) -> Any:
    table.attrs["unit"] = "m"
    return table


def test_instants_and_indexes() -> None:
    pd: Any = pytest.importorskip("pandas")
    pairs = [
        (pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-02")),
        (pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-01", tz="UTC")),
        (pd.Timedelta(1), pd.Timedelta(2)),
        (pd.NaT, None),
        (pd.NA, None),
        (pd.Index([1]), pd.Index([2])),
        (pd.Index([1], name="a"), pd.Index([1], name="b")),
        (pd.RangeIndex(3), pd.RangeIndex(4)),
        (pd.MultiIndex.from_tuples([(1, 2)]), pd.MultiIndex.from_tuples([(1, 3)])),
        (pd.date_range("2020", periods=2), pd.date_range("2021", periods=2)),
        (pd.Series([1, None], dtype="Int64"), pd.Series([1, 2], dtype="Int64")),
        (pd.Series([1]), pd.Series([1], name="a")),
        (pd.Period("2020"), pd.Period("2021")),
        (pd.Interval(0, 1), pd.Interval(0, 2)),
        (pd.Interval(0, 1), pd.Interval(0, 1, "left")),
        (pd.Interval(0, 1), pd.Interval(0.0, 1.0)),
        (pd.Period("2020", "Y"), pd.Period("2020", "Y-JUN")),
        (pd.Timestamp(0).as_unit("s"), pd.Timestamp(0).as_unit("ns")),
        (pd.Categorical(["a"], ["a", "b"]), pd.Categorical(["a"], ["b", "a"])),
        (pd.Categorical(["a"], ordered=True), pd.Categorical(["a"])),
        (pd.CategoricalIndex(["a"], ordered=True), pd.CategoricalIndex(["a"])),
        (pd.Series(pd.Categorical(["a"], ordered=True)), pd.Series(pd.Categorical(["a"]))),
        (
            pd.MultiIndex.from_arrays([np.array([1], "i8")]),
            pd.MultiIndex.from_arrays([np.array([1], "i4")]),
        ),
        (pd.Series([1, None], dtype=object), pd.Series([1, float("nan")], dtype=object)),
        (pd.Series([1], dtype=object), pd.Series([True], dtype=object)),
        (pd.Series(["a"], dtype="string"), pd.Series(["a"], dtype=object)),
        (pd.Series([1], index=[1]), pd.Series([1], index=[1.0])),
        (pd.Series(pd.arrays.SparseArray([0, 1])), pd.Series(pd.arrays.SparseArray([0, 2]))),
        (pd.date_range("2020", periods=1, tz="UTC"), pd.date_range("2020", periods=1)),
        (pd.date_range("2020", periods=1).array, pd.date_range("2021", periods=1).array),
        (pd.array(["a"]), pd.array(["b"])),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), pd.DataFrame([[1, 3]], columns=["a", "a"])),
        (pd.Series([1]), _with_attributes(pd.Series([1]))),
        (pd.Series([1]), pd.Series([1]).set_flags(allows_duplicate_labels=False)),
    ]
    for left, right in pairs:
        assert difference(left, left, STRICT) is None
        assert difference(left, right) is not None, (left, right)
        assert evidence(seen([left, right])) == "full", (left, right)


def test_code_of_subclasses_does_not_run() -> None:
    pd: Any = pytest.importorskip("pandas")
    ran: list[str] = []

    def hook(*args: object, **kwargs: object) -> None:
        ran.append("hook")
        raise AssertionError

    names = """__array_wrap__ __array_ufunc__ __array_function__ __getitem__
    __iter__ __len__ __repr__ __eq__ __getattr__ __getattribute__ __array__ astype view tobytes
    tolist flatten item iloc columns index shape dtype dtypes to_numpy names attrs flags
    _constructor""".split()
    space: dict[str, Any] = dict.fromkeys(names, hook)
    space["__array_finalize__"] = lambda *_: ran.append("finalize")
    values = []
    for value in (pd.DataFrame({"a": [1, 2]}), pd.Series([1]), pd.Index(["a"])):
        made = object.__new__(type("Theirs", (type(value),), space))
        object.__getattribute__(made, "__dict__").update(vars(value))
        values.append(made)
    base = np.arange(4.0).reshape(2, 2).T
    values += [
        np.ndarray.__new__(type("Theirs", (np.ndarray,), space), (2,), kind)
        for kind in ("f8", "O", "M8[s]", "g", [("a", "i4")])
    ]
    ran.clear()
    observed = seen([*values, base])
    assert ran == []
    assert observed.value is not None


def test_subclasses_of_tables_are_compared_by_content_and_state() -> None:
    pd: Any = pytest.importorskip("pandas")
    table = type("Table", (pd.DataFrame,), {"_metadata": ["unit"]})
    left, same, other, marked = (table({"a": [1, n]}) for n in (2, 2, 3, 2))
    object.__setattr__(marked, "unit", "m")
    assert difference(left, same, STRICT) is None
    assert difference(left, other) is not None
    assert difference(left, marked) is not None
    assert difference(left, pd.DataFrame({"a": [1, 2]})) is not None
    assert evidence(seen(left)) == "full"
