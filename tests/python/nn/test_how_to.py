"""Examples of the pages `use-neurons-in-torch.md` and `save-a-network.md`, and what they print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch

import popsnn

GUIDES = Path(__file__).resolve().parents[3] / "docs/how-to"


def run(guide: str, examples: int, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Run the examples of a guide, each of which prints something, and return their names."""
    torch.manual_seed(0)
    names: dict[str, Any] = {}
    text = (GUIDES / guide).read_text("utf-8")
    blocks = re.findall(r"```(python|text)\n(.*?)```", text, re.DOTALL)
    assert [kind for kind, _ in blocks] == ["python", "text"] * examples
    for (_, code), (_, printed) in zip(blocks[::2], blocks[1::2]):
        exec(code, names)
        assert capsys.readouterr().out == printed
    return names


def test_the_guide_to_saving_prints_what_it_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("safetensors")
    if not popsnn.backends()["ipu"].available:
        pytest.skip("the page has a network on the ipu engine")
    monkeypatch.chdir(tmp_path)
    run("save-a-network.md", 3, capsys)


def test_the_examples_print_what_the_guide_says(capsys: pytest.CaptureFixture[str]) -> None:
    names = run("use-neurons-in-torch.md", 8, capsys)
    beta, threshold, v, s = 0.9, 1.0, 0.0, 0.0  # snnTorch's Leaky, by its documentation
    for current, spikes in zip(names["current"].detach(), names["theirs"]):
        v = beta * v - threshold * s + current
        s = (v >= threshold).float()
        assert torch.equal(s, spikes)
