"""Networks that hypothesis draws for the comparison of engines, and one pass of them."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import NamedTuple, Sequence

import torch
from hypothesis import strategies as st

from popsnn.devices import parse
from popsnn.engines import LayerTrace
from popsnn.functional import SparseState
from popsnn.neurons import Neuron
from popsnn.nn import LI, SNN, Delays, SNNState, SparseLIF, SparseNeurons
from popsnn.nn._sparse_layer import SparseLayer
from popsnn.surrogate import ATan, Rectangle, Sigmoid, SuperSpike, Triangle

SURROGATES = [SuperSpike(), SuperSpike(2.0), Sigmoid(), ATan(), Triangle(), Rectangle()]


@st.composite
def networks(
    draw,
    drops: bool = False,
    neurons: Sequence[Neuron] = (),
    delays: Sequence[str] = (),
    recurrent_delays: Sequence[str] = (),
):
    """Draw a network, its device and the sequence that it runs, by name.

    With `delays` some layers have Delays of one of these kinds, and with `recurrent_delays` some
    recurrent layers; an option is then the arguments of `Delays`.

    The layers that spike have LIF neurons, or one of `neurons` each.

    `sizes` and `layers`' options, `steps` T, `batch` B, input `density`, `seed`, `device`; whether
    it goes on from a `state`; `split`, the step before which a second chunk begins, or 0; whether
    the loss takes the `hidden` layers' spikes too.
    """
    sizes = draw(st.lists(st.integers(1, 40), min_size=2, max_size=4))
    readout = draw(st.booleans())
    layers = []
    for index in range(len(sizes) - 1):
        options = {
            "bias": draw(st.booleans()),
            "delay": draw(st.integers(0, 1)),
            "gain": draw(st.sampled_from([1.0, 1.7])),
            "weight_dtype": draw(st.sampled_from([None, torch.float16])),
        }
        if delays and draw(st.booleans()):
            options["delay"] = draw(delay_arguments(delays))
        spikes = not (readout and index == len(sizes) - 2)
        if spikes and neurons:
            model = draw(st.sampled_from(neurons))
            options.update(model=model, learn=draw(st.sampled_from([(), model.parameters])))
        else:
            options.update(
                beta=draw(st.sampled_from([0.0, 0.5, 0.9, 1.0])), learn_beta=draw(st.booleans())
            )
        if spikes and not neurons:
            options.update(
                learn_threshold=draw(st.booleans()),
                reset=draw(st.sampled_from(["zero", "subtract", "none"])),
                detach_reset=draw(st.booleans()),
            )
        if spikes:
            options.update(
                recurrent=draw(st.booleans()),
                surrogate=draw(st.sampled_from(SURROGATES)),
                grad_threshold=draw(st.sampled_from([None, 0.2, 0.9, 1.0])),
                max_activity=draw(st.sampled_from([0.1, 0.3, 0.6])) if drops else None,
            )
            if recurrent_delays and options["recurrent"] and draw(st.booleans()):
                options["recurrent_delay"] = draw(delay_arguments(recurrent_delays))
        layers.append(options)
    steps, batch = draw(st.integers(1, 7)), draw(st.integers(1, 8))
    split = draw(st.sampled_from([0, draw(st.integers(0, steps - 1))]))
    interval = draw(st.sampled_from([0, draw(st.integers(1, steps))]))
    ipus = draw(st.sampled_from([1, 2]))
    replicas = [n for n in range(1, min(4, batch) + 1) if n == 1 or n % ipus == 0]
    changes = {
        "tiles": draw(st.integers(4, 9)),
        "ipus": ipus,
        "replicas": draw(st.sampled_from(replicas)),
        "checkpoint_interval": interval,
        "sizes": draw(st.integers(0, 4)),
    }
    dense = tuple(draw(st.sampled_from(["auto", True, False])) for _ in layers)
    device = parse("host:" + ",".join(f"{name}={n}" for name, n in changes.items() if n))
    return {
        "sizes": sizes,
        "layers": layers,
        "steps": steps,
        "batch": batch,
        "density": draw(st.sampled_from([0.0, 0.1, 0.5])),
        "seed": draw(st.integers(0, 2**20)),
        "device": replace(device, dense=dense, remote_partials=draw(st.booleans())),
        "state": draw(st.booleans()),
        "split": split,
        "hidden": draw(st.booleans()),
    }


@st.composite
def delay_arguments(draw, kinds: Sequence[str]):
    """Draw arguments of `Delays`; their steps are drawn with the weights."""
    maximum = draw(st.integers(1, 6))
    spread = draw(st.sampled_from(["none", "straight_through", "triangle", "gaussian"]))
    return {
        "kind": draw(st.sampled_from(kinds)),
        "maximum": maximum,
        "minimum": draw(st.integers(0, maximum)),
        "learn": spread != "none",
        "spread": "triangle" if spread == "none" else spread,
        "width": draw(st.sampled_from([0.3, 1.0, 2.5])),
    }


def _delays(arguments, inputs: int, neurons: int) -> Delays:
    shape = {"axonal": (inputs,), "dendritic": (neurons,), "synaptic": (neurons, inputs)}
    low, high = arguments["minimum"], arguments["maximum"]
    steps = torch.rand(shape[arguments["kind"]]) * (high - low) + low
    return Delays(steps=steps if arguments["learn"] else steps.round(), **arguments)


def build(spec, backend: str = "ipu") -> SNN:
    torch.manual_seed(spec["seed"])
    sizes, layers = spec["sizes"], []
    for index, options in enumerate(spec["layers"]):
        kind = SparseLIF if "reset" in options else SparseNeurons if "model" in options else LI
        inputs, neurons = sizes[index : index + 2]
        made = {
            name: _delays(options[name], of, neurons)
            for name, of in (("delay", inputs), ("recurrent_delay", neurons))
            if isinstance(options.get(name), dict)
        }
        layer = kind(inputs, neurons, **{**options, **made})
        with torch.no_grad():  # strong enough that some fire and some nearly do
            layer.weight.normal_(0.2, 1.5 / max(1.0, sizes[index] * 0.3) ** 0.5)
            if layer.bias is not None:
                layer.bias.normal_(0.2, 0.3)
            if options.get("recurrent"):
                layer.recurrent_weight.normal_(0.0, 1.0 / max(1.0, sizes[index + 1] * 0.3) ** 0.5)
            if options.get("learn_beta"):  # beyond 1 the clamp holds it
                layer.beta.uniform_(0.0, 1.1)
            if options.get("learn_threshold"):  # at times below the gradient threshold
                layer.threshold.uniform_(0.6, 1.3)
        layers.append(layer)
    return SNN(*layers, backend=backend, seed=spec["seed"], device=spec["device"])


def as_definition(net: SNN) -> SNN:
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    return reference


def drawn_state(net: SNN, batch: int, seed: int) -> SNNState:
    """Return a state that some earlier steps could have left, its membranes as leaves."""
    generator = torch.Generator().manual_seed(seed)
    dtype = next(net.parameters()).dtype
    x = (torch.rand(batch, net.in_features, generator=generator) < 0.3).to(dtype).requires_grad_()
    layers = []
    for layer in net.stack:
        v = torch.randn(batch, layer.out_features, generator=generator) * 0.5
        s = torch.zeros_like(v, dtype=dtype)
        more = torch.randn(layer.other_states, *v.shape, generator=generator).to(dtype)
        if isinstance(layer, SparseLayer):
            s = (torch.rand(v.shape, generator=generator) < 0.3).to(dtype)
            s = s * (s.cumsum(-1) <= layer.capacity)
            s.requires_grad_()
        others = tuple((0.5 * value).requires_grad_() for value in more)
        lines = [
            None if line is None else _line(line, last, generator)
            for line, last in zip(net.initial_state(batch).layers[len(layers)][5:], (x, None))
        ]
        layers.append(SparseState(v.to(dtype).requires_grad_(), s, x, 11, others, *lines))
        x = s
    return SNNState(tuple(layers), seed)


def _line(zeros: torch.Tensor, last: torch.Tensor | None, generator: torch.Generator):
    """Return spikes of D steps, as a leaf."""
    line = (torch.rand(zeros.shape, generator=generator) < 0.3).to(zeros)
    if last is not None:
        line[-1] = last.detach()
    return line.requires_grad_()


class Pass(NamedTuple):
    """Results of a sequence: of each chunk the output, of each chunk's layers the traces."""

    outs: list[torch.Tensor]  # dense
    end: SNNState | None
    traces: list[LayerTrace]
    grads: dict[str, torch.Tensor]  # of x, of every parameter, and of the state at the beginning


def run(
    net: SNN,
    x: torch.Tensor,
    loss_seed: int,
    state: SNNState | None = None,
    *,
    split: int = 0,
    hidden: bool = False,
    trace: bool = True,
) -> Pass:
    """Run x [T, B, N], in two chunks where there is a `split`, and the loss of all that comes out.

    With a `state` or a split, all states after the last step take part.
    """
    x = x.clone().requires_grad_()
    generator = torch.Generator().manual_seed(loss_seed)

    def loss(values: torch.Tensor) -> torch.Tensor:
        weights = torch.randn(values.shape, generator=generator, dtype=torch.float64)
        return (values * weights.to(values)).sum()

    begun, carries = state, state is not None or split > 0
    total, outs, traces = torch.zeros((), device=x.device), [], []
    for chunk in x.split([split, len(x) - split]) if split else [x]:
        result = net(chunk, state, return_state=carries, trace=trace)
        out, *more = result if carries or trace else (result,)
        outs.append(out if isinstance(out, torch.Tensor) else out.to_dense())
        total = total + loss(outs[-1])
        if trace:
            traces += more[-1]
            below = [tensor.spikes.to_dense() for tensor in more[-1][:-1]]
            total = total + sum(map(loss, below)) if hidden else total
        if carries:
            state = more[0]
    if carries:
        total = total + sum(loss(layer.v) for layer in state.layers)
        spiking = [s for s, of in zip(state.layers, net.stack) if isinstance(of, SparseLayer)]
        total = total + sum(loss(layer.s) for layer in spiking)
        total = total + sum(loss(value) for layer in spiking for value in layer.more)
        lines = [line for layer in state.layers for line in (layer.inputs, layer.spikes)]
        total = total + sum(loss(line) for line in lines if line is not None)
    total.backward()
    grads = {"x": x.grad, **{name: p.grad for name, p in net.named_parameters()}}
    if begun is not None:
        for i, layer in enumerate(begun.layers):
            grads[f"state {i}"] = layer.v.grad
            before = {"s": layer.s, "x": layer.x} if i == 0 else {"s": layer.s}
            before.update({f"more[{k}]": value for k, value in enumerate(layer.more)})
            before.update(inputs=layer.inputs, spikes=layer.spikes)
            grads.update(
                {
                    f"{part} {i}": t.grad
                    for part, t in before.items()
                    if t is not None and t.grad is not None
                }
            )
    return Pass(outs, state, traces, grads)
