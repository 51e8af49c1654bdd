"""Training steps of whole networks on a GPU: forward, loss, backward, Adam, as one CUDA graph.

`bars`: N-MNIST's shape, [2312, 1466, 1466, 10], T=100, B=48, 32 input spikes a step, with weights
that fill the hidden lists to 80 %, next to the same network in dense torch, step by step and fused.
`published`: the configurations of the published log, and SHD's and DVSGesture's shapes, with every
neuron firing at every step ("fixed") and with weights as the published programs draw them, next to
dense networks of the same layers, which are timed once for each network.
`hidden`: the network of `bars` in float32, whose second layer adds up the weights of the spikes or
multiplies dense rows. `recurrent`: 700-1024r-20, whose hidden layer is recurrent and has no
capacity, T=1000, B=256. `sizes`: networks of 3 to 193 layers. `inputs`: an input's product by both
variants. Errors are those of the gradients against the reference in float64.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import partial
from typing import Callable, Iterator
from unittest.mock import patch

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bench import gpu, sparse_step
from bench.gpu import graphed, milliseconds
from bench.networks.dense_twin import DenseTwin
from bench.networks.published import CAP, NETWORKS, WIDTH, scaled
from bench.rows import Row, spread, wanted
from popsnn import SpikeTensor
from popsnn.cuda import Adam, CapturedStep
from popsnn.cuda.device.planes import split_planes
from popsnn.cuda.device.products import currents
from popsnn.cuda.events import events
from popsnn.cuda.layer.padded_rows import pad_weight
from popsnn.engines import cuda_layers
from popsnn.functional import readout_loss
from popsnn.nn import SNN, SparseLI, SparseLIF
from popsnn.profiling.models import network as published_network
from popsnn.profiling.presets import PRESETS, Preset

OURS = "popsnn-cuda"
HIDDEN = f"{OURS}-hidden"
RECURRENT = f"{OURS}-recurrent"
CAPS = (0.01, 0.05, 0.1)
NARROW, HALF, WIDE = torch.bfloat16, torch.float16, torch.float32
RUNS = 20
CHECKED = 4  # samples whose gradients are compared with the reference

row = partial(gpu.row, "network")


def run() -> Iterator[Row]:
    """Measure everything, the bars first."""
    if not gpu.here():
        return
    torch.manual_seed(0)
    for part in (bars, hidden, recurrent, published, sizes, inputs):
        yield from part()


def in_type(net: SNN, dtype: torch.dtype, precision: str = "float32") -> SNN:
    """Return a copy on the cuda engine whose products are of this type and precision."""
    layers = copy.deepcopy(net.stack)
    net = SNN(*layers, backend="cuda", check_input=False, precision=precision).to("cuda")
    for layer in net.stack:
        layer.weight_dtype = None if dtype == WIDE else dtype
    return net


def loss_of(out: Tensor | SpikeTensor, labels: Tensor, backend: str = "auto") -> Tensor:
    """Return the cross-entropy of the mean output; of spikes, their rate."""
    if isinstance(out, SpikeTensor):
        return cross_entropy(out.rate(), labels)
    return readout_loss(out, labels, backend=backend).loss


def training_step(
    net: torch.nn.Module, x: SpikeTensor | Tensor, labels: Tensor
) -> Callable[[], Tensor]:
    """Return a training step; the rate 0 does all of the work and keeps the network as it is."""
    optimizer: torch.optim.Optimizer
    backend = "auto" if isinstance(net, SNN) else "torch"
    if isinstance(net, SNN):
        optimizer = Adam(net.parameters(), lr=0.0)
    else:
        optimizer = torch.optim.Adam(net.parameters(), lr=0.0, fused=True, capturable=True)

    def step() -> Tensor:
        optimizer.zero_grad()
        loss = loss_of(net(x), labels, backend)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def random_lists(preset: Preset, generator: torch.Generator) -> tuple[SpikeTensor, Tensor]:
    """Return full input lists and labels."""
    lists = preset.steps * preset.batch
    chosen = torch.rand(lists, preset.inputs, generator=generator, device="cuda")
    ids = chosen.topk(preset.input_capacity).indices.sort(-1).values.int()
    ids = ids.view(preset.steps, preset.batch, -1)
    counts = torch.full(
        (*ids.shape[:2], 2), preset.input_capacity, dtype=torch.int32, device="cuda"
    )
    labels = torch.randint(preset.classes, (preset.batch,), generator=generator, device="cuda")
    return SpikeTensor(ids, counts, preset.inputs, check=False), labels


def gradient_error(net: SNN, x: SpikeTensor, labels: Tensor) -> float:
    """Return the error of the gradients of a few samples, as norms, against the reference.

    The reference is that of the network: where its layers round weights, so are the reference's. It
    does not round those that products take in TF32, whose neurons may spike at other steps.
    """
    few, labels = x.select_batch(slice(0, CHECKED)), labels[:CHECKED]
    mine, reference = copy.deepcopy(net), copy.deepcopy(net).double()
    reference.backend = "torch"
    for network in (mine, reference):
        loss_of(network(few), labels).backward()
    pairs = zip(mine.parameters(), reference.parameters())
    return max(
        float((a.grad.double() - b.grad).norm() / b.grad.norm().clamp_min(1e-30))
        for a, b in pairs
        if a.grad is not None and b.grad is not None
    )


def limit(net: SNN, x: SpikeTensor) -> str:
    """Return what products and Adam's bytes alone would take."""
    steps, batch, _ = x.shape
    shapes = [layer.weight.shape for layer in net.stack]
    each = [2 * steps * batch * n * m for n, m in shapes]
    work = 3 * sum(each) - each[0]  # nobody asks for the input's gradient
    moved = 28 * sum(p.numel() for p in net.parameters())
    return (
        f"products: {work / 1e9:.0f} GFLOP at 700 TFLOP/s, {work / 7e11:.3f} ms; "
        f"Adam: {moved / 1e6:.0f} MB at 4.3 TB/s, {moved / 4.3e9:.3f} ms"
    )


def measured(
    case: dict[str, object],
    net: SNN,
    x: SpikeTensor,
    labels: Tensor,
    dtype: torch.dtype,
    check: bool,
    precision: str = "float32",
) -> Iterator[Row]:
    """Measure a training step of ours as a graph."""
    case, net = dict(case), in_type(net, dtype, precision)
    error = gradient_error(net, x, labels) if check else None
    step = training_step(net, x, labels)
    peak = gpu.peak_bytes(step)
    times = milliseconds(CapturedStep(step), RUNS)
    for index, layer in enumerate(net.stats(), start=1):
        if index <= 2:
            case[f"hidden{index}_activity"] = round(layer.activity, 4)
            case[f"hidden{index}_dropped"] = layer.dropped_spikes + layer.dropped_gradients
    bound = limit(net, x)
    off = "" if error is None else f", gradients off by {error:.1e}"
    print(f"  {case}: {dtype} {spread(times, 1.0)['median']:.3f} ms{off}", flush=True)
    name = f"{OURS}-graph" if precision == "float32" else f"{OURS}-graph-{precision}"
    yield row(case, name, dtype, "train_step_ms", times, peak=peak, limit=bound, error=error)


def bars() -> Iterator[Row]:
    """Measure N-MNIST's shape at every cap, and dense torch next to it."""
    preset = sparse_step.PRESET
    generator = torch.Generator().manual_seed(0)
    x = sparse_step.input_lists(generator)
    dense = x.to_dense()
    on_gpu, rows_on_gpu = x.to("cuda"), dense.to("cuda")
    labels = torch.randint(preset.classes, (preset.batch,), generator=generator).to("cuda")
    for cap in CAPS:
        net = sparse_step.network(cap, dense[:, : sparse_step.SCALED_ON], generator)
        case: dict[str, object] = {
            "network": "-".join(map(str, preset.sizes)),
            "T": preset.steps,
            "batch": preset.batch,
            "input_spikes": x.capacity,
            "max_activity": cap,
        }
        if wanted(OURS):
            yield from measured(case, net, on_gpu, labels, NARROW, True)
            if cap == CAPS[1]:
                yield from measured(case, net, on_gpu, labels, WIDE, True)
                step = training_step(in_type(net, NARROW), on_gpu, labels)
                yield row(case, OURS, NARROW, "train_step_ms", milliseconds(step, RUNS))
        if cap == CAPS[1]:
            yield from dense_engines(case, net, rows_on_gpu, labels)


def hidden() -> Iterator[Row]:
    """Measure training steps in float32 by the indices of hidden spikes and by their rows."""
    preset = sparse_step.PRESET
    generator = torch.Generator().manual_seed(0)
    x = sparse_step.input_lists(generator)
    scaled_on = x.to_dense()[:, : sparse_step.SCALED_ON]
    on_gpu = x.to("cuda")
    labels = torch.randint(preset.classes, (preset.batch,), generator=generator).to("cuda")
    for cap in CAPS if wanted(HIDDEN) else ():
        net = in_type(sparse_step.network(cap, scaled_on, generator), WIDE)
        with patch.object(cuda_layers, "FEWEST_LISTED_MULTIPLICATIONS", 0):  # of a few samples
            error = gradient_error(net, on_gpu, labels)
        case: dict[str, object] = {
            "network": "-".join(map(str, preset.sizes)),
            "T": preset.steps,
            "batch": preset.batch,
            "max_activity": cap,
        }
        for order, fewest in (
            ("lists", cuda_layers.FEWEST_LISTED_MULTIPLICATIONS),
            ("rows", 1 << 60),
        ):
            with patch.object(cuda_layers, "FEWEST_LISTED_MULTIPLICATIONS", fewest), patch.object(
                events, "SPARSE_OF_TERMS", 1.0
            ):  # lists of every capacity
                step = training_step(net, on_gpu, labels)
                times = milliseconds(CapturedStep(step), RUNS)
            median = spread(times, 1.0)["median"]
            print(f"  {case}: {order} {median:.3f} ms, gradients off by {error:.1e}", flush=True)
            yield row(case, f"{HIDDEN}-{order}", WIDE, "train_step_ms", times, error=error)


def recurrent() -> Iterator[Row]:
    """Measure training steps of a long sequence through a recurrent layer."""
    if not wanted(RECURRENT):
        return
    generator = torch.Generator("cuda").manual_seed(0)
    layer = SparseLIF(700, 1024, beta=0.9, recurrent=True, grad_threshold=0.9)
    net = SNN(layer, SparseLI(1024, 20, beta=0.9)).to("cuda")
    assert layer.recurrent_weight is not None
    with torch.no_grad():  # about 5 % of the hidden neurons fire
        layer.weight.normal_(0.0, 0.083, generator=generator)
        layer.recurrent_weight.normal_(0.0, 0.01, generator=generator)
    preset = replace(
        PRESETS["shd-h2"], inputs=700, classes=20, steps=1000, batch=256, input_capacity=35
    )
    case: dict[str, object] = {"network": "700-1024r-20", "T": preset.steps, "batch": preset.batch}
    x, labels = random_lists(preset, generator)
    for dtype in (NARROW, HALF, WIDE):
        yield from measured(case, net, x, labels, dtype, True)
    yield from measured(case, net, x, labels, WIDE, True, "tf32")


def dense_engines(case: dict[str, object], net: SNN, x: Tensor, labels: Tensor) -> Iterator[Row]:
    """Measure dense torch step by step, layer by layer, and our kernels without capacities."""
    name = f"torch-{torch.__version__}"
    case = {**case, "max_activity": None}
    for by_layer, order in ((False, "step-by-step"), (True, "layer-by-layer")):
        step = training_step(DenseTwin(net, by_layer).to("cuda"), x, labels)
        times = milliseconds(step, 3, 1)
        print(f"  {name}-{order}: {spread(times, 1.0)['median']:.2f} ms", flush=True)
        yield row(case, f"{name}-{order}", WIDE, "train_step_ms", times)
        if by_layer:
            continue
        for dtype in (WIDE, NARROW):
            twin = DenseTwin(net, by_layer).to("cuda", dtype)
            times = milliseconds(graphed(training_step(twin, x.to(dtype), labels)), 5)
            print(
                f"  {name}-{order}-graph {dtype}: {spread(times, 1.0)['median']:.2f} ms", flush=True
            )
            yield row(case, f"{name}-{order}-graph", dtype, "train_step_ms", times)
    fused = without_capacities(net)
    for dtype in (NARROW, WIDE):
        step = training_step(in_type(fused, dtype), x, labels)
        times = milliseconds(CapturedStep(step), RUNS)
        print(f"  fused {dtype}: {spread(times, 1.0)['median']:.2f} ms", flush=True)
        yield row(case, f"{OURS}-dense-graph", dtype, "train_step_ms", times)


def published() -> Iterator[Row]:
    """Measure the published configurations, and those of two more datasets' shapes at 5 %."""
    if not wanted(OURS):
        return
    dense: dict[str, dict[str, list[float]]] = {}
    for name, cap in NETWORKS:
        preset = PRESETS[name]
        x, labels = random_lists(preset, torch.Generator("cuda").manual_seed(0))
        if name not in dense:
            net = published_network(preset, cap, "natural")
            dense[name] = dense_times(net, x.to_dense(), labels)
        for activity in ("fixed", "natural"):
            net = published_network(preset, cap, activity)
            case: dict[str, object] = {
                "preset": name,
                "max_activity": cap,
                "activity": activity,
                "batch": preset.batch,
                "T": preset.steps,
                "published_log_ms": preset.published_ms(cap),
            }
            yield from measured(case, net, x, labels, NARROW, False)
            for subject, times in dense[name].items():
                yield row(case, subject, NARROW, "train_step_ms", times)


def dense_times(net: SNN, x: Tensor, labels: Tensor) -> dict[str, list[float]]:
    """Return the times of dense networks, which neither caps nor activities change, by subject.

    They are torch step by step and our kernels without capacities, as graphs and of bfloat16.
    """
    twin = DenseTwin(net).to("cuda", NARROW)
    by_step = graphed(training_step(twin, x.to(NARROW), labels))
    fused = CapturedStep(training_step(in_type(without_capacities(net), NARROW), x, labels))
    results = {
        f"torch-{torch.__version__}-step-by-step-graph": milliseconds(by_step, 5),
        f"{OURS}-dense-graph": milliseconds(fused, RUNS),
    }
    for subject, times in results.items():
        print(f"  {subject}: {spread(times, 1.0)['median']:.3f} ms", flush=True)
    return results


def without_capacities(net: SNN) -> SNN:
    """Return a copy whose capacity is all neurons."""
    net = copy.deepcopy(net)
    for layer in net.stack:
        if isinstance(layer, SparseLIF):
            layer.max_activity = None
    return net


def sizes() -> Iterator[Row]:
    """Measure networks of more and more layers, as the published weak scaling has them."""
    if not wanted(OURS):
        return
    for layers in (3, 12, 48, 96, 193):
        preset = scaled(layers)
        x, labels = random_lists(preset, torch.Generator("cuda").manual_seed(0))
        net = published_network(preset, CAP, "natural")
        case: dict[str, object] = {
            "layers": layers,
            "width": WIDTH,
            "neurons": sum(preset.sizes[1:]),
            "weights": sum(layer.weight.numel() for layer in net.stack),
            "max_activity": CAP,
            "batch": preset.batch,
            "T": preset.steps,
        }
        yield from measured(case, net, x, labels, NARROW, False)


def currents_of_terms(given: events.Lists, weight: Tensor) -> Tensor:
    """Return the product of dense rows with weights of float32, as one of terms of bfloat16."""
    rows, wide = given.rows(NARROW), pad_weight(weight, WIDE)
    out = rows.new_empty((*rows.shape[:2], len(wide)), dtype=WIDE)
    currents(out, rows, None, wide, 0, 0, len(rows), split_planes(wide))
    return out


def dense_currents(given: events.Lists, weight: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the product of dense rows, made of the lists."""
    rows, wide = given.rows(dtype), pad_weight(weight, dtype)
    out = rows.new_empty((*rows.shape[:2], len(wide)), dtype=WIDE)
    currents(out, rows, None, wide, 0, 0, len(rows))
    return out


def inputs() -> Iterator[Row]:
    """Measure an input's product from compacted spikes, in both variants."""
    if not wanted(OURS):
        return
    neurons, inputs_, lists = 1466, 2312, 4800
    weight = torch.randn(neurons, inputs_, device="cuda") / inputs_**0.5
    for capacity in (16, 32, 64, 128, 256):
        preset = Preset("input", inputs_, (neurons,), 10, 100, capacity)
        x, _ = random_lists(preset, torch.Generator("cuda").manual_seed(0))
        passed = events.Lists(x.ids, x.counts, inputs_)
        case = {"lists": lists, "inputs": inputs_, "neurons": neurons, "spikes": capacity}
        for dtype in (NARROW, WIDE):
            variants: dict[str, Callable[[], Tensor]] = {
                "gather": partial(events.currents, passed, weight, 0, dtype),
                "dense": partial(dense_currents, passed, weight, dtype),
            }
            if dtype == WIDE:
                variants["terms"] = partial(currents_of_terms, passed, weight)
            results = [call() for call in variants.values()]
            error = max(gpu.relative_error(results[0], other.double()) for other in results[1:])
            for order, call in variants.items():
                times = milliseconds(graphed(call), RUNS)
                print(
                    f"  {case} {order} {dtype}: {spread(times, 1.0)['median'] * 1e3:.1f} us",
                    flush=True,
                )
                yield row(case, f"{OURS}-{order}", dtype, "fwd_ms", times, error=error)
