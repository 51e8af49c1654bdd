"""Weight gradients that are dense in the inputs, next to sparse gradients, by activity.

On a Bow the published N-MNIST network's training step, every list full: modelled, nothing of it is
measured. On the host device a layer's backward pass, measured in one run next to the matrix product
that it is in dense torch, whose result all are compared with.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Callable, Iterator

import torch
from torch import Tensor

from bench import rows
from bench.modelled import row
from popsnn import SpikeTensor, devices, profiling
from popsnn.nn import LI, SNN

PRESET = "nmnist-h2"
ACTIVITIES = (0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.9)  # lists of all neurons do not fit
LIMIT = "modelled cycles: estimates of the vertices' loops, with every list full"

STEPS, BATCH, INPUTS, NEURONS = 20, 48, 1466, 734
HOST_ACTIVITIES = (0.05, 0.1, 0.2, 0.5, 1.0)
RUNS, TOLERANCE = 10, 1e-5
CHOICES: dict[str, bool | str] = {"sparse": False, "dense": True, "auto": "auto"}


def run() -> Iterator[rows.Row]:
    """Measure the host, and profile the Bow; rows come as they are known."""
    for activity in HOST_ACTIVITIES:
        yield from measured(activity)
    yield from modelled()


def modelled() -> Iterator[rows.Row]:
    """Profile the preset as planned, and with sparse gradients alone where that is another plan."""
    for max_activity in ACTIVITIES:
        for device in ("bow", "bow:dense=never"):
            report = profiling.profile_preset(PRESET, device, max_activity=max_activity)
            gradients = [cost for layer in report.measured.layers for cost in layer.gradients]
            second = gradients[1]
            taken = [cost.taken for cost in gradients]
            case = {
                "preset": PRESET,
                "max_activity": max_activity,
                "device": device,
                "gradients": taken,
            }
            cycles = {"cycles_per_timestep": report.cycles_per_timestep}
            if device == "bow":
                cycles["second_layer_sparse_cycles"] = second.sparse
                cycles["second_layer_dense_cycles"] = second.dense
            print(
                f"  {PRESET} {max_activity:.0%} {device}: {report.cycles_per_timestep:,.0f} cycles "
                f"a step, gradients {' '.join(taken)}; the second layer's sparse "
                f"{second.sparse:,.0f}, dense {second.dense:,.0f} (modelled)"
            )
            for metric, value in cycles.items():
                yield row("dense_gradients", case, metric, value, limit=LIMIT)
            if "dense" not in taken:
                break


def measured(activity: float) -> list[rows.Row]:
    """Measure the backward pass of a layer on the host device."""
    generator = torch.Generator().manual_seed(0)
    x = (torch.rand(STEPS, BATCH, INPUTS, generator=generator) < activity).float()
    spikes = SpikeTensor.from_dense(x, capacity=int(x.sum(-1).max()))
    grad = torch.randn(STEPS, BATCH, NEURONS, generator=generator)
    expected = torch.einsum("tbn,tbm->nm", grad.double(), x.double())
    calls: dict[str, Callable[[], object]] = {}
    errors = {}
    for name, dense in CHOICES.items():
        device = replace(devices.parse("host"), dense=dense)
        net = SNN(LI(INPUTS, NEURONS, beta=0.0), backend="ipu", device=device)
        subject = f"popsnn-ipu-{name}"
        calls[subject] = partial(_back, net, net(spikes), grad)
        calls[subject]()
        weight = net.layers[0].weight
        assert isinstance(weight, Tensor)
        assert weight.grad is not None
        errors[subject] = float((weight.grad - expected).abs().max() / expected.abs().max())
        if not errors[subject] < TOLERANCE:
            raise RuntimeError(f"{subject}: expected {TOLERANCE}, got {errors[subject]:.1e}")
    flat, flat_grad = x.flatten(0, 1), grad.flatten(0, 1)
    calls["torch-dense"] = partial(torch.mm, flat_grad.t(), flat)
    case = {
        "steps": STEPS,
        "batch": BATCH,
        "inputs": INPUTS,
        "neurons": NEURONS,
        "activity": activity,
        "device": "host",
    }
    result = []
    for subject, seconds in rows.time_in_turn(calls, RUNS).items():
        milliseconds = rows.spread(seconds, 1e3)
        print(f"  {activity:.0%} active, {subject}: {milliseconds['median']:.1f} ms")
        result.append(
            rows.Row(
                suite="dense_gradients",
                case=case,
                subject=subject,
                dtype="float32",
                metric="backward_ms",
                max_rel_error=errors.get(subject),
                **milliseconds,
            )
        )
    return result


def _back(net: SNN, out: Tensor, grad: Tensor) -> None:
    net.zero_grad()
    out.backward(grad, retain_graph=True)
