"""The ipu engine: the whole network as one executable on an IPU, an autograd function over it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd import Function

from .._internal.hashing import Seed, seed_value
from .._internal.spec import LayerSpec
from ..backends import backend
from ..functional import SparseState
from ..nn._parts import SpikesOrDense, rounded
from ..nn._sparse_layer import SparseLayer
from ..nn.engine import Engine, EngineResult, LayerTrace, PendingStats
from ..nn.sparse_li import SparseLI
from ..spikes import SpikeTensor
from .device_parameter import DeviceParameter
from .ipu_delays import axons_of, early_currents, late_input, taps_of
from .ipu_executable import Executable, network_spec, unsupported_options
from .ipu_session import Session, pull_others
from .ipu_state import (
    check_carries_state,
    check_for_device,
    check_state,
    input_capacity,
    saved_before,
    spikes_before,
    states_after,
)
from .ipu_streams import Arrays, on_device

if TYPE_CHECKING:
    from ..nn.snn import SNN


TRAINABLE = (nn.Parameter, DeviceParameter)  # classes that a device can update


def session_of(net: SNN) -> Session:
    """Return what the engine keeps for a network: its executables and its optimizer."""
    session = net.engine_state.setdefault("ipu", Session())
    assert isinstance(session, Session)
    return session


class _Run(Function):
    """Forward and backward programs as one differentiable operation.

    Of the tensors that autograd sees come first the values of the input, then for each layer its
    neurons' parameters [P, N], for each layer with dendritic delays its taps [K, N]. Where states
    are carried follow for each layer what its neurons save [B, S, N] before the first step, for
    each layer with a ring of currents those [D, B, N] of the first steps that come from before
    them, and the spikes of the step before that layers read. Weights and biases are last. The
    executable keeps what its last forward pass left on the tiles. Where another forward pass came
    in between, or a backward pass whose intervals left the first steps' states, the backward pass
    repeats its own forward pass first: by the copies of spikes and membranes that the call has,
    and by the parameters, whose changes autograd refuses.
    """

    @staticmethod
    def forward(ctx: Any, call: _Call, *tensors: Tensor) -> Any:
        neurons, taps, weights = call.parameters(tensors)
        call.executable.write_neurons(neurons, taps, call.axons)
        out = call.executable.forward(call.inputs)
        ctx.call, ctx.generation = call, call.executable.generation
        if call.executable.spec.optimizer == "none":  # the device's optimizer changes its own
            # weak: values are kept by save_for_backward alone, where autograd sees their changes
            parameters = (tensor for tensor in tensors if isinstance(tensor, torch.nn.Parameter))
            ctx.parameters = [weakref.ref(parameter) for parameter in parameters]
            ctx.save_for_backward(*neurons, *taps, *weights)
        ctx.neuron_rows = [len(grad) for grad in neurons]
        ctx.sizes = [weight.shape for weight in weights]
        return tuple(out)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        call: _Call = ctx.call
        if torch.is_grad_enabled():
            raise RuntimeError(
                "ipu engine: backward: expected create_graph=False, got True: this engine has no "
                "second derivatives"
            )
        executable, session = call.executable, call.session
        weights: dict[str, Tensor] = {}
        with session.lock:
            if executable.spec.optimizer != "none":
                session.begin_backward(executable, ctx.generation)
            else:
                # What another device has trained since changes here; then unpacking raises. That
                # happens once: torch.utils.checkpoint repeats a region for one unpacking alone.
                alive = (parameter() for parameter in ctx.parameters)
                pull_others((tensor for tensor in alive if tensor is not None), None)
                saved = ctx.saved_tensors
                neurons = saved[: len(ctx.neuron_rows)]
                taps = saved[len(neurons) : len(saved) - len(call.streams)]
                weights = dict(zip(call.streams, saved[len(neurons) + len(taps) :]))
                if executable.generation != ctx.generation or not executable.holds_last_states:
                    executable.write_parameters(weights)
                    executable.write_neurons(neurons, taps, call.axons)
                    executable.forward(call.inputs)
                    ctx.generation = executable.generation
            result = executable.backward(grads, dict(zip(call.streams, ctx.sizes)))
        values = result.values
        if values is not None:  # the capacity of `x`; states may have asked for more
            values = values[..., : call.capacity]
        learnt = [
            None if grad is None else _padded(grad, rows)
            for grad, rows in zip(result.neurons, ctx.neuron_rows)
        ]
        taps = [result.taps.get(index) for index in executable.delayed]
        early = list(result.early.values())
        first = 2 + len(learnt) + len(taps) + len(result.rest) + len(early)
        before = [
            result.currents[stream] @ _as_read(weights[stream], executable.spec.layers[index])
            if wanted
            else None
            for (index, stream), wanted in zip(call.before, ctx.needs_input_grad[first:])
        ]
        return (None, values, *learnt, *taps, *result.rest, *early, *before, *result.weights)


def _padded(grad: Tensor, rows: int) -> Tensor:
    """Return the gradient of the parameters that learn, zero for those of `rows` that do not."""
    return torch.cat([grad, grad.new_zeros(rows - grad.shape[0], grad.shape[1])])


def _as_read(weight: Tensor, layer: LayerSpec) -> Tensor:
    """Return weights as a layer's product takes them."""
    return rounded(weight.detach(), torch.float16 if layer.half_weights else None)


class _Call(NamedTuple):
    """One forward pass: what of it autograd does not see."""

    session: Session
    executable: Executable
    inputs: Arrays  # of the forward program
    axons: Arrays
    capacity: int  # of the input's lists
    before: list[tuple[int, str]]  # layers that read spikes of the step before, and by which stream
    streams: list[str]  # of weights and biases

    def parameters(
        self, tensors: Sequence[Tensor]
    ) -> tuple[Sequence[Tensor], Sequence[Tensor], Sequence[Tensor]]:
        """Return neurons' parameters [P, N], taps [K, N], weights and biases of all tensors."""
        layers = 1 + len(self.executable.spec.layers)
        taps = layers + len(self.executable.delayed)
        weights = len(tensors) - len(self.streams)
        return tensors[1:layers], tensors[layers:taps], tensors[weights:]


class _Observed(Function):
    """A membrane of a trace: it takes part in no loss on this engine, and says so."""

    @staticmethod
    def forward(ctx: Any, observed: Tensor, out: Tensor) -> Tensor:
        return observed.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError(
            "ipu engine: backward: expected a loss of outputs, spikes and states, got one of a "
            "trace's membrane: its gradient is on the torch engine"
        )


class IpuEngine(Engine):
    """Runs a network in float32 on the device that it names."""

    name = "ipu"
    repeats_passes = True

    def unavailable(self) -> str | None:
        return backend("ipu").reason

    def unsupported(self, net: SNN) -> str | None:
        for index, layer in enumerate(net.stack):
            reason = unsupported_options(layer)  # traces steps: torch has to hand functions over
            if reason is not None:
                return f"layer {index}: {reason}"
        with torch._C.DisableTorchFunctionSubclass():  # reads metadata, in every pass
            return self._unsupported(net)

    def _unsupported(self, net: SNN) -> str | None:
        for index, layer in enumerate(net.stack):
            for name, parameter in layer.named_parameters():
                if parameter.dtype != torch.float32 or parameter.device.type != "cpu":
                    return (
                        f"layer {index}: {name}: expected a float32 tensor on the CPU, "
                        f"got {parameter.dtype} on {parameter.device}"
                    )
        return None

    def device(self, net: SNN) -> str:
        return f"emulated IPU ({net.device})"

    def run(
        self,
        net: SNN,
        x: SpikesOrDense,
        seed: Seed,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        assert isinstance(x, SpikeTensor)
        session = session_of(net)
        with session.lock:
            parameters = dict(net.named_parameters())
            pull_others(parameters.values(), session)
            # The device has this network's own values; all others are on the host now.
            with torch._C.DisableTorchFunctionSubclass():
                if session.optimizer is not None and torch.is_grad_enabled():
                    # In each pass: a parameter may have been frozen or added since the last.
                    _check_trainable(parameters)
                    _check_one_process(net)
                return self._forward(net, session, x, seed_value(seed), trace, state, return_state)

    def _forward(
        self,
        net: SNN,
        session: Session,
        x: SpikeTensor,
        seed: int,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        last = len(net.stack) - 1
        ends_in_spikes = isinstance(net.stack[last], SparseLayer)
        carries_state = state is not None or return_state
        if carries_state:
            check_carries_state(net)
        check_state(state)
        on_tiles = session.optimizer if torch.is_grad_enabled() else None
        optimizer = "none" if on_tiles is None else on_tiles.device_name
        if optimizer != "none" and state is not None:
            check_for_device(net, state)
        weights = on_device(net, "none")
        updated = weights if optimizer == "none" else on_device(net, optimizer)
        device = net.device
        if not torch.is_grad_enabled():
            device = device.for_batch(x.shape[1])
        steps, batch, _ = x.shape
        given, x = x, late_input(net, x)
        executable = session.executables.of(
            network_spec(
                net.stack,
                steps,
                batch,
                input_capacity(net, x, state),
                input_gradient=torch.is_grad_enabled() and x.requires_grad,
                optimizer=optimizer,
                carries_state=carries_state,
                traced=trace,
            ),
            device,
            session.release,
        )
        session.use(executable, updated)
        rest = saved_before(net, x, state, executable.spec) if carries_state else []
        taps = taps_of(net)
        early = early_currents(net, batch, state, executable.spec) if carries_state else []
        before = spikes_before(net, state)
        call = _Call(
            session,
            executable,
            executable.inputs(x, seed, state, rest, early),
            axons_of(net),
            x.capacity,
            [(index, stream) for index, stream, _ in before],
            list(weights),
        )
        seen = [
            x.values if x.requires_grad else x.ids,  # for their gradient alone
            *map(neuron_parameters, net.stack),
            *taps,
            *rest,
            *early,
            *(tensor for _, _, tensor in before),
            *weights.values(),
        ]
        out = list(_Run.apply(call, *seen))
        results = executable.read_lists(spikes=trace or return_state or ends_in_spikes)
        membrane = None if ends_in_spikes else out.pop(0)
        values = {index: out.pop(0) for index in executable.observed}
        spikes = {
            index: results.spikes(index, values=values.get(index))
            for index in executable.spiking
            if results.ids
        }
        result_out = spikes[last] if membrane is None else membrane
        stats = [
            PendingStats(counts, results.drops[index], results.sizes[index])
            for index, counts in results.counts.items()
        ]
        traces = _traces(executable, spikes, result_out) if trace else None
        states = None
        if return_state:
            states = states_after(net, given, state, results, values, out, executable.spec)
        return EngineResult(result_out, traces, stats, states)


def _check_trainable(parameters: dict[str, nn.Parameter]) -> None:
    for name, parameter in parameters.items():
        if name.endswith("delay.steps"):
            raise ValueError(
                "ipu engine: parameters: expected fixed delays while the device updates the "
                f"weights, got {name}, which learns: use torch's optimizer"
            )
        if not parameter.requires_grad:
            raise ValueError(
                "ipu engine: parameters: expected all to require a gradient while the device "
                f"updates them, got {name} without"
            )
        if type(parameter) not in TRAINABLE:
            raise ValueError(
                f"ipu engine: parameters: expected each to be a torch.nn.Parameter while the "
                f"device updates them, got {name} of {type(parameter).__name__}"
            )
        if parameter._backward_hooks or getattr(parameter, "_post_accumulate_grad_hooks", None):
            raise ValueError(
                "ipu engine: parameters: expected none with hooks on its gradient, which stays on "
                f"the device that updates them, got {name} with one"
            )


def _check_one_process(net: nn.Module) -> None:
    """Raise where several processes of a DistributedDataParallel train `net`: each would alone."""
    parallel: Any = nn.parallel.DistributedDataParallel
    wrapper = getattr(parallel, "_active_ddp_module", None)  # of the forward pass that runs
    if wrapper is None or wrapper.process_group.size() == 1:
        return
    if any(module is net for module in wrapper.module.modules()):  # not one that it only calls
        raise ValueError(
            "ipu engine: parameters: expected an optimizer of torch inside of "
            f"DistributedDataParallel of {wrapper.process_group.size()} processes, which averages "
            "gradients on the host, got one of popsnn.optim, whose gradients stay on the device"
        )


def neuron_parameters(layer: SparseLayer | SparseLI) -> Tensor:
    """Return the rows [P, N] that the layer's codelet takes: of spikes the last is theta_grad."""
    size = layer.out_features
    rows = list(layer.neuron_parameters())
    if isinstance(layer, SparseLayer):
        rows.append(float("-inf") if layer.grad_threshold is None else layer.grad_threshold)
    if not any(isinstance(row, Tensor) for row in rows):
        return torch.from_numpy(np.repeat(np.array(rows, np.float32)[:, None], size, axis=1))
    # Weights are on the CPU here, whatever the default device is.
    values = [torch.as_tensor(row, dtype=torch.float32, device="cpu") for row in rows]
    return torch.stack([row.expand(size) for row in values])


def _traces(
    executable: Executable, spikes: dict[int, SpikeTensor], out: Tensor | SpikeTensor
) -> list[LayerTrace]:
    """Return what the layers did; `out` is the network's output, and a last SparseLI's membrane."""
    carrier = out.values if isinstance(out, SpikeTensor) else out  # what carries autograd

    def observed(tensor: Tensor) -> Tensor:
        seen: Tensor = _Observed.apply(tensor, carrier) if carrier.requires_grad else tensor
        return seen

    membranes = executable.read_membranes()
    if isinstance(out, Tensor):
        membranes[-1] = out
    return [
        LayerTrace(spikes.get(index), membrane if membrane is out else observed(membrane))
        for index, membrane in enumerate(membranes)
    ]
