"""Networks whose recurrent spikes have delays, on the cuda engine against the torch engine."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.host_kernels import HostLoader, networks, recurrent
from tests.cuda.test_cuda_engine import away_from_jumps, error, on_cuda

from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.engines import cuda_layers
from popsnn.neurons import AdaptiveLIF
from popsnn.nn import SNN, Delays, SparseLI, SparseLIF, SparseNeurons

INPUTS, HIDDEN, STEPS, BATCH, LONGEST = 12, 20, 6, 3, 3
FIXED = {"steps": 2.0}
LEARNT = {"learn": True, "spread": "straight_through"}


@pytest.fixture(params=["host", "cuda"])
def kernels(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, host_loader: HostLoader
) -> Engine:
    """All kernels of networks, on what is here; clusters take few steps too."""
    engine: Engine = request.getfixturevalue(f"{request.param}_engine")
    if engine.name == "host":
        networks(monkeypatch)
        recurrent(monkeypatch, host_loader)
    monkeypatch.setattr(cluster, "FEWEST_STEPS", 1)
    return engine


def network(seed: int, kind: str, delays: dict[str, Any], layer: dict[str, Any]) -> SNN:
    torch.manual_seed(seed)
    late = Delays(kind, LONGEST, **delays)
    options = {"recurrent": True, "recurrent_delay": late, "gain": 2.0, **layer}
    model = options.pop("model", None)
    if model is None:
        first = SparseLIF(INPUTS, HIDDEN, **options)
    else:
        first = SparseNeurons(INPUTS, HIDDEN, model, **options)
    return SNN(first, SparseLI(HIDDEN, 4))


@pytest.mark.parametrize(
    ("kind", "delays", "layer", "launched"),
    [
        ("axonal", FIXED, {}, "recurrent_streamed_forward"),
        ("dendritic", LEARNT, {}, "recurrent_streamed_forward"),
        ("axonal", {"learn": True}, {}, None),
        ("dendritic", {"learn": True, "spread": "gaussian"}, {}, None),
        ("synaptic", {"learn": True}, {}, "recurrent_streamed_forward"),  # triangles take float32
        ("synaptic", LEARNT, {}, "recurrent_streamed_forward"),
        ("axonal", LEARNT, {"max_activity": 0.2, "grad_threshold": 0.5}, None),
        ("synaptic", {"learn": True}, {"max_activity": 0.2, "grad_threshold": 0.5}, None),
        ("axonal", LEARNT, {"model": AdaptiveLIF("subtract", True)}, "recurrent_streamed_forward"),
    ],
)
def test_every_gradient_in_chunks(
    kernels: Engine,
    kind: str,
    delays: dict[str, Any],
    layer: dict[str, Any],
    launched: str | None,
) -> None:
    """States hold the spikes that have not arrived yet."""
    for seed in range(20):
        reference = network(seed, kind, delays, layer).double()
        reference.backend = "torch"
        net = on_cuda(reference, kernels)
        x = (torch.rand(STEPS, BATCH, INPUTS) < 0.4).double()
        results = []
        for tested in (reference, net):
            device = next(tested.parameters()).device
            given = x.to(next(tested.parameters()))
            state, outs, traces = None, [], []
            for part in given.split((1, 4, 1)):
                out, state, hidden = tested(part, state, return_state=True, trace=True)
                outs.append(out)
                traces.append(hidden)
            assert state is not None
            spikes = state.layers[0].spikes
            assert spikes is not None
            assert spikes.shape == (LONGEST, BATCH, HIDDEN)
            out = torch.cat(outs)
            weights = torch.linspace(-1.0, 1.0, out.numel(), dtype=out.dtype, device=device)
            loss = (out * weights.reshape(out.shape)).sum()
            grads = torch.autograd.grad(loss, list(tested.parameters()))
            results.append((out, spikes, grads, traces))
        (expected, spikes, wanted, traces), (out, other, grads, _) = results
        if layer.get("model") is None and not all(
            away_from_jumps(reference, trace) for trace in traces
        ):
            continue
        assert error(out, expected) <= 1e-5
        assert torch.equal(other.cpu().double(), spikes)
        for (name, _), got, expect in zip(net.named_parameters(), grads, wanted):
            assert error(got, expect) <= 2e-4, name
        break
    else:
        pytest.fail("no seed whose membranes stay away from jumps")
    if launched is not None and kernels.name == "host":
        assert launched in kernels.launched
    if launched is None:
        assert not any(name.startswith("recurrent") for name in kernels.launched)


def test_evaluation_rounds_delays_for_the_kernels(kernels: Engine) -> None:
    net = on_cuda(network(0, "axonal", {"learn": True}, {}), kernels)
    layer = net.stack[0]
    assert isinstance(layer, SparseLIF)
    assert not cuda_layers._on_persistent_kernels(layer)
    net.eval()
    assert cuda_layers._on_persistent_kernels(layer)


def test_layers_in_clusters(kernels: Engine) -> None:
    """Products of bfloat16."""
    net = network(0, "axonal", LEARNT, {"weight_dtype": torch.bfloat16})
    net = on_cuda(net, kernels)
    x = (torch.rand(STEPS, BATCH, INPUTS, device=kernels.device) < 0.4).float()
    kernels.launched.clear()
    net(x).sum().backward()
    late = net.stack[0].recurrent_delay
    assert late.steps.grad is not None
    assert bool(torch.isfinite(late.steps.grad).all())
    if kernels.name == "host":
        names = [name for name in kernels.launched if name.startswith("recurrent")]
        assert names == ["recurrent_cluster_forward", "recurrent_cluster_backward"]
