from __future__ import annotations

import re
from pathlib import Path

import pytest

from popsnn import training
from popsnn.training.yaml_file import read_mapping, shown

LAUGHS = "".join(
    f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi")
)


def test_plain_values(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("dataset: digits\nhidden: [8, 9]\nlr: 1e-3\nclip: null\nname: {a: {b: [1]}}\n")
    assert read_mapping(path, "test") == {
        "dataset": "digits", "hidden": [8, 9], "lr": "1e-3", "clip": None,
        "name": {"a": {"b": [1]}},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"a: &a [x, x]\n{LAUGHS}hidden: *i", "expected no alias, got *a in line 2"),
        ("a: &a [*a]", "expected no alias, got *a in line 1"),
        ("epochs: 1\nlr: 2\nepochs: 3", "expected each option once, got 'epochs' again in line 3"),
        ("[" * 20_000, "expected at most 10 levels, got more in line 1"),
        ("{a: " * 2000, "expected at most 10 levels, got more in line 1"),
        ("hidden: 1" + "0" * 70_000, "expected at most 65536 bytes, got 70009"),
        ("epochs: 1" + "0" * 5000, "expected YAML, got Exceeds the limit (4300 digits)"),
        ("held_out: 2001-13-45", "expected YAML, got month must be in 1..12"),
        ("a: !!python/object:os.system {}", "expected YAML, got could not determine a constructor"),
        ("a: 1\n---\nb: 2", "expected YAML, got expected a single document"),
        ("'a", "expected YAML, got while scanning a quoted scalar"),
        ("\0", "expected YAML, got unacceptable character"),
        ("[1, 2, 1]", "expected a mapping of options, got [1, 2, 1]"),
        ("", "expected a mapping of options, got None"),
    ],
)
def test_traps_get_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(
        ValueError, match=f"^{re.escape(f'train: config: {path}: {sentence}')}"
    ) as caught:
        training.read(path)
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"a: \xff")
    with pytest.raises(ValueError, match=r"^test: expected YAML, got 'utf-8' codec can't decode"):
        read_mapping(path, "test")


def test_long_values_are_cut() -> None:
    assert shown([1]) == "[1]"
    assert shown("x" * 1000) == "'" + "x" * 199 + "..."
    assert shown(1 << 20_000) == "a number of thousands of digits"
    with pytest.raises(ValueError, match=r"^train: epochs: expected .*, got a number of thousands"):
        training.merged("digits", None, {"epochs": -(1 << 20_000)})
    with pytest.raises(ValueError, match=r"^train: lr: expected .*, got 'x{199}\.\.\.$"):
        training.merged("digits", None, {"lr": "x" * 100_000})
