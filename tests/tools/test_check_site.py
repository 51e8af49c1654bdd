"""The check of the site's pages in a browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tools import check_site


def test_a_missing_program_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert check_site.main([]) == 2
    assert capsys.readouterr().err == "check_site: expected the program npx, found none\n"


@pytest.mark.parametrize(
    ("score", "wider", "status"), [(95, 0, 0), (94, 0, 1), (100, 1, 1), (100, 0, 0)]
)
def test_points_and_widths_decide(
    score: float, wider: int, status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(check_site, "SITE", tmp_path)
    monkeypatch.setattr(check_site, "points", lambda address: score)
    monkeypatch.setattr(check_site, "width_in", lambda root, page, width, picture: width + wider)
    assert check_site.main(["index.html"]) == status


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not here")
@pytest.mark.parametrize(("content", "expected"), [(300, 400), (700, 700)])
def test_the_browser_tells_the_width(
    content: int, expected: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = f"<!doctype html><body style='margin:0'><div style='width:{content}px'>x</div>"
    (tmp_path / "page.html").write_text(page)
    monkeypatch.setattr(check_site, "SITE", tmp_path)
    with check_site.served(tmp_path) as root:
        assert check_site.width_in(root, "page.html", 400, None) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
