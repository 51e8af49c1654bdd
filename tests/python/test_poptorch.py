"""The PopTorch that `popsnn.poptorch` gives, and spikes as inputs and outputs of its models."""

from __future__ import annotations

import copy
import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import popsnn
from popsnn import SpikeTensor
from popsnn.cli.main import main
from popsnn.nn import LI, LIF, SNN, SparseLIF


@pytest.fixture
def poptorch() -> Any:
    return importlib.import_module("popsnn.poptorch")


def python(code: str, *path: Path, **environment: str) -> str:
    """Run code where popsnn is found as here, with these folders before it."""
    at = [str(folder) for folder in (*path, Path(popsnn.__file__).parents[1])]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(at)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_emulated_one_stands_in(poptorch: Any) -> None:
    assert poptorch.is_emulated
    assert poptorch.__version__.endswith("+emulated")
    assert poptorch.Options is importlib.import_module("poptorch").Options
    assert popsnn.poptorch is poptorch
    assert "trainingModel" in dir(poptorch)
    with pytest.raises(AttributeError, match="'popsnn' has no attribute 'popart'"):
        popsnn.popart  # noqa: B018


def test_the_real_one_is_taken_where_it_is(
    poptorch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "poptorch.py").write_text("Options = 'real'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "poptorch")
    assert poptorch._find().Options == "real"
    (tmp_path / "poptorch.py").write_text("raise ImportError('without an active Poplar SDK')\n")
    monkeypatch.delitem(sys.modules, "poptorch")
    importlib.invalidate_caches()
    with pytest.raises(ImportError, match="without an active Poplar SDK"):
        poptorch._find()


def test_the_path_is_for_a_plain_import(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--poptorch-path"]) == 0
    folder = Path(capsys.readouterr().out.strip())
    assert python("import poptorch; print(poptorch.is_emulated)", folder) == "True\n"
    main(["info"])
    assert f"poptorch emulated       {folder}" in capsys.readouterr().out


def test_the_packages_operators_are_registered(poptorch: Any) -> None:
    x = torch.ones(3, 1, 2)
    attributes = {"capacity": 2}
    examples = [x, x.int(), x.int(), x.int()]

    def forward(dense: torch.Tensor) -> Any:
        return poptorch.custom_op([dense], "CompactSpikes", "popsnn", 1, examples, attributes)

    values, ids, counts, _ = poptorch.inferenceModel(forward)(x)
    assert torch.equal(values, x)
    assert ids.tolist() == [[[0, 1]]] * 3
    assert counts.tolist() == [[[2, 2]]] * 3


def test_spikes_go_in_and_out_batch_by_batch(poptorch: Any) -> None:
    x = (torch.rand(5, 6, 7) < 0.3).float()
    options = poptorch.Options().deviceIterations(3)
    shapes = []

    def forward(spikes: SpikeTensor) -> Any:
        shapes.append(spikes.shape)
        return spikes

    out = poptorch.inferenceModel(forward, options)(SpikeTensor.from_dense(x))
    assert shapes == [(5, 2, 7)] * 3
    assert torch.equal(out.to_dense(), x)


class Scores(nn.Module):
    """A network of lists, and neurons over what it gives, with a loss."""

    def __init__(self) -> None:
        super().__init__()
        hidden = SparseLIF(7, 9, beta=0.8, recurrent=True)
        self.net = SNN(hidden, SparseLIF(9, 5, delay=1), LI(5, 4, beta=0.9))
        self.neurons = LIF(0.7, learn_beta=True)

    def forward(self, x: Any, label: Tensor) -> Any:
        score = self.neurons(self.net(x)).mean(0) + self.net(x).mean(0)
        return score, nn.functional.cross_entropy(score, label)


class Frames(Scores):
    """The same, of frames with the batch first."""

    def forward(self, x: Tensor, label: Tensor) -> Any:
        return super().forward(x.transpose(0, 1), label)


@pytest.mark.parametrize("kind", [Scores, Frames])
def test_layers_train_as_on_the_torch_engine(poptorch: Any, kind: Any) -> None:
    net = kind()
    reference = copy.deepcopy(net).double()
    reference.net.backend = "torch"
    x = (torch.rand(6, 8, 7) < 0.3).float()
    label = torch.randint(4, (8,))
    inputs = x if kind is Scores else x.transpose(0, 1)
    expected, loss = reference(inputs.double(), label)
    loss.backward()
    before = {name: p.detach().clone() for name, p in net.named_parameters()}
    options = poptorch.Options().replicationFactor(2)
    options.Training.gradientAccumulation(2)
    options.outputMode(poptorch.OutputMode.All)
    model = poptorch.trainingModel(net, options, torch.optim.SGD(net.parameters(), lr=1.0))
    if kind is Scores:
        score, _ = model(SpikeTensor.from_dense(x), label)
    else:
        score, _ = model(inputs.contiguous(), label)
    torch.testing.assert_close(score.double(), expected, rtol=1e-5, atol=1e-5)
    after = dict(net.named_parameters())
    for name, parameter in reference.named_parameters():
        assert parameter.grad is not None
        step = (before[name] - after[name]).double()
        torch.testing.assert_close(step, parameter.grad, rtol=1e-3, atol=1e-5)
