"""Encode values of torch: tensors by type, dtype, shape, device and content; constants by name.

Everything is read through the C base of tensors, with `__torch_function__` off, so that subclasses'
code does not run. A tensor is opaque if a class overrides what lies below, or if torch hides the
content (quantised, nested).
"""

from __future__ import annotations

import builtins

from ... import raw
from ..nodes import Group, Node, field
from .encode_arrays import content, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...raw import Class, Raw
    from ..value_encoder import ValueEncoder, Write

__builtins__ = dict(vars(builtins))

_NUMPY_FLOATS = ("torch.float16", "torch.float32", "torch.float64")
_CONSTANTS = ("dtype", "device", "layout", "memory_format", "qscheme", "finfo", "iinfo")
_tuple_iter: Raw = vars(tuple)["__iter__"]


def encoder_of(cls: Class) -> Write | None:
    """Return the writer for values of exactly this class, or `None`."""
    module, name = raw.class_names(cls)
    if not raw.is_python_class(cls):
        if module == "torch" and name in _CONSTANTS:
            return _constant
        return _size if (module, name) == ("torch", "Size") else None
    if (module, name) in (("torch", "Tensor"), ("torch.nn.parameter", "Parameter")):
        return _tensor if raw.leads_to(module, name, cls) else None
    return None


def _constant(encoder: ValueEncoder, value: Raw) -> Node:
    cls = raw.class_of(value)
    return encoder.value(cls, text=raw.class_attribute(cls, "__repr__")(value))


def _size(encoder: ValueEncoder, value: Raw) -> Node:
    return encoder.value(raw.class_of(value), items=list(_tuple_iter(value)))


def _tensor(encoder: ValueEncoder, value: Raw) -> Node:
    """Encode the content, inside an object node if attributes were set on the tensor."""
    cls = raw.class_of(value)
    base = _c_base(cls)
    if base is None:
        return encoder.opaque(cls, "answers by code of its own")
    reader = _Reader(encoder, base, value)
    with raw.dict_item(raw.module_dict("torch._C"), "DisableTorchFunctionSubclass")():
        node = reader.node()
        state = reader.state()
    if encoder_of(cls) is not None:  # for subclasses the dictionary is read with the other state
        state.extend(encoder.layout(cls).namespace_items(value))
    if not state or node.kind == "opaque":
        return node
    state.sort(key=lambda pair: pair[0])
    groups = (Group("base", "node", [node]), Group("state", "named", state))
    return Node("object", (field("type", encoder.label(cls)),), groups)


def _c_base(cls: Class) -> Class | None:
    """Return the C class of tensors; `None` if a class intercepts operations on its instances."""
    for owner in raw.mro(cls):
        if raw.class_names(owner) == ("torch._C", "TensorBase"):
            return None if raw.is_python_class(owner) else owner
        if raw.class_attribute(owner, "__torch_dispatch__") is not raw.MISSING and (
            encoder_of(owner) is None
        ):
            return None
    return None


class _Reader:
    """Reads one tensor."""

    def __init__(self, encoder: ValueEncoder, base: Class, value: Raw) -> None:
        self._encoder = encoder
        self._base = base
        self._value = value

    def node(self) -> Node:
        """Return a node with type and content, whatever the layout."""
        form = repr(self._read("layout"))
        if self._read("is_quantized") or self._read("is_nested"):
            return self._encoder.opaque(raw.class_of(self._value), "keeps its content to itself")
        if self._read("is_meta"):
            return self._described("meta")
        return self._dense() if form == "torch.strided" else self._sparse(form)

    def state(self) -> list[tuple[str, Raw]]:
        """Return the relevant part of the tensor's place in a gradient graph."""
        found: list[tuple[str, Raw]] = []
        if not self._read("is_leaf"):
            found.append(("is_leaf", False))
        elif self._read("requires_grad") and self._read("grad") is not None:
            found.append(("grad", self._read("grad")))
        return found

    def _dense(self) -> Node:
        plain = self._plain()
        dtype = repr(self._read("dtype"))
        shape = tuple(_tuple_iter(self._read("shape")))
        if self._read("is_complex", called=True) and dtype == "torch.complex32":
            plain = self._call("cfloat", plain)
        elif self._read("is_floating_point", called=True) and dtype not in _NUMPY_FLOATS:
            plain = self._call("double", plain)
        if raw.module_dict("numpy") is None:  # without numpy torch works, but has no arrays
            return self._described("torch.strided", values=self._call("tolist", plain))
        array = self._call("numpy", plain)
        fields = (
            *typed(self._encoder.label(raw.class_of(self._value)), dtype, shape),
            field("device", self._device()),
            field("grad", bool(self._read("requires_grad"))),
        )
        return content(fields, array, raw.class_of(array))

    def _plain(self) -> Raw:
        """Return the numbers with pending conjugation and negation resolved."""
        plain = self._value
        for name in ("detach", "cpu", "resolve_conj", "resolve_neg", "contiguous"):
            plain = self._call(name, plain)
        return plain

    def _sparse(self, form: str) -> Node:
        """Return coordinates and values, to which all sparse layouts are converted."""
        plain = self._call("coalesce", self._call("to_sparse", self._call("detach", self._value)))
        parts = {name: self._call(name, plain) for name in ("indices", "values")}
        return self._described(form, **parts)

    def _described(self, form: str, **parts: Raw) -> Node:
        return self._encoder.value(
            raw.class_of(self._value),
            layout=form,
            dtype=repr(self._read("dtype")),
            shape=tuple(_tuple_iter(self._read("shape"))),
            device=self._device(),
            grad=bool(self._read("requires_grad")),
            **parts,
        )

    def _device(self) -> str:
        return self._read("device").type

    def _read(self, name: str, *, called: bool = False) -> Raw:
        attribute = raw.class_attribute(self._base, name)
        return attribute(self._value) if called else attribute.__get__(self._value)

    def _call(self, name: str, value: Raw) -> Raw:
        return raw.class_attribute(self._base, name)(value)
