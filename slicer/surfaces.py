"""What the text of a module does while it is imported, as far as the names in it tell.

Found by text and not by tree, since nearly all of the files that are looked at change nothing of
interest. Bodies of functions count where the module itself calls them on top.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_DEF = r"(?:async[ \t]+)?def[ \t]+(\w++)"
_FUNCTION = re.compile(rf"^{_DEF}.*\n((?:(?:[ \t)].*)?\n)*)", re.M)
"""A top-level function: its name, and the lines that are indented or empty."""
_ONE_LINE = re.compile(rf"^([ \t]*{_DEF}[^\n]*?\)[^():\n]*:)[ \t]+(?=[^\s#])", re.M)
"""The head of a function that shares its line with the body."""
_METHOD = re.compile(rf"^([ \t]+){_DEF}.*\n((?:(?:\1[ \t)].*)?\n)*)", re.M)
"""A function that stands in a class or block."""
_CLASS = re.compile(r"^class[ \t]+(\w+).*\n((?:(?:[ \t)].*)?\n)*)", re.M)
_HEADER = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*(?:\[[^\]\n]*\])?\(([^)]*)", re.M)
_WORD = re.compile(r"\b[^\W\d]\w*")
_BASE = re.compile(r"(?:^|[,=])\s*((?:\w+\.)*\w+)")
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})

_BEFORE = (
    r"(?:@[ \t]*|del[ \t]+|\w+[ \t]*(?::[^=\n]*)?=[ \t]*"
    r"|(?:return|with|if|elif|while|assert|for\b[^\n]*?\bin)[ \t]+)?"
)
_CHANGE = re.compile(
    rf"^[ \t]*({_BEFORE})((?:\w+\.)*\w+)\b[ \t]*([\[.(|@+\-*/&<>]|=(?!=)|$|(?=[:#;]))([^\n]*)", re.M
)
"""What stands before a dotted name, the name, and what shows that it is changed or called."""
_ALIAS = re.compile(r"^(\w+)[ \t]*=[ \t]*((?:\w+\.)*\w+)[ \t]*(?=#|$)", re.M)
_CALLED = re.compile(r"@[ \t]*([\w.]++)|(?<![\w.])([\w.]++)(?=[ \t]*+\()")
_IMPORTS = re.compile(r"^[ \t]+(?:from|import)[ \t]|\b(?:import_module|__import__)\(", re.M)
_SET_BY_NAME = re.compile(
    r"\bsetattr\([ \t]*+[\w.]++[ \t]*+,[ \t]*+['\"](\w+)|(?:__dict__|\w\))\[['\"](\w+)"
)
"""A name that a text spells where it is set: `setattr(x, "name", …)`, `x.__dict__["name"]`."""
_FILLS = re.compile(
    r"\bsetattr\([^,()\n]++,[ \t]*+(?!['\"])|(?:__dict__|\b(?:globals|vars)\([\w.]*\))"
    r"(?:\[(?!['\"])|\.(?:update|setdefault)\()"
)
"""The same where the name is computed."""
_BEHIND_DOT = re.compile(r"\w\.([^\W\d]\w*+)")
_RETURNED = re.compile(r"\breturn[ \t]+(\w+)")
_GLOBAL = re.compile(r"\bglobal[ \t]+([\w \t,]+)")
_DEEP = 40
"""More than any head is indented by."""
_MAX_ROUNDS = 4
"""Functions that functions call, further away than this, are not followed."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The names in what a module runs while it is imported."""

    owners: frozenset[str]
    """Of which an attribute or item is changed or called, or that a call is given."""
    called: frozenset[str]
    """That are called or decorate, with what they are attributes of."""
    assigned: frozenset[str]
    """Attributes that are set."""
    derived: frozenset[str]
    """In the bases of classes."""
    attributes: frozenset[str]
    """All of these that stand behind a dot."""
    given_back: frozenset[str]
    """That `return` begins with."""
    rebound: frozenset[str]
    """That `global` declares."""
    fills: bool = False
    """Whether attributes or names are set that are computed."""

    @property
    def words(self) -> frozenset[str]:
        """All of the names."""
        return self.owners | self.called | self.assigned | self.derived


def functions_in(text: str) -> dict[str, str]:
    """The bodies of the top-level functions of a text, by name."""
    return dict(_FUNCTION.findall(_with_bodies_below(text)))


def importing_functions(text: str) -> frozenset[str]:
    """Functions and methods of a text that hold an import, and classes whose constructors do."""
    if not _IMPORTS.search(text):
        return frozenset()
    text = _with_bodies_below(text)
    found = {name for name, body in _FUNCTION.findall(text) if _IMPORTS.search(body)}
    for made, inside in [*_CLASS.findall(rest := _FUNCTION.sub("", text)), ("", rest)]:
        methods = {name for _, name, body in _METHOD.findall(inside) if _IMPORTS.search(body)}
        found |= methods if methods.isdisjoint(_CONSTRUCTORS) else {*methods, made}
    return frozenset(found)


def aliases_in(text: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Names that are assigned a dotted name in column 0, with the parts of that."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for name, chain in _ALIAS.findall(text):
        found[name] = (*found.get(name, ()), tuple(chain.split(".")))
    return found


def hooks_in(text: str) -> dict[str, str]:
    """Classes, each with what runs where one is derived from it, or made by it."""
    if "__init_subclass__" not in text and "(type" not in text:
        return {}
    found: dict[str, str] = {}
    for name, body in _CLASS.findall(_FUNCTION.sub("", _with_bodies_below(text))):
        hooks = [inner for _, method, inner in _METHOD.findall(body)
                 if method == "__init_subclass__" or method in _CONSTRUCTORS]  # fmt: skip
        found[name] = "\n".join(hooks)
    return found


def heirs_in(text: str) -> dict[str, tuple[str, ...]]:
    """Classes, each with the names in its bases."""
    return {
        name: tuple(word for base in _BASE.findall(bases) for word in base.split("."))
        for name, bases in _HEADER.findall(text)
    }


def surface_of_code(run: str) -> Surface:
    """What running all of the text does."""
    owners: set[str] = set()
    called: set[str] = set()
    assigned: set[str] = set()
    attributes: set[str] = set()
    # what shares a line with the head of a function, or with another statement, is one as well
    run = run.replace("): ", "):\n").replace("; ", "\n")
    for before, chain, after, rest in _CHANGE.findall(run):
        *above, last = chain.split(".")
        if before.startswith("@"):
            owners.update(above)
            called.update((*above, last))
            if after == "(":
                owners.update(_WORD.findall(rest))
        elif after in ("", "."):
            continue
        elif not before or before.startswith("del"):
            owners.update((*above, last) if after not in "(=" else above)
            if after == "=" and above:
                assigned.add(last)
            if after in "([":
                owners.update(_WORD.findall(rest))
        elif after == "(" or before.startswith("with"):
            owners.update(above)
            called.add(last)
            if after != "(":
                owners.add(last)
        else:
            continue
        attributes.update((*above, last)[1:])
        attributes.update(_BEHIND_DOT.findall(rest))
    for words in called_in(run):
        called.update(words)
        attributes.update(words[1:])
    for name in ("".join(found) for found in _SET_BY_NAME.findall(run)):
        assigned.add(name)
        attributes.add(name)
    derived: set[str] = set()
    for _, bases in _HEADER.findall(run):
        for base in _BASE.findall(bases):
            words = base.split(".")
            derived.update(words)
            attributes.update(words[1:])
    given_back = _RETURNED.findall(run)
    rebound = [word for names in _GLOBAL.findall(run) for word in _WORD.findall(names)]
    names = map(frozenset, (owners, called, assigned, derived, attributes, given_back, rebound))
    return Surface(*names, fills=_FILLS.search(run) is not None)


def called_in(run: str) -> list[list[str]]:
    """The dotted names that are called or decorate, each as its words."""
    chains = {decorating or called for decorating, called in _CALLED.findall(run)}
    return [_WORD.findall(chain) for chain in sorted(chains)]


def run_on_import(text: str) -> str:
    """The text without functions, but for the bodies of those that it calls itself."""
    functions: dict[str, str] = {}
    classes: dict[str, str] = {}
    text = _with_bodies_below(text)
    rest = _FUNCTION.sub(lambda found: _noted(functions, found), text)
    top = _METHOD.sub("", rest)
    if hooks := hooks_in(text):
        bases = {word for _, inside in _HEADER.findall(rest) for word in _WORD.findall(inside)}
        top = "\n".join([top, *(body for name, body in hooks.items() if name in bases)])
    parts = [top]
    reached: set[str] = set()
    fresh = top
    for _ in range(_MAX_ROUNDS):
        words = {word for chain in called_in(fresh) for word in chain}
        found = sorted((words & functions.keys()) - reached)
        if not reached and not classes:
            classes = {name: body for name, body in _CLASS.findall(rest) if name in words}
        made = sorted((words & classes.keys()) - reached)
        if not (found or made):
            break
        reached.update(found, made)
        bodies = [functions[name] for name in found]
        for name in made:
            bodies += [body for _, method, body in _METHOD.findall(classes[name])
                       if method in _CONSTRUCTORS]  # fmt: skip
        fresh = "\n".join(bodies)
        parts.append(fresh)
    return "\n".join(parts)


def _with_bodies_below(text: str) -> str:
    return _ONE_LINE.sub(lambda found: f"{found[1]}\n{' ' * _DEEP}", text)


def _noted(functions: dict[str, str], found: re.Match[str]) -> str:
    functions[found[1]] = functions.get(found[1], "") + found[2]
    return ""
