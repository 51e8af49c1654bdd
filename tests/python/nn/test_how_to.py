"""The how-to `use-neurons-in-torch.md`: its examples print what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch

GUIDE = Path(__file__).resolve().parents[3] / "docs/how-to/use-neurons-in-torch.md"


def test_the_examples_print_what_the_guide_says(capsys: pytest.CaptureFixture[str]) -> None:
    torch.manual_seed(0)
    names: dict[str, Any] = {}
    blocks = re.findall(r"```(python|text)\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert [kind for kind, _ in blocks] == ["python", "text"] * 6
    for (_, code), (_, printed) in zip(blocks[::2], blocks[1::2]):
        exec(code, names)
        assert capsys.readouterr().out == printed
    beta, threshold, v, s = 0.9, 1.0, 0.0, 0.0  # snnTorch's Leaky, by its documentation
    for current, spikes in zip(names["current"].detach(), names["theirs"]):
        v = beta * v - threshold * s + current
        s = (v >= threshold).float()
        assert torch.equal(s, spikes)
