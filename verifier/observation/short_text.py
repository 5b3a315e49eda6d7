"""Values as short text for people: in Python's notation, cut where they are long."""

from __future__ import annotations

from .observation import Node, Observation, Value

LONGEST = 80
_ITEMS = 6
_LEVELS = 4

_BRACKETS = {
    "list": ("[", "]"),
    "tuple": ("(", ")"),
    "set": ("{", "}"),
    "frozenset": ("frozenset({", "})"),
    "dict": ("{", "}"),
    "ordered_dict": ("{", "}"),
}


def render(value: Value, observation: Observation) -> str:
    """Return the value on one line of at most `LONGEST` characters."""
    text = _render(value, observation, _LEVELS)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _render(value: Value, observation: Observation, levels: int) -> str:  # noqa: C901 - a case for each kind of value
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST else value[:LONGEST] + "…")
    if not isinstance(value, Node):
        return repr(value)
    if value.kind == "ref":
        return _render(resolve(value, observation), observation, levels - 1)
    if levels <= 0:
        return "…"
    match value.kind:
        case "float":
            return value.text("value")
        case "complex":
            return f"complex({value.text('real')}, {value.text('imag')})"
        case "int":
            return value.text("hex")
        case "bytes":
            return repr(bytes.fromhex(value.text("hex")))
        case "str":
            return ascii(bytes.fromhex(value.text("hex")).decode("utf-8", "surrogatepass"))
        case "constant" | "named":
            return value.text("name")
        case "long":
            return f"{value.text('of')} of length {value.field('length')}"
        case "opaque":
            return f"<{value.text('type')}>"
        case "cut":
            return "<cut>"
        case "array":
            shape = value.field("shape")
            return f"{short(value.text('type'))}(dtype={value.text('dtype')}, shape={shape})"
        case "closure":
            return (
                f"<{value.text('type')} that gives {_listed(value, 'calls', observation, levels)}>"
            )
        case "iterator":
            return f"<{value.text('type')} of {_listed(value, 'items', observation, levels)}>"
        case kind if kind in _BRACKETS:
            first, last = _BRACKETS[kind]
            return first + _listed(value, "items", observation, levels) + last
        case _:
            return f"{short(value.text('type'))}({_inside(value, observation, levels)})"


def _inside(node: Node, observation: Observation, levels: int) -> str:
    names = ("base", "args", "state", "parts", "cause")
    found = [_listed(node, name, observation, levels) for name in names if node.group(name).values]
    return ", ".join(found)


def _listed(node: Node, name: str, observation: Observation, levels: int) -> str:
    group = node.group(name)
    shown: list[str] = []
    for position, value in enumerate(group.values[:_ITEMS]):
        text = _render(value, observation, levels - 1)
        key = group.keys[position] if group.keys else None
        if node.kind in {"dict", "ordered_dict"}:
            text = f"{_render(key, observation, levels - 1)}: {text}"
        elif isinstance(key, str):
            text = f"{key}={text}"
        shown.append(text)
    if len(group.values) > _ITEMS:
        shown.append("…")
    return ", ".join(shown)


def short(name: str) -> str:
    """Return the last part of a dotted name."""
    return name.removesuffix(" (local)").rpartition(".")[2]


def resolve(value: Value, observation: Observation) -> Value:
    """Return the node that a reference leads to; other values unchanged."""
    if isinstance(value, Node) and value.kind == "ref":
        return referent(value, observation)
    return value


def referent(node: Node, observation: Observation) -> Node:
    """Return the node that a reference leads to; other nodes unchanged."""
    to = node.field("to")
    return observation.shared[to] if node.kind == "ref" and isinstance(to, int) else node
