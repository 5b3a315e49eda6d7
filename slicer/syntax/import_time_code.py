"""Import-time behaviour of a module, as far as the names in its text show it.

The text is searched instead of a tree, since nearly all files examined change nothing of interest.
Function bodies count where the module itself calls the functions at top level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .prefiltered_regex import PrefilteredRegex

_HEADER = re.compile(r"\n[ \t]*+class[ \t]++(\w+)[ \t]*(?:\[[^\]\n]*\])?\(([^)]*)")
_WORD = re.compile(r"\b[^\W\d]\w*")
_GIVEN = re.compile(r"\b[^\W\d]\w*+(?![ \t]*+\()")
"""A name that is not called. In nested calls, only the inner call's arguments count as passed."""
_BASE = re.compile(r"(?:^|[,=])\s*((?:\w+\.)*\w+)")

# Patterns of whole lines begin with the previous line end, which matches much faster than `^`.
_BEFORE = (
    r"(?:@[ \t]*|del[ \t]+|\w+[ \t]*(?::[^=\n]*)?=[ \t]*"
    r"|(?:return|with|if|elif|while|assert|for\b[^\n]*?\bin)[ \t]+)?"
)
_CHANGE = re.compile(
    rf"\n[ \t]*+({_BEFORE})((?:\w+\.)*\w+)\b[ \t]*([\[.(|@+\-*/&<>]|=(?!=)|$|(?=[:#;]))([^\n]*)",
    re.M,
)
"""The text before a dotted name, the name, and the text after it that shows a change or a call."""
_ALIAS = re.compile(
    r"\n(\w++)[ \t]*+=[ \t]*+((?:\w++\.)*+\w++)[ \t]*+(?:\[[^\]\n]*+\][ \t]*+)?(?=#|$)", re.M
)
_MADE_OF = re.compile(
    r"\n(\w++)[ \t]*+(?::[^=\n]*)?=(?!=)([^\n]*[(\[{][^\n]*(?:\n[ \t)\]}][^\n]*)*)", re.M
)
_LOOP = re.compile(
    r"\n(?:async[ \t]++)?for[ \t]++([(*]*+\w++(?:[ \t]*+,[ \t]*+[*(]*+\w++\)*+)*+,?\)*+)"
    r"[ \t]++in[ \t]++([^\n]++)",
    re.M,
)
_UNPACKED = re.compile(
    r"\n([(\[]?[ \t]*+\*?\w++[ \t]*+,(?:[ \t]*+\*?\w++[ \t]*+,?)*+[)\]]?)[ \t]*+=(?!=)([^\n]+)",
    re.M,
)
_DOTTED = re.compile(r"(?<![\w.'\"])[^\W\d]\w*+(?:\.\w++)*+")
_DECORATING = re.compile(r"@[ \t]*([\w.]++)")
_CALLED_BACKWARDS = re.compile(r"\([ \t]*+([\w.]++)")
"""A called name, in a text that is read backwards: brackets are rarer than names."""
_SET_BY_NAME = PrefilteredRegex(
    r"\bsetattr\([ \t]*+[\w.]++[ \t]*+,[ \t]*+['\"](\w+)|(?:__dict__|\w\))\[['\"](\w+)",
    "setattr(", "__dict__[", ")['", ')["',
)  # fmt: skip
"""A literal name of an attribute that is set: `setattr(x, "name", …)`, `x.__dict__["name"]`."""
_FILLS = PrefilteredRegex(
    r"\bsetattr\([^,()\n]++,[ \t]*+(?!['\"])|(?:__dict__|\b(?:globals|vars)\([\w.]*\))"
    r"(?:\[(?!['\"])|\.(?:update|setdefault)\()",
    "setattr(", "__dict__", "globals(", "vars(",
)  # fmt: skip
"""An attribute that is set by a computed name."""
_USED_UP = PrefilteredRegex(
    r"\b(?:next|heappop|heapreplace|heappushpop|shuffle)\([ \t]*+([\w.]++)",
    "next(", "heap", "shuffle(",
)  # fmt: skip
"""An argument of a function that changes it, and that may return something out of it."""
_LAMBDA = re.compile(r"\blambda\b(?:(?!\blambda\b)[^\n:])*+:[ \t]*+")
"""A lambda's head, before the body that it runs."""
_ONE_LINE = re.compile(
    r"\n[ \t]*+(?:async[ \t]+)?(?:for|if|elif|else|with|while|try|except|finally|case|def|class)\b"
    r"[^\n]*:[ \t]++[^\s#][^\n]*"
)
"""A compound statement on the same line as its body."""
_BEHIND_DOT = re.compile(r"\w\.([^\W\d]\w*+)")
_RETURNED = re.compile(r"return(?<!\wreturn)[ \t]+(\w+)")
_GLOBAL = PrefilteredRegex(r"\bglobal[ \t]+([\w \t,]+)", "global")


@dataclass(frozen=True, slots=True)
class ImportTimeNames:
    """The names in the code that a module runs when it is imported."""

    owners: frozenset[str]
    """Names whose attribute or item is changed or called, or that are passed to a call."""
    called: frozenset[str]
    """Names that are called or used as decorators, with the objects that they are attributes of."""
    assigned: frozenset[str]
    """Attributes that are assigned."""
    derived: frozenset[str]
    """Names in the bases of classes."""
    attributes: frozenset[str]
    """The subset of all these names that appear as attributes, behind a dot."""
    given_back: frozenset[str]
    """Names that a `return` statement begins with."""
    rebound: frozenset[str]
    """Names that `global` declares."""
    fills: bool = False
    """Whether attributes or names are assigned that are computed."""

    @property
    def words(self) -> frozenset[str]:
        """All of the names."""
        return self.owners | self.called | self.assigned | self.derived


def aliases_in(text: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return names assigned from a dotted name, from an item of one, or in a loop or unpacking.

    Only assignments in column 0 count. Each dotted name is split into its parts.
    """
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    text = f"\n{text}"
    for name, chain in _ALIAS.findall(text):
        found[name] = (*found.get(name, ()), tuple(chain.split(".")))
    for targets, source in [*_LOOP.findall(text), *_UNPACKED.findall(text)]:
        chains = tuple(tuple(chain.split(".")) for chain in _DOTTED.findall(source))
        for name in _WORD.findall(targets):
            found[name] = (*found.get(name, ()), *chains)
    return found


def contents_in(text: str) -> dict[str, tuple[str, ...]]:
    """Return names that are assigned a call or display in column 0, with the names in it."""
    found: dict[str, tuple[str, ...]] = {}
    for name, made in _MADE_OF.findall(f"\n{text}"):
        words = (word for word in _DOTTED.findall(made) if "." not in word and word != name)
        found[name] = tuple(dict.fromkeys((*found.get(name, ()), *words)))
    return found


def heirs_in(text: str) -> dict[str, tuple[str, ...]]:
    """Return the classes of the text, each with the names in its bases."""
    return {
        name: tuple(word for base in _BASE.findall(bases) for word in base.split("."))
        for name, bases in _headers(text)
    }


def _headers(text: str) -> list[tuple[str, str]]:
    """Return the classes that the text defines, each with its bases as text."""
    return _HEADER.findall(f"\n{text}") if "class" in text else []


def bases_in(run: str) -> set[str]:
    """Return the words in the bases of the classes that a text defines."""
    return {word for _, bases in _headers(run) for word in _WORD.findall(bases)}


def surface_of_code(run: str) -> ImportTimeNames:
    """Return the names in code that runs as a whole."""
    owners: set[str] = set()
    called: set[str] = set()
    assigned: set[str] = set()
    attributes: set[str] = set()
    # a statement after `;` or after the head of a compound statement counts as well
    run = _ONE_LINE.sub(lambda found: found[0].replace(": ", ":\n"), f"\n{run}")
    run = run.replace("; ", "\n")
    run = _LAMBDA.sub("\n", run) if "lambda" in run else run
    for before, chain, after, rest in _CHANGE.findall(f"\n{run}"):
        *above, last = chain.split(".")
        if before.startswith("@"):
            owners.update(above)
            called.update((*above, last))
            if after == "(":
                owners.update(_GIVEN.findall(rest))
        elif after in ("", "."):
            continue
        elif not before or before.startswith("del"):
            owners.update((*above, last) if after not in "(=" else above)
            if after == "=" and above:
                assigned.add(last)
                if rest.strip().isidentifier():  # methods may change the attribute's value
                    owners.add(rest.strip())
            if after in "([":
                owners.update(_GIVEN.findall(rest))
        elif after == "(" or before.startswith("with"):
            owners.update(above)
            called.add(last)
            if after != "(":
                owners.add(last)
        else:
            continue
        attributes.update((*above, last)[1:])
        attributes.update(_BEHIND_DOT.findall(rest))
    for (chain,) in _USED_UP.findall(run):
        owners.update(chain.split("."))
    for words in called_in(run):
        called.update(words)
        attributes.update(words[1:])
    for name in map("".join, _SET_BY_NAME.findall(run)):
        assigned.add(name)
        attributes.add(name)
    bases = [base.split(".") for _, listed in _headers(run) for base in _BASE.findall(listed)]
    derived = {word for words in bases for word in words}
    attributes.update(word for words in bases for word in words[1:])
    given_back = _RETURNED.findall(run)
    rebound = [word for (names,) in _GLOBAL.findall(run) for word in _WORD.findall(names)]
    names = map(frozenset, (owners, called, assigned, derived, attributes, given_back, rebound))
    return ImportTimeNames(*names, fills=_FILLS.search(run) is not None)


def words_in(text: str) -> Iterator[str]:
    """Yield the names in a text, with repetitions."""
    return (found[0] for found in _WORD.finditer(text))


def called_in(run: str) -> list[list[str]]:
    """Return the dotted names that are called or used as decorators, each split into words."""
    chains = {called[::-1] for called in _CALLED_BACKWARDS.findall(run[::-1])}
    chains.update(_DECORATING.findall(run))
    return [_WORD.findall(chain) for chain in sorted(chains)]
