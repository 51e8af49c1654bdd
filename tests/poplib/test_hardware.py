"""The ipu engine on IPUs that Poplar's device manager finds: `tools/check_sdk.sh` runs these too.

Here the emulation's device manager has IPUs; on an SDK it is the chips. They need nothing else of
this folder.
"""

from __future__ import annotations

import os
import weakref
from typing import Any, Callable, Dict

import pytest
import torch

from popsnn import devices, nn, optim
from popsnn._internal.native import native
from popsnn.engines import ipu_executable
from popsnn.profiling.counted import count_preset

DEVICE = os.environ.get("POPSNN_CHECK_DEVICE", "hardware:ipus=2")
STEPS, BATCH, INPUTS = 12, 6, 40

NETWORKS: Dict[str, Callable[[], Any]] = {
    "feed-forward": lambda: [nn.SparseLIF(INPUTS, 64), nn.LI(64, 10)],
    "capacity": lambda: [
        nn.SparseLIF(INPUTS, 64, max_activity=0.2, grad_threshold=0.5),
        nn.LI(64, 10),
    ],
    "recurrent": lambda: [
        nn.SparseLIF(INPUTS, 64, recurrent=True, grad_threshold=0.5),
        nn.LI(64, 10),
    ],
    "half weights": lambda: [
        nn.SparseLIF(INPUTS, 64, weight_dtype=torch.float16),
        nn.LI(64, 10),
    ],
}


@pytest.fixture(autouse=True)
def emulated_ipus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the emulation's device manager have IPUs; an SDK's does not know this."""
    monkeypatch.setenv("POPSNN_EMULATE_IPU", "1")


def network(name: str, backend: str) -> nn.SNN:
    """Return the same network on a backend."""
    torch.manual_seed(0)
    options = {"device": DEVICE} if backend == "ipu" else {}
    return nn.SNN(*NETWORKS[name](), backend=backend, **options)


def spikes() -> torch.Tensor:
    """Return an input [T, B, inputs]."""
    torch.manual_seed(1)
    return (torch.rand(STEPS, BATCH, INPUTS) < 0.3).float()


@pytest.mark.parametrize("name", NETWORKS)
def test_outputs_and_gradients(name: str) -> None:
    nets = [network(name, backend) for backend in ("torch", "ipu")]
    outputs = [net(spikes()) for net in nets]
    torch.testing.assert_close(outputs[1], outputs[0], rtol=1e-3, atol=1e-4)
    for output in outputs:
        output.square().sum().backward()
    for ours, expected in zip(nets[1].parameters(), nets[0].parameters()):
        torch.testing.assert_close(ours.grad, expected.grad, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("name", NETWORKS)
def test_chunks_give_what_the_whole_sequence_gives(name: str) -> None:
    net = network(name, "ipu")
    with torch.no_grad():
        whole = net(spikes())
        first, state = net(spikes()[:5], return_state=True)
        second = net(spikes()[5:], state)
    torch.testing.assert_close(torch.cat([first, second]), whole, rtol=1e-5, atol=1e-6)


def test_training_with_the_optimizer_on_the_device() -> None:
    net = network("capacity", "ipu")
    optimizer = optim.Adam(net, lr=1e-2)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = net(spikes()).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_one_executable_holds_the_ipus(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[Any]] = []
    alive = []

    class Executable(ipu_executable.Executable):
        def __init__(self, *arguments: Any) -> None:
            alive.append(sum(each() is not None for each in made))
            super().__init__(*arguments)
            made.append(weakref.ref(self))

    monkeypatch.setattr(ipu_executable, "Executable", Executable)
    net = network("capacity", "ipu")
    optimizer = optim.Adam(net, lr=1e-2)
    outputs = []
    for _ in range(2):
        net(spikes()).square().mean().backward()
        optimizer.step()
        with torch.no_grad():
            outputs.append(net(spikes()[:, :2]))
    assert len(alive) == 4
    assert alive == [0] * 4
    assert not torch.equal(*outputs)  # weights that the device trained move on


def test_hardware_has_its_own_tiles() -> None:
    sentence = "device: tiles: expected 0 with the model 'hardware', which has its own, got 4"
    with pytest.raises(ValueError, match=sentence):
        devices.parse("hardware:tiles=4")


def test_hardware_that_is_not_there() -> None:
    net = nn.SNN(nn.LI(4, 2), backend="ipu", device="hardware:ipus=64")
    with pytest.raises(RuntimeError) as refused:
        net(torch.ones(2, 1, 4))
    assert "expected a free set of 64 IPUs, got none" in str(refused.value)


def test_a_device_counts_the_cycles_of_a_training_step() -> None:
    counted = count_preset("shd-h2", DEVICE, max_activity=0.01, steps=2)
    assert counted.cycles.keys() == {"forward", "backward", "update"}
    assert all(cycles > 1000 for cycles in counted.cycles.values())
    assert counted.measured == (native().poplar_hash() != "emulated")
