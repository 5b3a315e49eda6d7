"""The garbage collector is left as it was."""

from __future__ import annotations

import gc

from slicefunc.slicer.syntax.gc_pause import seldom


def test_what_is_there_is_not_looked_at_until_the_end() -> None:
    before = gc.get_threshold()
    frozen = gc.get_freeze_count()
    with seldom():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() > frozen
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
