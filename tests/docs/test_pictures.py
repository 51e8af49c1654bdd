"""The diagrams of the explanation pages are what docs/pictures draws."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from docs.pictures.__main__ import IMAGES, PICTURES


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_as_drawn(name: str) -> None:
    drawn = PICTURES[name]().svg()
    assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == drawn
    ElementTree.fromstring(drawn)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_used(name: str) -> None:
    pages = (IMAGES.parent / "explanation").glob("*.md")
    assert any(f"(../images/{name}.svg)" in page.read_text(encoding="utf-8") for page in pages)
