"""The ipu engine: the whole network as one executable on an IPU, an autograd function over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.autograd import Function

from .. import surrogate
from ..functional import SparseState
from ..nn.li import LI
from ..nn.sparse_lif import SparseLIF
from ..spikes import SpikeTensor
from .ipu_executable import Executable, LayerKey, Results, Shape
from .ipu_session import Session
from .types import Engine, EngineResult, LayerStats, LayerTrace

if TYPE_CHECKING:
    from ..nn.snn import SNN


def session_of(net: SNN) -> Session:
    """Return what the engine keeps for a network: its executables and its optimizer."""
    session = net.engine_state.setdefault("ipu", Session(net))
    assert isinstance(session, Session)
    return session


class _Run(Function):
    """Forward and backward programs as one differentiable operation.

    The executable keeps what its last forward pass left on the tiles. Where another forward pass
    came in between, the backward pass repeats its own first.
    """

    @staticmethod
    def forward(
        ctx: Any,
        session: Session,
        executable: Executable,
        x: SpikeTensor,
        seed: int,
        *tensors: Tensor,
    ) -> Any:
        out = executable.forward(x, seed)
        ctx.session, ctx.executable, ctx.x, ctx.seed = session, executable, x, seed
        ctx.generation = executable.generation
        ctx.save_for_backward(*tensors)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        session: Session = ctx.session
        executable: Executable = ctx.executable
        if torch.is_grad_enabled():
            raise RuntimeError(
                "ipu engine: backward: expected create_graph=False, got True: this engine has no "
                "second derivatives"
            )
        with session.lock:
            if executable.shape.optimizer != "none":
                session.begin_backward(executable, ctx.generation)
            elif executable.generation != ctx.generation:
                _ = ctx.saved_tensors  # raises where a parameter has changed since
                executable.write_parameters()
                executable.write_neurons()
                executable.forward(ctx.x, ctx.seed)
                ctx.generation = executable.generation
            values_grad, parameter_grads = executable.backward(grads[0])
        return (None, None, None, None, values_grad, *parameter_grads)


class _Observed(Function):
    """A tensor of a trace: it takes part in no loss on this engine, and says so."""

    @staticmethod
    def forward(ctx: Any, observed: Tensor, out: Tensor) -> Tensor:
        return observed.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError(
            "ipu engine: backward: expected a loss of the network's output, got one of a trace: "
            "gradients of hidden layers' spikes and membranes are on the torch engine"
        )


class IpuEngine(Engine):
    """Runs a network in float32 on the device that it names."""

    name = "ipu"

    def unsupported(self, net: SNN) -> str | None:
        for index, layer in enumerate(net.stack):
            for name, parameter in layer.named_parameters():
                if name not in ("weight", "bias"):
                    return (
                        f"layer {index}: {name}: this engine trains weights and biases of "
                        "feed-forward layers, expected no such parameter, got one"
                    )
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

    def forward(
        self,
        net: SNN,
        x: SpikeTensor,
        seed: int,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        if state is not None or return_state:
            raise ValueError(
                "ipu engine: state: this engine begins at rest and returns no state, expected "
                "none, got one asked for"
            )
        session = session_of(net)
        with session.lock:
            return self._forward(session, x, seed, trace)

    def _forward(self, session: Session, x: SpikeTensor, seed: int, trace: bool) -> EngineResult:
        net, parameters = session.net, session.parameters
        steps, batch, _ = x.shape
        optimizer = session.optimizer if torch.is_grad_enabled() else None
        shape = Shape(
            net.device,
            tuple(LayerKey.of(layer) for layer in net.stack),
            steps,
            batch,
            x.capacity,
            torch.is_grad_enabled() and x.requires_grad,
            "none" if optimizer is None else optimizer.device_name,
        )
        executable = session.executable(shape)
        # Lists without their values: what the function keeps is off the autograd graph.
        out = _Run.apply(session, executable, x.detach(), seed, x.values, *parameters)
        ends_in_spikes = isinstance(net.stack[-1], SparseLIF)
        results = executable.read_lists(spikes=trace or ends_in_spikes)
        result_out = results.spikes(len(net.stack) - 1, values=out) if ends_in_spikes else out
        traces = _traces(net, executable, results, out) if trace else None
        stats = [
            LayerStats.of(counts, results.drops[index], results.sizes[index])
            for index, counts in results.counts.items()
        ]
        return EngineResult(result_out, traces, stats, None)


def _traces(net: SNN, executable: Executable, results: Results, out: Tensor) -> list[LayerTrace]:
    """Return what the layers did; `out` is what the network's output carries autograd with."""

    def observed(tensor: Tensor) -> Tensor:
        seen: Tensor = _Observed.apply(tensor, out) if out.requires_grad else tensor
        return seen

    membranes = [observed(membrane) for membrane in executable.read_membranes()]
    traces = []
    for index, layer in enumerate(net.stack):
        if isinstance(layer, LI):
            traces.append(LayerTrace(None, out))
        elif index == len(net.stack) - 1:
            traces.append(LayerTrace(results.spikes(index, values=out), membranes[index]))
        else:
            spikes = results.spikes(index)
            spikes.values = observed(spikes.values)
            traces.append(LayerTrace(spikes, membranes[index]))
    return traces


ENGINE = IpuEngine()
