"""Signs that a value is an array, tensor or table."""

from __future__ import annotations

from typing import Protocol

from ...flow import Fact, Uses
from ..name_hints import words

_ARRAY = frozenset(
    "shape dtype ndim reshape astype flatten ravel transpose T argmax argmin squeeze dot clip "
    "cumsum mean sum std var any all tolist size nonzero".split()
)
_SURE_ARRAY = frozenset("shape dtype ndim reshape astype flatten ravel T argmax argmin".split())
_TENSOR = frozenset(
    "to cuda cpu detach unsqueeze view permute backward requires_grad device numel contiguous "
    "norm dim unique".split()
)
_TABLE = frozenset(
    "columns iterrows itertuples groupby iloc loc to_csv head dropna fillna merge sort_values "
    "reset_index set_index drop_duplicates pivot_table value_counts".split()
)
_SERIES = frozenset("str dt isin fillna value_counts unique tolist astype isna dropna".split())
_MAX_STEPS = 4
_TABLE_NAMES = frozenset("df dataframe frame".split())
_ARRAY_NAMES = frozenset("img image arr array mat matrix tensor kernel signal vec vector".split())
_SCALAR_FUNCTIONS = frozenset("numpy.random numpy.zeros numpy.ones numpy.arange numpy.linspace "
                              "numpy.full numpy.eye numpy.empty numpy.savetxt numpy.save "
                              "torch.zeros torch.ones torch.randn torch.nn torch.device torch.load "
                              "torch.save torch.manual_seed torch.arange numpy.load cv2.imread "
                              "cv2.VideoCapture cv2.namedWindow".split())  # fmt: skip


class SortedUses(Protocol):
    """The sorted uses of a value."""

    facts: tuple[Fact, ...]
    keys: dict[object, Uses]
    attributes: dict[str, Uses]

    def types(self) -> list[str]:
        """Return the names of its types."""
        ...

    def instances(self) -> list[str]:
        """Return the names of its classes."""
        ...


def library_of(known: SortedUses, uses: Uses, name_hint: str) -> str:
    """Return the dotted name of the value's array or table class; else ""."""
    instances = known.instances()
    if instances:
        return instances[0]
    names = known.attributes.keys()
    parts = words(name_hint)
    if names & _TABLE and not names & {"append", "split"}:
        is_column = names & {"value_counts"} and not names & (_TABLE - {"value_counts"})
        return "pandas.Series" if is_column else "pandas.DataFrame"
    is_table = bool(parts) and parts[-1] in _TABLE_NAMES
    columns = [u for u in known.keys.values() if any(_is_series(label) for label in u.below)]
    if is_table or columns:
        return "pandas.DataFrame"
    given = functions(known)
    if any(name.startswith("torch.") for name in given) or names & (_TENSOR - {"unique", "dim"}):
        return "torch.Tensor" if not names & {"append", "get"} else ""
    if names & _SURE_ARRAY:
        return "numpy.ndarray"
    if _computed(uses) & _ARRAY:
        return "numpy.ndarray"
    is_number = bool({"number", "numbers"} & set(known.types()))
    if is_number and names & _ARRAY:
        return "numpy.ndarray"
    if any(name.startswith(("numpy.", "scipy.", "cv2.")) for name in given):
        plain = {"str", "dict", "int"} & set(known.types())
        return "" if plain else "numpy.ndarray"
    return ""


def _is_series(label: tuple[object, ...]) -> bool:
    return label[0] == "attr" and label[1] in _SERIES - {"unique", "tolist"}


def functions(known: SortedUses) -> list[str]:
    """Return the array-library functions that receive the value as first argument."""
    found: list[str] = []
    for fact in known.facts:
        match fact.kind, fact.value:
            case "argument", (str() as name, int() as index):
                top = ".".join(name.split(".")[:2])
                if index == 0 and top not in _SCALAR_FUNCTIONS and name not in _SCALAR_FUNCTIONS:
                    found.append(name)
            case _:
                continue
    return found


def _computed(uses: Uses) -> set[str]:
    """Return the attributes read of results of arithmetic and comparisons with the value."""
    follower = uses.follower
    if follower is None:
        return set()
    found: set[str] = set()
    facts = list(uses.facts)
    for _ in range(_MAX_STEPS):
        results = [f.result for f in facts if f.result is not None and _is_operator(f)]
        nodes = follower.reachable_nodes(results)
        for node in nodes:
            edges = follower.graph.edges.get(node, {})
            found |= {str(label[1]) for label in edges if label[0] == "attr"}
        facts = [f for node in nodes for f in follower.graph.facts.get(node, ())]
    return found


def _is_operator(fact: Fact) -> bool:
    return fact.kind == "compare" or (fact.kind, fact.value) == ("argument", ("arithmetic",))


def dimensions(known: SortedUses, uses: Uses, name_hint: str) -> int:
    """Return the number of dimensions of an array that its uses show; 0 if unknown."""
    found: list[int] = []
    shape = known.attributes.get("shape")
    if shape is not None:
        found += [f.value for f in shape.facts if f.kind == "unpack" and isinstance(f.value, int)]
        if found:
            return max(found)
        found += [k[1] + 1 for k in shape.below if k[0] == "key" and isinstance(k[1], int)]
    for fact in uses.facts:
        match fact.kind, fact.value:
            case "argument", ("dimensions", int() as count):
                found.append(count)
            case _:
                continue
    if len(name_hint) == 1 and name_hint.isupper():
        found.append(2)
    return max(found, default=0)
