"""What the installer says becomes a reason code, and the requirement that is to blame."""

from __future__ import annotations

import pytest
from slicefunc.verifier.execution.environments.install_reasons import failure, index_has_no_dates

UNMET = "error: No solution found when resolving dependencies\n  cause: Because "
END = ", we can conclude that your requirements are unsatisfiable.\n"
WHEELS = "\nhint: Wheels are required for `a` because building from source is disabled for all\n"
SAID: dict[str, tuple[str, str, set[str]]] = {
    "absent": (UNMET + "a was not found in the package registry and you require a" + END,
               "distribution-not-found", {"a"}),
    "absent below": (UNMET + "x was not found in the package registry and all versions of a depend "
                     "on x, we can conclude that all versions of a cannot be used.\n"
                     "         And because you require a" + END, "distribution-not-found", {"a"}),
    "boxes": ("  \u00d7 No solution found when resolving:\n  ╰─▶ Because A-b was not found "
              "in the package\n      registry and you require A-b" + END,
              "distribution-not-found", {"a-b"}),
    "version": (UNMET + "there is no version of a==9 and you require a==9" + END,
                "no-such-version", {"a"}),
    "date": (UNMET + "there are no versions of a and you require a" + END + "\nhint: `a` was "
             "filtered by `exclude-newer` to only include packages uploaded before 2009\n",
             "no-such-version", {"a"}),
    "source only": (UNMET + "all versions of a have no usable wheels and you require a" + END
                    + WHEELS, "needs-compilation", {"a"}),
    "other Pythons": (UNMET + "a==1 has no wheels with a matching Python ABI tag (e.g., `cp311`) "
                      "and you require a==1" + END, "no-wheel-here", {"a"}),
    "conflict": (UNMET + "you require a==1.26.0 and b.c==1.25" + END,
                 "conflicting-requirements", {"a", "b-c"}),
    "conflict below": (UNMET + "b==1 depends on a<1 and you require b==1, we can conclude that "
                       "a<1. And because you require a>2" + END,
                       "conflicting-requirements", {"a", "b"}),
    "no requirement": ("error: Couldn't parse requirement in `-` at position 0\n",
                       "invalid-requirement", set()),
    "else": ("error: something new\n", "install-failed", set()),
}  # fmt: skip


@pytest.mark.parametrize("kind", SAID)
def test_an_explanation_is_read(kind: str) -> None:
    text, code, blamed = SAID[kind]
    found = failure(text)
    assert (found.code, set(found.blamed)) == (code, blamed)
    assert "\n" not in found.detail


def test_missing_dates_are_noticed() -> None:
    said = "warning: `a-1-py3-none-any.whl` is missing an upload date, but user provided: 2025\n"
    assert index_has_no_dates(said)
    assert not index_has_no_dates(SAID["date"][0])
