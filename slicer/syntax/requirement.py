"""Requirements: the name of a distribution with its constraints (PEP 508)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_LINE = re.compile(
    r"\s*(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*"
    r"(?:\[(?P<extras>[^\]]*)\])?\s*"
    r"(?:@\s*(?P<url>\S+)|\(?\s*(?P<specifier>[<>=!~][^;#)]*?)\s*\)?)?\s*"
    r"(?:;\s*(?P<marker>[^#]+?))?\s*(?:\s#.*)?$"
)
_LOOSE = re.compile(r"\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:$|[<>=!~;\[(@,#])")
_EGG = re.compile(r"#egg=([\w.-]+)")
_OPTIONS = re.compile(r"\s+--(?:hash|config-settings|global-option)\b.*")
_CLAUSE = re.compile(r"(===|~=|==|!=|<=|>=|<|>)\s*([\w.*+!-]+)")
_REMOTE = re.compile(r"(?:(?:git|hg|svn|bzr)\+)?(?:https?|ssh)://")
_VERSION = (
    r"v?(?:\d+!)?\d+(?:\.\d+)*(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?"
    r"(?:-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?(?:[-_.]?dev[-_.]?\d*)?(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?"
)
"""Version numbers of distributions (PEP 440)."""
_BOUND = (
    rf"(?:~=[ \t]*(?=v?(?:\d+!)?\d+\.\d){_VERSION}|[!=]=[ \t]*{_VERSION}(?:\.\*)?"
    rf"|(?:===|<=|>=|<|>)[ \t]*{_VERSION})"
)
_WORD = r"[a-z0-9](?:[\w.-]*[a-z0-9])?"
_PLAIN = re.compile(
    rf"{_WORD}[ \t]*(?:\[[ \t]*{_WORD}(?:[ \t]*,[ \t]*{_WORD})*[ \t]*\])?[ \t]*"
    rf"(?:{_BOUND}(?:[ \t]*,[ \t]*{_BOUND})*)?",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement of one distribution."""

    name: str
    """The distribution's name, spelled as in the requirement."""
    extras: tuple[str, ...] = ()
    specifier: str = ""
    """Allowed versions, as `>=1,<2`; empty for any."""
    marker: str = ""
    """Environments that the requirement applies to, as `python_version < "3.11"`."""
    url: str = ""
    """Address of the distribution, if it is not from an index."""

    def __str__(self) -> str:
        extras = f"[{','.join(self.extras)}]" if self.extras else ""
        source = f" @ {self.url}" if self.url else self.specifier
        marker = f" ; {self.marker}" if self.marker else ""
        return f"{self.name}{extras}{source}{marker}"

    @property
    def is_pinned(self) -> bool:
        """Whether exactly one version is allowed."""
        return self.specifier.startswith("==") and not re.search(r"[*,]", self.specifier)

    @property
    def is_remote(self) -> bool:
        """Whether the address is public: anybody can download from it."""
        return _REMOTE.match(self.url) is not None

    def pinned(self, version: str) -> Requirement:
        """Return the requirement pinned to one version."""
        return replace(self, specifier=f"=={version}", url="")


def normal(name: str) -> str:
    """Return a distribution's name in the normal form that package indexes compare."""
    return re.sub(r"[-_.]+", "-", name).lower()


def parse_requirement(line: str) -> Requirement | None:
    """Return the requirement in a line of a requirements file or of a list of dependencies.

    Return `None` if the line names no distribution. Parts of the line that are not understood are
    left out.
    """
    line = line.strip()
    if not line.isprintable():
        return None  # an installer would read a hidden second line differently
    egg = _EGG.search(line)
    if egg:
        url = line.removeprefix("--editable").removeprefix("-e").lstrip(" =")
        return Requirement(egg[1], url=url.partition("#")[0].split(" ")[0])
    if line.startswith(("-", "#")):
        return None
    text = _OPTIONS.sub("", line.rstrip("\\ \t"))
    found = _LINE.match(text)
    if not found:
        loose = _LOOSE.match(line)
        return Requirement(loose[1]) if loose else None
    extras = tuple(part.strip() for part in (found["extras"] or "").split(",") if part.strip())
    return Requirement(
        found["name"], extras, clauses(found["specifier"] or ""),
        (found["marker"] or "").strip(), found["url"] or "",
    )  # fmt: skip


def plain_requirement(text: str) -> tuple[Requirement | None, str]:
    """Return a requirement of an index distribution, with optional extras and versions, or an error
    text.

    Unlike a line of a requirements file, the text is accepted whole or not at all.
    """
    text = text.strip()
    if _PLAIN.fullmatch(text):
        return parse_requirement(text), ""
    if "@" in text or "://" in text:
        return None, f"{text!r} is an address, and no name on an index"
    if ";" in text:
        return None, f"{text!r} has a marker: say it for every environment"
    return None, f"{text!r} is no requirement"


def clauses(specifier: str) -> str:
    """Return a specifier reduced to its valid clauses, without blanks."""
    return ",".join(f"{sign}{version}" for sign, version in _CLAUSE.findall(specifier))


def from_poetry(constraint: str) -> str:
    """Return the specifier for a constraint in Poetry's syntax: `^1.2`, `~1.2`, `1.2.*`, `>=1,<2`.

    Alternatives (`||`) give an empty specifier, because PEP 508 has no form for them.
    """
    if "||" in constraint or "|" in constraint:
        return ""
    parts = [part.strip() for part in constraint.split(",")]
    return ",".join(filter(None, (_poetry_clause(part) for part in parts)))


def _poetry_clause(part: str) -> str:
    if part in ("", "*", "latest"):
        return ""
    if part[0] == "^" or (part[0] == "~" and not part.startswith("~=")):
        version = part[1:].strip()
        numbers = re.match(r"\d+(?:\.\d+)*", version)
        return f">={version},<{_next(numbers[0], caret=part[0] == '^')}" if numbers else ""
    if part[0].isdigit():
        return f"=={part}"
    if part[0] == "=" and not part.startswith("=="):
        return f"={part}"
    return clauses(part)


def _next(version: str, *, caret: bool) -> str:
    """Return the first version that a caret or tilde constraint excludes."""
    numbers = [int(number) for number in version.split(".")]
    if caret:
        place = next((i for i, number in enumerate(numbers) if number), len(numbers) - 1)
    else:
        place = min(1, len(numbers) - 1)
    return ".".join(map(str, [*numbers[:place], numbers[place] + 1]))
