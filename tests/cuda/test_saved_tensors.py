"""Tensors that autograd functions over kernels save, and in-place changes by kernels."""

from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.python.nn.changes import (
    REFUSED,
    assert_no_shared_memory,
    begin,
    elementwise,
    lists,
    net_of,
    tensors_of,
    unchecked_tensors,
)

from popsnn import functional, nn
from popsnn.cuda import Adam
from popsnn.cuda.optim import adam


def test_functions_save_tensors_for_backward_only_through_autograd(layer_kernels: Engine) -> None:
    with torch.device(layer_kernels.device):
        net = net_of("cuda")
        out, end, traces = net(lists(1), begin(net), return_state=True, trace=True)
    values = (trace.spikes.values for trace in traces[:-1])
    assert not unchecked_tensors(out, *(layer.v for layer in end.layers), *values)


@pytest.mark.parametrize("readout", [True, False])
def test_inputs_and_outputs_share_no_memory(layer_kernels: Engine, readout: bool) -> None:
    with torch.device(layer_kernels.device):
        net = net_of("cuda")
        net = net if readout else nn.SNN(*net.stack[:2], backend="cuda").eval()
        x, state = lists(1), begin(net)
        out, end, traces = net(x, state, return_state=True, trace=True)
    stats = {str(i): stats.counts for i, stats in enumerate(net.pending_stats())}
    outs = tensors_of(out=out, end=end.layers, traces=traces, stats=stats)
    assert_no_shared_memory({**tensors_of(x=x, state=state.layers), **outs})


def test_so_do_functions_of_elementwise_layers(kernels: Engine) -> None:
    outs = elementwise(kernels.device, "cuda")
    assert not unchecked_tensors(*outs)


def test_so_do_functions_of_recurrent_layers_and_losses(gpu: torch.device) -> None:
    x = torch.randn(3, 2, 64, device=gpu, requires_grad=True)
    weight = torch.rand(64, 64, device=gpu, requires_grad=True)
    out = functional.recurrent_lif(x, weight, backend="cuda")
    labels = torch.tensor([0, 1], device=gpu)
    loss = functional.readout_loss(out.membrane, labels, backend="cuda").loss
    assert not unchecked_tensors(out.spikes, loss)


@pytest.mark.parametrize("change", ["current", "membrane before", "leak"])
def test_a_scan_refuses_what_changed_before_its_backward_pass(kernels: Engine, change: str) -> None:
    x = torch.randn(3, 2, 4, device=kernels.device)
    v, beta = torch.rand_like(x[0]), torch.rand(4, device=kernels.device)
    changed = {"current": x, "membrane before": v, "leak": beta}[change]
    out = functional.lif(
        x.requires_grad_(), functional.LIFState(v, torch.zeros_like(v)), beta=beta, backend="cuda"
    )
    with torch.no_grad():
        changed.fill_(0)
    with pytest.raises(RuntimeError, match=REFUSED):
        out.spikes.sum().backward()


def test_an_optimizer_step_is_a_change_that_autograd_sees(
    kernels: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adam, "takes", lambda tensor: True)
    weight = torch.nn.Parameter(torch.ones(5, device=kernels.device))
    optimizer = Adam([weight], lr=0.1)
    loss = weight.square().sum()
    weight.sum().backward()
    optimizer.step()
    with pytest.raises(RuntimeError, match=REFUSED):
        loss.backward()


def test_new_running_statistics_are_a_change_that_autograd_sees(kernels: Engine) -> None:
    x = torch.randn(3, 2, 4, 8, 8, device=kernels.device)
    norm = nn.BatchNormLIF(4, backend="cuda").to(kernels.device)
    loss = norm.eval()(x).sum()
    norm.train()(x)
    with pytest.raises(RuntimeError, match=REFUSED):
        loss.backward()
