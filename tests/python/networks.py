"""Networks that hypothesis draws for the comparison of engines, and one pass of them."""

from __future__ import annotations

import copy
from functools import lru_cache

import torch
from hypothesis import strategies as st

from popsnn.functional import SparseState
from popsnn.nn import LI, SNN, SNNState, SparseLIF
from popsnn.surrogate import ATan, Rectangle, Sigmoid, SuperSpike, Triangle

SURROGATES = [SuperSpike(), SuperSpike(2.0), Sigmoid(), ATan(), Triangle(), Rectangle()]


@lru_cache(maxsize=None)
def has(capability: str) -> bool:
    """Return whether the engine has a `capability`, as far as it says so in an error."""
    try:
        if capability == "state":
            SNN(LI(1, 1), backend="ipu")(torch.zeros(1, 1, 1), return_state=True)
        else:
            SNN(SparseLIF(1, 1, **{capability: True}), backend="ipu")
    except ValueError as error:
        if "this engine" in str(error):
            return False
        raise
    return True


@st.composite
def networks(draw, drops: bool = False):
    """Draw (layers' options, T, B, M, input density, seed, device, state)."""
    sizes = draw(st.lists(st.integers(1, 40), min_size=2, max_size=4))
    readout = draw(st.booleans())
    layers = []
    for index in range(len(sizes) - 1):
        options = {
            "bias": draw(st.booleans()),
            "delay": draw(st.integers(0, 1)),
            "beta": draw(st.sampled_from([0.0, 0.5, 0.9, 1.0])),
            "gain": draw(st.sampled_from([1.0, 1.7])),
            "learn_beta": has("learn_beta") and draw(st.booleans()),
        }
        if not (readout and index == len(sizes) - 2):
            options.update(
                recurrent=has("recurrent") and draw(st.booleans()),
                learn_threshold=has("learn_threshold") and draw(st.booleans()),
                reset=draw(st.sampled_from(["zero", "subtract", "none"])),
                detach_reset=draw(st.booleans()),
                surrogate=draw(st.sampled_from(SURROGATES)),
                grad_threshold=draw(st.sampled_from([None, 0.2, 0.9, 1.0])),
                max_activity=draw(st.sampled_from([0.1, 0.3, 0.6])) if drops else None,
            )
        layers.append(options)
    return {
        "sizes": sizes,
        "layers": layers,
        "steps": draw(st.integers(1, 7)),
        "batch": draw(st.integers(1, 8)),
        "density": draw(st.sampled_from([0.0, 0.1, 0.5])),
        "seed": draw(st.integers(0, 2**20)),
        "device": f"host:tiles={draw(st.integers(4, 9))}",
        "state": has("state") and draw(st.booleans()),
    }


def build(spec) -> SNN:
    torch.manual_seed(spec["seed"])
    sizes, layers = spec["sizes"], []
    for index, options in enumerate(spec["layers"]):
        kind = SparseLIF if "reset" in options else LI
        layer = kind(sizes[index], sizes[index + 1], **options)
        with torch.no_grad():  # strong enough that some fire and some nearly do
            layer.weight.normal_(0.2, 1.5 / max(1.0, sizes[index] * 0.3) ** 0.5)
            if layer.bias is not None:
                layer.bias.normal_(0.2, 0.3)
            if options.get("recurrent"):
                layer.recurrent_weight.normal_(0.0, 1.0 / max(1.0, sizes[index + 1] * 0.3) ** 0.5)
            if options.get("learn_beta"):  # beyond 1 the clamp holds it
                layer.beta.uniform_(0.0, 1.1)
            if options.get("learn_threshold"):  # at times below the second threshold
                layer.threshold.uniform_(0.6, 1.3)
        layers.append(layer)
    return SNN(*layers, backend="ipu", seed=spec["seed"], device=spec["device"])


def as_definition(net: SNN) -> SNN:
    reference = copy.deepcopy(net).double()
    reference.backend = "torch"
    return reference


def drawn_state(net: SNN, batch: int, seed: int) -> SNNState:
    """Return a state that some earlier steps could have left, its membranes as leaves."""
    generator = torch.Generator().manual_seed(seed)
    dtype = next(net.parameters()).dtype
    x = (torch.rand(batch, net.in_features, generator=generator) < 0.3).to(dtype)
    layers = []
    for layer in net.stack:
        v = torch.randn(batch, layer.out_features, generator=generator) * 0.5
        s = torch.zeros_like(v, dtype=dtype)
        if isinstance(layer, SparseLIF):
            s = (torch.rand(v.shape, generator=generator) < 0.3).to(dtype)
            s = s * (s.cumsum(-1) <= layer.capacity)
        layers.append(SparseState(v.to(dtype).requires_grad_(), s, x, 11))
        x = s
    return SNNState(tuple(layers), seed)


def run(net: SNN, x: torch.Tensor, output_grad_seed: int, state: SNNState | None = None):
    """Return (out, traces, gradients); these are of x, of every parameter, and of the state.

    With a `state` the one at the end takes part: "out" is a tuple of the output and that.
    """
    x = x.clone().requires_grad_()
    generator = torch.Generator().manual_seed(output_grad_seed)

    def loss(values: torch.Tensor) -> torch.Tensor:
        weights = torch.randn(values.shape, generator=generator, dtype=torch.float64)
        return (values * weights.to(values.dtype)).sum()

    if state is None:
        out, traces = net(x, trace=True)
        loss(out if isinstance(out, torch.Tensor) else out.to_dense()).backward()
        begun = {}
    else:
        out, end, traces = net(x, state, return_state=True, trace=True)
        total = loss(out if isinstance(out, torch.Tensor) else out.to_dense())
        for layer in end.layers:
            total = total + loss(layer.v)
        total.backward()
        begun = {f"state {index}": one.v.grad for index, one in enumerate(state.layers)}
        out = (out, end)
    grads = {"x": x.grad, **{name: p.grad for name, p in net.named_parameters()}, **begun}
    return out, traces, grads
