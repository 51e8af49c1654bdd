from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import popsnn
from popsnn.cli.main import main
from popsnn.training import view

SMALL = ["train", "digits", "--hidden", "16", "--steps", "4", "--epochs", "2", "--backend", "torch"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "digits"
    assert main([*SMALL, "--out", str(folder)]) == 0
    return folder


def test_the_page_has_all_of_the_run(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(run)]) == 0
    assert capsys.readouterr().out == f"{run / 'view.html'}\n"
    text = (run / "view.html").read_text()
    assert re.search(r"<title>digits: \d+\.\d\d % test accuracy</title>", text)
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert headings == [
        "Training",
        "Test samples",
        "Network",
        "Confusion",
        "Result",
        "Options",
        "Versions",
    ]
    assert text.count("<svg") == 5  # four curves and the confusion matrix
    assert text.count('src="data:image/png;base64,') == 4
    assert "http:" not in re.sub(
        r'"http://[^"]*w3\.org[^"]*"|"http://(purl|creative)[^"]*"', "", text
    )
    assert "gradients" in text  # as text, which can be found and read out


@pytest.mark.skipif(not popsnn.backends()["ipu"].available, reason="needs the ipu engine")
def test_a_profile_is_a_section(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    command = ["view", str(run), "--profile", "host", "--out", str(out), "--no-open"]
    assert main(command) == 0
    assert "<h2>Profile</h2><p>Modelled, not measured: T=4" in out.read_text()


def test_a_run_that_is_not_finished_has_its_curves(run: Path, tmp_path: Path) -> None:
    shutil.copy(run / "metrics.jsonl", tmp_path)
    text = view.page(tmp_path)
    assert "not finished, 2 epochs so far" in text
    assert re.findall(r"<h2>(.*?)</h2>", text) == ["Training"]


def test_a_run_of_an_earlier_version_has_the_curves_of_what_it_measured(
    run: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    for row in rows:
        del row["dropped_spike_fraction"]
    (tmp_path / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = view.page(tmp_path)
    assert text.count("<svg") == 3
    assert "dropped by the capacity limit" not in text


def test_bad_folders_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path)]) == 1
    expected = (
        f"popsnn: view: RUN: expected the folder of a run with metrics.jsonl, got '{tmp_path}'"
    )
    assert capsys.readouterr().err == expected + "\n"
    (tmp_path / "metrics.jsonl").write_text("[1]\n")
    with pytest.raises(ValueError, match=r"^view: RUN: expected a JSON object in .*, got '\[1\]'$"):
        view.page(tmp_path)
    (tmp_path / "metrics.jsonl").write_text('{"loss": 1.0}\n')
    with pytest.raises(ValueError, match=r"^view: RUN: expected an epoch in each row of .*1\.0\}$"):
        view.page(tmp_path)


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.parametrize("width", [400, 1300])
def test_nothing_is_wider_than_the_window(run: Path, tmp_path: Path, width: int) -> None:
    (tmp_path / "page.html").write_text(view.page(run))
    # A window of its own cannot be narrower than 500 pixels: the page is in a frame.
    frame = tmp_path / "frame.html"
    script = (
        "<script>onload = () => { document.title = frames[0].document.documentElement.scrollWidth }"
        "</script>"
    )
    frame.write_text(
        f'<iframe src="page.html" width="{width}" height="900" style="border: 0"></iframe>{script}'
    )
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--allow-file-access-from-files",
    ]
    done = subprocess.run(
        [*command, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", frame.as_uri()],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=120,
        check=True,
    )
    title = re.search(r"<title>(\d+)</title>", done.stdout)
    assert title is not None, done.stdout[-500:]
    assert int(title.group(1)) <= width
