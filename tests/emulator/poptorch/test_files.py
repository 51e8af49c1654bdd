"""Executables in files, times of a run, and inputs that a device makes up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x: Tensor, target: Tensor) -> Any:
        y = self.fc(x)
        return y, functional.mse_loss(y, target)


X, TARGET = torch.ones(2, 3), torch.ones(2, 2)


def trained(poptorch: Any) -> Any:
    net = Net()
    optimizer = poptorch.optim.Adam(net.parameters(), lr=0.1)
    model = poptorch.trainingModel(net, None, optimizer)
    model(X, TARGET)
    return model


def test_an_executable_goes_on_as_the_first(poptorch: Any, tmp_path: Path) -> None:
    model = trained(poptorch)
    model.save(str(tmp_path / "new" / "model.poptorch"))
    again = poptorch.load(str(tmp_path / "new" / "model.poptorch"))
    assert again.isCompiled()
    for _ in range(2):
        assert torch.equal(again(X, TARGET)[1], model(X, TARGET)[1])
    with pytest.raises(poptorch.Error, match="Shape mismatch"):
        again(X[:1], TARGET[:1])


def test_an_executable_without_its_model(
    poptorch: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    offline = poptorch.Options().useOfflineIpuTarget()
    poptorch.inferenceModel(nn.Linear(3, 2), offline).compileAndExport(
        str(tmp_path), X, export_model=False
    )
    assert "is a directory, saving model to" in caplog.text
    file = str(tmp_path / "model.poptorch")
    layer = nn.Linear(3, 2)
    model = poptorch.inferenceModel(layer)
    model.loadExecutable(file)
    assert model.isCompiled()
    assert torch.equal(model(X), layer(X))
    with pytest.raises(AssertionError, match="created with 'export_model=False'"):
        poptorch.load(file)
    with pytest.raises(AssertionError, match="for training, got one for inference"):
        poptorch.trainingModel(Net()).loadExecutable(file)
    (tmp_path / "other").write_bytes(b"something")
    with pytest.raises(AssertionError, match=r"Invalid file .* got b'something'"):
        poptorch.load(str(tmp_path / "other"))


def test_times_of_transfers(poptorch: Any) -> None:
    options = poptorch.Options().deviceIterations(4).outputMode(poptorch.OutputMode.EveryN, 2)
    model = poptorch.inferenceModel(torch.add, options)
    model(torch.ones(4, 3), torch.ones(4, 3))
    counters = model.getPerfCounters()
    assert [len(counters[event]) for event in ("input", "output_complete")] == [2, 1]
    assert [len(counters[event][0]) for event in ("input", "output_complete")] == [4, 2]
    # Of iterations whose output does not cross the parts are counted, and the whole is not.
    model = poptorch.inferenceModel(torch.add, poptorch.Options().deviceIterations(4))
    model(torch.ones(4, 3), torch.ones(4, 3))
    parts = (model.getHostIpuLatency, model.getComputeLatency, model.getIpuHostLatency)
    for low, high, mean in (part() for part in (*parts, model.getLatency)):
        assert 0 <= low <= mean <= high
    assert model.getLatency()[1] >= max(part()[1] for part in parts)


def test_synthetic_data(poptorch: Any) -> None:
    seen = []

    def forward(x: Tensor) -> Tensor:
        seen.append(x.clone())
        return x + 1

    model = poptorch.inferenceModel(forward, poptorch.Options().enableSyntheticData(True))
    assert torch.equal(model(X), torch.zeros(2, 3))  # nothing crosses
    assert not torch.equal(seen[0], X)
    assert model.getLatency() == (0.0, 0.0, 0.0)
    assert model.getPerfCounters()["input"] == [[]]


def test_errors_can_be_tried(poptorch: Any) -> None:
    core = poptorch.poptorch_core
    with pytest.raises(poptorch.RecoverableError) as caught:
        core._throwTestError(core.TestErrorType.PoplarRecoverableFullReset)
    assert caught.value.recovery_action == "FULL_RESET"
    assert caught.value.type == "poplar_recoverable_runtime_error"
    assert caught.value.location in str(caught.value)
    assert caught.value.location not in caught.value.message
