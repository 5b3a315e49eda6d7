"""Tensors are compared by type, dtype, shape, device and content, and by what was set on them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from slicefunc.verifier.observation.shown_evidence import evidence

from tests.verifier.observation.running import STRICT, Comparison, difference, seen

torch: Any = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
nn = torch.nn


def t(*items: object, **more: object) -> Any:
    return torch.tensor(list(items), **more)


def with_gradient(scale: float) -> Any:
    made = t(1.0, 2.0, requires_grad=True)
    (made * scale).sum().backward()
    return made


def linear(weight: float) -> Any:
    made = nn.Linear(2, 1)
    for parameter in made.parameters():
        nn.init.constant_(parameter, weight)
    return made


PAIRS: dict[str, tuple[Any, Any]] = {
    **{
        str(dtype): (t(1, dtype=dtype), t(2, dtype=dtype))
        for dtype in (
            *(torch.float16, torch.float32, torch.float64, torch.bfloat16, torch.float8_e4m3fn),
            *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16),
            *(torch.complex32, torch.complex64, torch.complex128),
        )
    },
    "bool": (t(True), t(False)),
    "dtype": (t(1.0), t(1.0, dtype=torch.bfloat16)),
    "shape": (t(1), t([1])),
    "no dimensions": (torch.tensor(1.0), t(1.0)),
    "empty": (torch.empty(0, 3), torch.empty(3, 0)),
    "requires_grad": (t(1.0), t(1.0, requires_grad=True)),
    "gradient": (with_gradient(2), with_gradient(3)),
    "leaf": (t(2.0, requires_grad=True), t(1.0, requires_grad=True) * 2),
    "parameter": (nn.Parameter(t(1.0)), t(1.0, requires_grad=True)),
    "parameter's content": (nn.Parameter(t(1.0)), nn.Parameter(t(2.0))),
    "attribute": (t(1.0), setattr(made := t(1.0), "note", 1) or made),
    "conjugate": (t(1 + 2j).conj(), t(1 + 2j)),
    "negative bit": (t(1 + 2j).conj().imag, t(1 + 2j).imag),
    "device": (torch.empty(2, device="meta"), torch.zeros(2)),
    "meta": (torch.empty(2, device="meta"), torch.empty(3, device="meta")),
    "sparse": (torch.eye(2).to_sparse(), (2 * torch.eye(2)).to_sparse()),
    "sparse and dense": (torch.eye(2).to_sparse(), torch.eye(2)),
    "sparse rows": (torch.eye(2).to_sparse_csr(), torch.eye(2).to_sparse_csc()),
    "module": (linear(1), linear(2)),
    "training": (linear(1), linear(1).eval()),
    "state": (linear(1).state_dict(), linear(2).state_dict()),
    "modules": (nn.Sequential(nn.ReLU()), nn.Sequential(nn.ReLU(), nn.ReLU())),
    "dtypes": (torch.float32, torch.float64),
    "devices": (torch.device("cpu"), torch.device("cuda:1")),
    "sizes": (torch.Size([1, 2]), torch.Size([2, 1])),
    "size and tuple": (torch.Size([1, 2]), (1, 2)),
    "result": (torch.max(t([1.0, 2.0]), dim=1), torch.max(t([2.0, 1.0]), dim=1)),
    "layouts": (torch.strided, torch.sparse_coo),
}


@pytest.mark.parametrize(("left", "right"), PAIRS.values(), ids=PAIRS)
def test_a_tensor_equals_itself_and_differs_from_another(left: Any, right: Any) -> None:
    assert difference(left, left, STRICT) is None
    assert difference(right, right, STRICT) is None
    assert difference(left, right) is not None
    assert difference(right, left) is not None
    assert evidence(seen([left, right])) == "full"


def test_another_tensor_of_the_same_content_is_equal() -> None:
    for value in (t(1.5), torch.eye(2).to_sparse(), nn.Parameter(t(1.0)), linear(1)):
        assert difference(value, copy.deepcopy(value), STRICT) is None


def test_layout_in_memory_is_no_part_of_the_value() -> None:
    square = torch.arange(4.0).reshape(2, 2)
    assert difference(square.t().contiguous(), square.t()) is None
    assert difference(torch.ones(1).expand(3), torch.ones(3)) is None
    twice = torch.sparse_coo_tensor(t([0, 0]), t(1.0, 2.0), (2,))
    assert difference(twice, twice.coalesce()) is None


def test_numbers_have_the_tolerance() -> None:
    left = torch.ones(3, dtype=torch.float64)
    assert difference(left, left + 1e-12) is None
    assert difference(left, left + 1e-6) is not None
    assert difference(torch.ones(3), torch.ones(3) + 1e-6) is not None
    assert (
        difference(torch.ones(3), torch.ones(3) + 1e-6, Comparison(relative_tolerance=1e-3)) is None
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.quantize_per_tensor(t(1.0), 0.1, 0, torch.quint8),
        lambda: torch.nested.nested_tensor([t(1.0), t(1.0, 2.0)]),
        torch.Generator,
    ],
)
def test_what_torch_keeps_to_itself_is_opaque(make: Callable[[], Any]) -> None:
    assert evidence(seen(make())) == "none"


def test_code_of_subclasses_does_not_run() -> None:
    ran: list[str] = []

    def hook(*args: object, **kwargs: object) -> Any:
        ran.append("hook")
        raise RuntimeError

    names = "detach cpu numpy double contiguous resolve_conj __repr__ __getattribute__ __eq__"
    space: dict[str, Any] = dict.fromkeys([*names.split(), "__torch_function__"], hook)
    space |= dict.fromkeys(["shape", "dtype", "grad", "is_leaf"], property(hook))
    functions = type("Functions", (torch.Tensor,), space)
    below = type("Below", (torch.Tensor,), space | {"__torch_dispatch__": classmethod(hook)})
    values = [torch.Tensor._make_subclass(cls, t(1.0)) for cls in (functions, below)]
    ran.clear()
    observed = [seen(value) for value in values]
    assert ran == []
    assert [evidence(each) for each in observed] == ["full", "none"]


def test_a_subclass_is_told_from_its_base() -> None:
    class Marked(torch.Tensor):  # type: ignore[misc]
        pass

    left, right = t(1.0).as_subclass(Marked), t(1.0).as_subclass(Marked)
    right.unit = "m"
    assert difference(left, left, STRICT) is None
    assert difference(left, right) is not None
    assert difference(left, t(1.0)) is not None
    assert difference(left, t(2.0).as_subclass(Marked)) is not None
