"""Libraries that compute a package's version from the history of its repository."""

from __future__ import annotations

from .....slicer.packaging.build_metadata import UNKNOWN_VERSION, own_distributions
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule
from ....core.optional_imports import has_fallback

_NAMES = ("setuptools_scm", "versioningit", "setuptools_git_versioning", "miniver")
_TEXT = """\
def get_version(*args, **named):
    return {version!r}
"""


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that ask for a version at run time; a build also writes it down."""
    return border.named(*(name for name in _NAMES if not has_fallback(border, name)))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The version is that of the build files, or `0.0.0` if they have none."""
    why = "no history of the repository is there"
    found = sorted({contact.name.partition(".")[0] for contact in contacts})
    paths = sorted({contact.path for contact in contacts})
    known = [v for path in paths for v in own_distributions(border.repository, path).values()]
    version = next((v for v in known if v != UNKNOWN_VERSION), UNKNOWN_VERSION)
    return Mock(
        treated=tuple(ModuleTreatment(name, "stubbed", why) for name in found),
        setup="",
        modules=tuple(StubModule(name, _TEXT.format(version=version)) for name in found),
    )


FAMILY = Family("version control", stub, applies)
