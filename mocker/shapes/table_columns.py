"""Tables of pandas: the columns that a slice uses, and how."""

from __future__ import annotations

from typing import cast

from ..flow import Fact, Label, Uses

_NUMERIC = frozenset(
    "mean sum std var median cumsum pct_change rolling diff corr quantile abs round clip ewm "
    "cumprod idxmax idxmin hist".split()
)
_SERIES = frozenset(("str", "dt", "values", "iloc", "loc", "map", "apply", "unique", "tolist",
                     "dropna", "fillna", "isnull", "isna", "isin", "value_counts", "to_list",
                     "nunique", "index", "shape", "to_numpy", "item"))  # fmt: skip
_TABLE = frozenset(
    "columns shape index loc iloc iterrows itertuples groupby head tail to_csv to_dict drop "
    "dropna fillna merge join apply sort_values reset_index set_index rename astype copy empty "
    "values T describe info to_json to_excel to_sql to_html query append assign pivot "
    "pivot_table melt sample drop_duplicates isnull isna plot dtypes items corr mean sum "
    "max min std count size concat filter at iat".split()
)


def columns(frame: Uses) -> Uses:
    """Return the uses of a table as uses of each of its rows."""
    found: dict[Label, Uses] = {}
    for label, below in frame.below.items():
        match label:
            case ("key", str(name)):
                found["key", name] = _cell(below)
            case ("attr", "iterrows"):
                for row in _rows(below):
                    found.update({k: v for k, v in row.below.items() if k[0] == "key"})
            case ("attr", ("apply" | "groupby" | "sort_values" | "set_index" | "drop")):
                for name in _named(below):
                    found.setdefault(("key", name), Uses((), {}, frame.follower))
            case ("attr", str(name)) if name not in _TABLE and not name.startswith("_"):
                found["key", name] = _cell(below)
            case _:
                continue
    return Uses((), found, frame.follower)


def _cell(series: Uses) -> Uses:
    """Return the uses of a column as uses of each of its values."""
    facts = [f for f in series.facts if f.kind in ("type", "compare", "convert")]
    below: dict[Label, Uses] = {}
    for label, uses in series.below.items():
        match label:
            case ("attr", str(name)) if name in _NUMERIC:
                facts.append(Fact("type", "number"))
            case ("attr", "str"):
                facts.append(Fact("type", "str"))
            case ("attr", "dt"):
                facts.append(Fact("type", "date"))
            case ("item",) | ("key", int()):
                facts += uses.facts
                below.update(uses.below)
            case ("parse", *_):
                below[label] = uses
            case _:
                continue
    return Uses(tuple(facts), below, series.follower)


def _rows(method: Uses) -> list[Uses]:
    found: list[Uses] = []
    for label, result in method.below.items():
        if label[0] == "call":
            item = result.below.get(("item",))
            row = item.below.get(("key", 1)) if item else None
            found += [row] if row else []
    return found


def _named(method: Uses) -> list[str]:
    """Return the columns named in a method's arguments."""
    follower = method.follower
    if follower is None:
        return []
    found: list[str] = []
    for label in method.below:
        if label[0] == "call":
            positional = cast("tuple[int, ...]", label[2])
            named = cast("tuple[tuple[str, int], ...]", label[3])
            nodes = [*positional, *(n for name, n in named if name in ("by", "subset", "columns"))]
            for node in nodes:
                values = (*follower.constants(node), *follower.contents(node))
                found += [v for v in values if isinstance(v, str)]
    return found
