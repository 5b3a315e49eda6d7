"""C types that hide their state are told apart by what makes them anew."""

from __future__ import annotations

import threading
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.verifier.observation.running import difference, seen


def test_what_cannot_be_made_anew_stays_out_of_sight() -> None:
    assert "out of sight" in repr(seen(threading.Lock()))


def test_vectors_and_those_derived_from_them() -> None:
    pygame: Any = pytest.importorskip("pygame")

    class Point(pygame.Vector2):
        pass

    for kind in (pygame.Vector2, pygame.Rect, Point):
        given = [0] * (4 if kind is pygame.Rect else 2)
        one, other = kind(*given), kind(*[1, *given[1:]])
        assert difference(one, kind(*given)) is None
        assert difference(one, other) is not None


def test_elements_of_xml_are_told_apart_by_what_they_hold() -> None:
    def made(text: str) -> Any:
        return ET.fromstring(text)

    one = "<a k='1'><b>text</b></a>"
    assert difference(made(one), made(one)) is None
    for other in ("<a k='2'><b>text</b></a>", "<a k='1'><b>other</b></a>", "<a k='1'/>"):
        assert difference(made(one), made(other)) is not None
