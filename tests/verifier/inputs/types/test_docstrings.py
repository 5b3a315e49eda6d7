"""Texts that docstrings spell."""

from __future__ import annotations

from slicefunc.verifier.inputs.types.docstrings import quoted_texts


def test_what_is_quoted_and_no_name_is_a_text() -> None:
    said = "Bytes of `text`, as `1.5 KiB` or `3`; see `parse` and `f(x)`, ``code`` too."
    assert quoted_texts(said, {"text"}) == ("1.5 KiB", "3")
    assert quoted_texts(None, ()) == ()
