"""Arrays, tensors and tables: what tells that a value is one."""

from __future__ import annotations

from typing import Protocol

from ..flow import Fact, Uses
from .hints import words

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
_TABLE_NAMES = frozenset("df dataframe frame".split())
_ARRAY_NAMES = frozenset("img image arr array mat matrix tensor kernel signal vec vector".split())
_SCALAR_FUNCTIONS = frozenset("numpy.random numpy.zeros numpy.ones numpy.arange numpy.linspace "
                              "numpy.full numpy.eye numpy.empty numpy.savetxt numpy.save "
                              "torch.zeros torch.ones torch.randn torch.nn torch.device torch.load "
                              "torch.save torch.manual_seed torch.arange numpy.load cv2.imread "
                              "cv2.VideoCapture cv2.namedWindow".split())  # fmt: skip


class Gathered(Protocol):
    """The uses of a value, sorted."""

    facts: tuple[Fact, ...]
    keys: dict[object, Uses]
    attributes: dict[str, Uses]

    def types(self) -> list[str]:
        """Names of types."""
        ...

    def instances(self) -> list[str]:
        """Names of classes."""
        ...


def library_of(known: Gathered, hint: str) -> str:
    """The dotted name of the array or table class that a value is of; empty for others."""
    said = known.instances()
    if said:
        return said[0]
    names = known.attributes.keys()
    parts = words(hint)
    if names & _TABLE and not names & {"append", "split"}:
        is_column = names & {"value_counts"} and not names & (_TABLE - {"value_counts"})
        return "pandas.Series" if is_column else "pandas.DataFrame"
    is_table = bool(parts) and parts[-1] in _TABLE_NAMES
    columns = [u for u in known.keys.values() if any(_is_series(label) for label in u.below)]
    if is_table or columns:
        return "pandas.DataFrame"
    given = _functions(known)
    if any(name.startswith("torch.") for name in given) or names & (_TENSOR - {"unique", "dim"}):
        return "torch.Tensor" if not names & {"append", "get"} else ""
    if names & _SURE_ARRAY:
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


def _functions(known: Gathered) -> list[str]:
    """Functions of array libraries that the value is given to first."""
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
