"""What docs/reference/mocks.md says of the families is what there is."""

from __future__ import annotations

from .families_table import DOCS, with_table


def test_the_table_of_families_is_that_of_the_code():
    text = DOCS.read_text(encoding="utf-8")
    assert with_table(text) == text, "python -m tests.mocker.families_table writes it anew"
