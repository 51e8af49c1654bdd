"""`popsnn neuron new` as a new user would try it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.full_disk import full_disk

import popsnn
from popsnn.cli.main import main

needs_ipu = pytest.mark.skipif(
    not popsnn.backends()["ipu"].available, reason=str(popsnn.backends()["ipu"].reason)
)


@pytest.mark.parametrize(
    ("name", "module"),
    [("MyNeuron", "my_neuron"), ("LIFWithNoise", "lif_with_noise"), ("Lif2", "lif2")],
)
def test_files_bear_the_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, module: str
) -> None:
    folder = tmp_path / "new" / "lab"
    assert main(["neuron", "new", name, "--dir", str(folder)]) == 0
    files = [folder / f"{module}.py", folder / f"test_{module}.py"]
    assert capsys.readouterr().out.split() == [str(path) for path in files]
    python, test = (path.read_text() for path in files)
    assert f"class {name}(popsnn.Neuron):" in python
    assert f"from {module} import {name}" in test
    assert not any("tarter" in text for text in (python, test))


@pytest.mark.parametrize("room", [0, 2000])
def test_a_full_disk_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], room: int
) -> None:
    with full_disk(room):
        assert main(["neuron", "new", "MyNeuron", "--dir", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert re.fullmatch(
        rf"popsnn: neuron new: expected to write {tmp_path}/\w+\.\w+, got File too large\n", error
    )
    assert list(tmp_path.iterdir()) == []


@needs_ipu
def test_what_it_writes_works(tmp_path: Path) -> None:
    environment = {**os.environ, "POPSNN_CACHE_DIR": str(tmp_path / "cache")}
    for command in (
        [sys.executable, "-m", "popsnn", "neuron", "new", "MyNeuron"],
        [sys.executable, "-m", "pytest", "-q", "-W", "error", "test_my_neuron.py"],
    ):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "9 passed" in done.stdout


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("+ x\n", "+ torch.special.i0(x)\n", r"Wrong: line \d+ of wrong.py: expected operations"),
        ("return i, v,", "return v,", r"step: expected a tuple of 3 states \(i, v, s\), got 2"),
    ],
)
def test_the_test_says_what_is_wrong_with_a_step(
    tmp_path: Path, before: str, after: str, says: str
) -> None:
    assert main(["neuron", "new", "Wrong", "--dir", str(tmp_path)]) == 0
    step = (tmp_path / "wrong.py").read_text()
    assert before in step
    text = step.replace(before, after).replace("import popsnn\n", "import popsnn, torch\n")
    (tmp_path / "wrong.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "test_wrong.py"],
        cwd=tmp_path,
        env={**os.environ, "POPSNN_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1
    assert "1 failed" in done.stdout
    assert re.search(says, done.stdout), done.stdout


def test_files_that_are_there_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text("precious")
    assert main(["neuron", "new", "Mine", "--dir", str(tmp_path)]) == 1
    path = tmp_path / "mine.py"
    assert capsys.readouterr().err == (
        f"popsnn: neuron new: expected no file {path}, got one: it stays as it is\n"
    )
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["my_neuron", "2Fast", "My-Neuron", "Class"])
def test_names_that_are_no_classes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["neuron", "new", name])
    assert stop.value.code == 2
    assert f"expected a name such as MyNeuron, got '{name}'" in capsys.readouterr().err


def test_the_earlier_name_of_the_command_works_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["codelet", "new", "Mine", "--dir", str(tmp_path)]) == 0
    assert capsys.readouterr().err == (
        "popsnn: codelet new: expected its name of now, popsnn neuron new\n"
    )
    assert (tmp_path / "mine.py").is_file()


@pytest.mark.parametrize("name", ["None", "True", "Torch", "Copy", "Popsnn"])
def test_names_that_python_has_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    with pytest.raises(SystemExit):
        main(["neuron", "new", name, "--dir", str(tmp_path)])
    assert f"expected a name such as MyNeuron, got {name!r}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
