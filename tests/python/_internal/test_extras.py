from __future__ import annotations

import re
import sys
from importlib.metadata import metadata
from pathlib import Path
from typing import Callable

import numpy as np
import pytest

import popsnn
from popsnn._internal.extras import extra
from popsnn.cli.main import main
from popsnn.data.cochlea import _responses, cochlea

# Operation, package, its modules, extra, a call that needs it.
NEEDS = [
    ("data.digits", "scikit-learn", ["sklearn.datasets"], "data", popsnn.data.digits),
    ("data.cochlea", "scipy", ["scipy", "scipy.signal"], "data", lambda: cochlea(tone(), 8000)),
    ("data.shd", "tonic", ["tonic"], "tonic", lambda: popsnn.data.shd("nowhere", cache="nowhere")),
    ("plot.figure", "matplotlib", ["matplotlib.figure"], "plot", lambda: popsnn.plot.figure(1, 1)),
]


def tone() -> np.ndarray:
    return np.sin(np.arange(2000, dtype=np.float32))


@pytest.mark.parametrize(
    ("operation", "package", "modules", "name", "call"), NEEDS, ids=[row[0] for row in NEEDS]
)
def test_a_package_that_is_not_installed_is_named_with_its_extra(
    operation: str,
    package: str,
    modules: list[str],
    name: str,
    call: Callable[[], object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    _responses.cache_clear()
    monkeypatch.chdir(tmp_path)
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError) as missing:
        call()
    sentence = (
        rf"{operation}: expected the package {package}, got none \(.*\): "
        rf"pip install 'popsnn\[{name}\]'"
    )
    assert re.fullmatch(sentence, str(missing.value))


def test_every_extra_that_is_named_exists() -> None:
    extras = metadata("popsnn").get_all("Provides-Extra") or []
    root = Path(popsnn.__file__).parent
    pattern = r"popsnn\[([a-z0-9,]+)\]|extra\([^)]*\"(\w+)\"\)"
    named = {
        (path.name, name)
        for path in root.rglob("*.py")
        for text in re.findall(pattern, path.read_text("utf-8"))
        for name in ",".join(text).split(",")
        if name
    }
    assert {("digits.py", "data"), ("style.py", "plot")} <= named
    assert [name for name in named if name[1] not in extras] == []


def test_other_errors_of_the_block_pass() -> None:
    with pytest.raises(KeyError), extra("operation", "package", "name"):
        raise KeyError


def test_the_command_names_what_is_missing_and_leaves_the_folder_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    command = [
        "train", "digits", "--hidden", "8", "--steps", "2", "--epochs", "1", "--backend", "torch",
        "--out", str(out),
    ]  # fmt: skip
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(command) == 1
    assert "popsnn: train: pictures: expected the package matplotlib" in capsys.readouterr().err
    assert not out.exists()
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    assert main(command) == 1
    error = capsys.readouterr().err
    assert error.startswith("popsnn: data.digits: expected the package scikit-learn, got none")
    assert error.endswith("pip install 'popsnn[data]'\n")
