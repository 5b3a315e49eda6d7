"""The repository's own distribution, whose name and version its code asks for, is known."""

from __future__ import annotations

from collections.abc import Iterator

from ...slicer.model import Gap
from ...slicer.own_metadata import own_distributions
from ..model import Border, Contact, Example, Family, Mock, Treated

_GAP = "own-metadata"
_ASKING = ("version", "metadata", "distribution", "from_name", "get_distribution", "require")
_MODULES = ("importlib.metadata", "importlib_metadata", "pkg_resources")


def applies(border: Border) -> tuple[Contact, ...]:
    """Whoever asks for metadata of the own distribution."""
    return border.touching(*_MODULES) if _versions(border) else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """It has the name and version of the build files; where the build makes that up, `0.0.0`."""
    del contacts
    why = "the own distribution is known by its build files"
    found = [name for name in _MODULES if border.touching(name)]
    versions = _versions(border)
    return Mock(
        treated=tuple(Treated(name, "faked", why) for name in found),
        setup=f"know_own_distributions({versions!r})\n",
        pieces=("own_metadata",),
        filled=tuple(gap.detail for gap in _asked(border)),
    )


def _versions(border: Border) -> dict[str, str]:
    """Normalised name → version, of what the slice asks for."""
    found: dict[str, str] = {}
    for gap in _asked(border):
        found |= own_distributions(border.repository, gap.path)
    return dict(sorted(found.items()))


def _asked(border: Border) -> Iterator[Gap]:
    """Who asks for the name, the version or all that there is."""
    for gap in border.sliced.manifest.gaps:
        if gap.kind == _GAP and gap.detail.partition("(")[0].endswith(_ASKING):
            yield gap


EXAMPLES = (
    Example(
        title="a program that tells its version",
        source="""\
from importlib.metadata import PackageNotFoundError, metadata, version

__version__ = version("Count_Words")


def about(name="count-words"):
    try:
        return f"{metadata(name)['Name']} {__version__}"
    except PackageNotFoundError:
        return "not installed"
""",
        target="about",
        call="about(), about('another')",
        gives="('count-words 1.4', 'not installed')",
        files=(("pyproject.toml", '[project]\nname = "count.words"\nversion = "1.4"\n'),),
    ),
)

FAMILY = Family("own-metadata", applies, stub, EXAMPLES)
