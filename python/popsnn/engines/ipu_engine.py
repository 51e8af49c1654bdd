"""The ipu engine: the whole network as one executable on an IPU, an autograd function over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import torch
from torch import Tensor
from torch.autograd import Function

from .. import surrogate
from ..nn.li import LI
from ..nn.sparse_lif import SparseLIF
from ..spikes import SpikeTensor
from .ipu_executable import Executable, Results, Shape
from .ipu_session import Session
from .types import Engine, EngineResult, LayerStats, LayerTrace

if TYPE_CHECKING:
    from ..nn.snn import SNN

_sessions: WeakKeyDictionary[SNN, Session] = WeakKeyDictionary()


def session_of(net: SNN) -> Session:
    """Return what the engine keeps for a network: its executables and its optimizer."""
    if net not in _sessions:
        _sessions[net] = Session(net)
    return _sessions[net]


class _Run(Function):
    """Forward and backward programs as one differentiable operation.

    The executable keeps what its last forward pass left on the tiles. Where another forward pass
    came in between, the backward pass repeats its own first.
    """

    @staticmethod
    def forward(
        ctx: Any, executable: Executable, x: SpikeTensor, seed: int, *tensors: Tensor
    ) -> Any:
        out = executable.forward(x, seed)
        ctx.executable, ctx.x, ctx.seed = executable, x, seed
        ctx.generation = executable.generation
        ctx.save_for_backward(*tensors)
        ctx.set_materialize_grads(True)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        executable: Executable = ctx.executable
        if executable.generation != ctx.generation:
            if executable.shape.optimizer != "none":
                raise RuntimeError(
                    "ipu engine: backward: expected the last forward pass while the device "
                    "updates the weights, got an earlier one"
                )
            _ = ctx.saved_tensors  # raises where a parameter has changed since
            executable.write_parameters()
            executable.forward(ctx.x, ctx.seed)
            ctx.generation = executable.generation
        values_grad, parameter_grads = executable.backward(grads[0])
        return (None, None, None, values_grad, *parameter_grads)


class IpuEngine(Engine):
    """Runs a network in float32 on the device that it names."""

    name = "ipu"

    def unsupported(self, net: SNN) -> str | None:
        for index, layer in enumerate(net.stack):
            for name, parameter in layer.named_parameters():
                if parameter.dtype != torch.float32 or parameter.device.type != "cpu":
                    return (
                        f"layer {index}: {name}: expected a float32 tensor on the CPU, "
                        f"got {parameter.dtype} on {parameter.device}"
                    )
            if isinstance(layer, SparseLIF) and type(layer.surrogate) not in surrogate.NAMED:
                names = ", ".join(kind.__name__ for kind in surrogate.NAMED)
                return (
                    f"layer {index}: surrogate: expected one of {names}, "
                    f"got {type(layer.surrogate).__name__}"
                )
        return None

    def device(self, net: SNN) -> str:
        return f"emulated IPU ({net.device})"

    def forward(self, net: SNN, x: SpikeTensor, seed: int, trace: bool) -> EngineResult:
        session = session_of(net)
        steps, batch, _ = x.shape
        parameters = session.parameters
        input_grad = torch.is_grad_enabled() and x.requires_grad
        training = torch.is_grad_enabled() and any(p.requires_grad for p in parameters)
        executable = session.executable(
            Shape(
                net.device,
                steps,
                batch,
                x.capacity,
                input_grad,
                session.optimizer_name(training),
            )
        )
        # Lists without their values: what the function keeps is off the autograd graph.
        out = _Run.apply(executable, x.detach(), seed, x.values, *parameters)
        results = executable.read_lists(spikes=trace or isinstance(net.stack[-1], SparseLIF))
        if isinstance(net.stack[-1], SparseLIF):
            out = results.spikes(len(net.stack) - 1, values=out)
        return EngineResult(
            out,
            _traces(net, executable, results, out) if trace else None,
            [
                LayerStats.of(counts, results.drops[index], results.sizes[index])
                for index, counts in results.counts.items()
            ],
        )


def _traces(
    net: SNN, executable: Executable, results: Results, out: Tensor | SpikeTensor
) -> list[LayerTrace]:
    membranes = executable.read_membranes()
    last = len(net.stack) - 1
    traces = []
    for index, layer in enumerate(net.stack):
        if isinstance(layer, LI):
            traces.append(LayerTrace(None, cast(Tensor, out)))
        else:
            spikes = cast(SpikeTensor, out) if index == last else results.spikes(index)
            traces.append(LayerTrace(spikes, membranes[index]))
    return traces


ENGINE = IpuEngine()
