"""`get_class_info`: the members of a class, with inherited ones, the likeliest first."""

from __future__ import annotations

from textwrap import indent

from pydantic import Field

from ..retrieval.bm25 import Bm25
from .class_members import ClassMembers, Member
from .code_index import CodeIndex
from .syntax_members import SyntaxMembers
from .syntax_records import is_python, quoted_summary
from .tool_contract import Parameters, Tool

SHOWN = 10


class ClassQuery(Parameters):
    """A class, and what is wanted of it."""

    class_name: str = Field(
        min_length=1,
        description="A class of the repository: `Order`, `shop.models.Order`, or "
        "`shop/models.py::Order` where several have the name.",
    )
    thought: str = Field(
        default="",
        max_length=4000,
        description="What you want to do with the class, in a few words. Members that fit come "
        "first. Leave it out to get them in source order.",
    )


def get_class_info(index: CodeIndex, class_name: str, thought: str = "") -> str:
    """Return a class's header, bases and up to ten members, those first that are like a thought.

    Raises:
        ToolInputError: no class has that name, or several.
    """
    definition = index.class_named(class_name)
    found = index.members_of(definition)
    order = list(range(len(found.members)))
    if thought:
        near = Bm25([each.text for each in found.members]).nearest(thought, len(order))
        order = [*near, *(number for number in order if number not in set(near))]
    members = [found.members[number] for number in order]
    lines = [
        f"# {definition.path}:{definition.first}-{definition.last}",
        definition.signature + (":" if is_python(definition.path) else ""),
    ]
    if definition.docstring:
        lines.append(f"    {quoted_summary(definition)}")
    lines += [indent(_line(each, found), "    ") for each in members[:SHOWN]]
    if found.constructor and found.named("__init__") is None:
        lines.append(f"    {found.constructor}  # made by @dataclass")
    if len(members) > SHOWN:
        names = ", ".join(each.name for each in members[SHOWN:])
        lines.append(f"    # {len(members) - SHOWN} more members: {names}")
    if found.base_labels:
        lines.append(f"    # inherits from {', '.join(found.base_labels)}")
    outside = [each for each in found.outside_bases if each != "?"]
    if outside:
        lines.append(f"    # and from outside the repository: {', '.join(outside)}")
    if "?" in found.outside_bases:
        lines.append("    # and from a base that is only known when it runs")
    return "\n".join(lines)


def _line(member: Member, found: ClassMembers | SyntaxMembers) -> str:
    notes = [member.summary] if member.summary else []
    is_own = member.owner == found.definition.qualname and (
        member.path == found.definition.path or not is_python(member.path)
    )
    if not is_own:
        notes.append(f"inherited from {member.owner}")
    return member.signature + (f"  # {'; '.join(notes)}" if notes else "")


def _answer(index: CodeIndex, given: ClassQuery) -> str:
    return get_class_info(index, given.class_name, given.thought)


GET_CLASS_INFO: Tool[CodeIndex] = Tool(
    "get_class_info",
    "Members of a class",
    "Get a class of the repository: its header, base classes and up to 10 members (methods with "
    "signatures, properties, attributes), inherited ones included; the names of all others follow. "
    "Use it before you call or subclass a class. get_method_body shows a method's code.",
    ClassQuery,
    _answer,
)
