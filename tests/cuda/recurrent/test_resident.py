"""The recurrent kernels: they compile everywhere, and on a GPU they are the reference."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cuda.kernel_facts import constants, header, most_spilt
from tests.cuda.recurrent.runs import (
    RESETS,
    compare,
    compare_narrow,
    in_a_graph,
    run,
    same_twice,
)

import popsnn.cuda
from popsnn import functional, surrogate
from popsnn.cuda.device.options import encode
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.recurrent import arguments
from popsnn.cuda.recurrent.arguments import (
    MOST_PARTS,
    MOST_SAMPLES,
    PARAMETERS,
    STATES,
    RecurrentOptions,
    launches_of,
)
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.resident import octet, pair
from popsnn.cuda.recurrent.resident.launch import GROUP, MOST_NEURONS, Division, Shape
from popsnn.cuda.recurrent.step import launch as step_launch
from popsnn.cuda.recurrent.streamed.plan import MOST_SHARED, TILE_SAMPLES
from popsnn.functional import neuron

# Bytes a thread: weights take 108 registers of the widest kernels, and the rest does not quite fit
# next to them.
MOST_SPILT = 32
# Of few samples all of a lane's weights, 128 registers, are in flight at once, and some wait in
# local memory until the loop over steps begins.
MOST_SPILT_OF_FEW = 128


@pytest.fixture
def gpu(hopper: torch.device, monkeypatch: pytest.MonkeyPatch) -> torch.device:
    """One without clusters and kernels of a step, which have tests of their own."""
    monkeypatch.setattr(cluster, "in_clusters", lambda *_: False)
    monkeypatch.setattr(step_launch, "fits", lambda *_: False)
    return hopper


@pytest.mark.parametrize("tiles", [1, 2, 3])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_every_kernel_compiles(direction: str, tiles: int) -> None:
    """Options take turns, so that each is met with the others."""
    types = itertools.cycle(popsnn.cuda.TYPES)
    weights = itertools.cycle((torch.bfloat16, torch.float32, torch.float32))
    for index, (reset, detach) in enumerate(itertools.product(RESETS, (True, False))):
        if index % 3 != tiles - 1 or (tiles < 3 <= index):
            continue
        lif = neuron.LIF(reset, detach)
        text = str(lif.cuda_source)
        if direction == "forward":
            source = resident.source(text, tiles, next(types), next(weights), index < 3)
        else:
            gradient = gradient_source(lif, surrogate.NAMED[index % 5](), index % 2 == 0)
            source = pair.source(
                text, gradient, tiles, next(types), index < 3, index % 2 == 1, index < 2
            )
        assert most_spilt(source, "sm_90a") <= MOST_SPILT


@pytest.mark.parametrize("tiles", [1, 2])
def test_kernels_of_few_samples_compile(tiles: int) -> None:
    lif = neuron.LIF(RESETS[tiles], tiles == 1)
    source = octet.source(str(lif.cuda_source), tiles, torch.bfloat16, tiles == 2)
    assert most_spilt(source, "sm_90a") <= MOST_SPILT_OF_FEW


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    text = header("recurrent/recurrent")
    result = constants(text)
    assert result["kProductWarps"] == resident.PRODUCT_WARPS
    assert result["kRecurrentThreads"] == resident.THREADS
    assert result["kGroup"] == GROUP
    assert result["kParts"] == MOST_PARTS
    assert result["kRecurrentStates"] == STATES
    assert result["kRecurrentParameters"] == PARAMETERS
    of_pair = constants(header("recurrent/resident/pair"))
    assert of_pair["kPairSets"] == pair.SETS
    assert of_pair["kUnit"] == pair.UNIT
    assert of_pair["kPairUnits"] == pair.UNITS
    assert of_pair["kPairCellsOfPart"] == pair.PART_CELLS
    assert of_pair["kPairDepth"] == pair.DEPTH
    assert of_pair["kSamples"] == pair.GROUP
    assert of_pair["kReceivedSlots"] == pair.RECEIVED_SLOTS
    assert 2 * -(-MOST_SAMPLES // pair.GROUP) <= pair.RECEIVED_SLOTS
    of_octet = constants(header("recurrent/resident/octet"))
    assert of_octet["kSamples"] == octet.MOST_SAMPLES
    assert of_octet["kProductWarps"] == octet.PRODUCT_WARPS
    assert of_octet["kThreads"] == octet.THREADS
    assert of_octet["kQuad"] == octet.QUAD
    assert of_octet["kQuads"] == octet.QUADS
    assert of_octet["kQuadWords"] == octet.QUAD_WORDS
    assert of_octet["kBuffers"] == octet.BUFFERS


@given(neurons=st.integers(1, MOST_NEURONS))
def test_every_layer_fits(neurons: int) -> None:
    shape = Shape(neurons)
    assert 1 <= shape.tiles <= resident.MOST_TILES
    assert 1 <= shape.quads <= resident.MOST_QUADS
    assert shape.blocks * shape.tiles * 8 >= neurons
    assert shape.shared_bytes(MOST_SAMPLES // GROUP, 2) <= MOST_SHARED
    assert pair.units(neurons) <= 2 * resident.PRODUCT_WARPS * pair.UNITS
    covered = pair.blocks(neurons) // 2 * pair.TILE * pair.tiles(neurons)
    assert covered >= pair.units(neurons) * pair.UNIT
    assert pair.blocks(neurons) <= shape.blocks
    assert pair.shared_bytes(neurons, MOST_SAMPLES // pair.GROUP, 3) <= MOST_SHARED
    assert octet.quads(neurons) <= octet.PRODUCT_WARPS * octet.QUADS
    covered = octet.blocks(neurons) * octet.TILE * octet.tiles(neurons)
    assert covered == octet.quads(neurons) * octet.QUAD >= neurons
    assert octet.blocks(neurons) <= 132
    assert octet.shared_bytes(neurons, 2) <= MOST_SHARED


def test_weights_become_rows_of_vectors() -> None:
    weight = torch.arange(70.0 * 70.0).reshape(70, 70) % 128
    rows = arguments.rows_of_vectors(weight)
    assert (rows.shape, rows.dtype) == ((70, 72), torch.bfloat16)
    assert torch.equal(rows[:, :70], weight.bfloat16())
    assert not rows[:, 70:].any()
    assert arguments.rows_of_vectors(rows) is rows


def test_what_registers_hold() -> None:
    assert resident.fits(2944, 2, False, 132)
    assert not resident.fits(2944, 2, False, 114)
    assert not resident.fits(3073, 2, False, 132)
    assert not resident.fits(2944, 1, False, 132)
    assert resident.fits(1024, 1, False, 132)
    assert not resident.fits(8, 2, True, 132)


@given(
    batch=st.integers(1, 500),
    unit=st.sampled_from([GROUP, TILE_SAMPLES]),
    parts=st.integers(1, MOST_PARTS),
)
def test_parts_of_a_batch_cover_it(batch: int, unit: int, parts: int) -> None:
    launches = launches_of(batch, unit, parts)
    assert all(1 <= len(launch) <= parts for launch in launches)
    assert len(launches) == -(-batch // (MOST_SAMPLES * parts))
    result = [part for launch in launches for part in launch]
    assert [first for first, _ in result] == [
        sum(count for _, count in result[:i]) for i in range(len(result))
    ]
    assert sum(count for _, count in result) == batch
    assert all(0 < count <= MOST_SAMPLES for _, count in result)
    assert all(first % unit == 0 for first, _ in result)


@given(neurons=st.integers(1, MOST_NEURONS), batch=st.integers(1, 500), most=st.integers(16, 160))
def test_every_division_fits(neurons: int, batch: int, most: int) -> None:
    forward = resident.division_of(neurons, 100, batch, most)
    backward = pair.division_of(neurons, 100, batch, most)
    assert forward.parts == backward.parts == 1 or batch >= resident.DIVIDED
    if forward.parts > 1:
        shape = Shape(neurons, forward)
        assert shape.blocks * forward.parts <= most
        assert shape.blocks * shape.tiles * 8 >= neurons
        assert shape.quads <= shape.product_warps
        assert shape.threads <= 1024
        assert shape.shared_bytes(MOST_SAMPLES // GROUP, 2) <= MOST_SHARED
    if backward.parts > 1:
        assert pair.blocks(neurons, backward) * backward.parts <= most
        held = pair.PART_WARPS[pair.product_warps(neurons, backward)]
        assert 0 < pair.units_of_warp(neurons, backward) <= held
        covered = pair.blocks(neurons, backward) // 2 * pair.TILE * pair.tiles(neurons, backward)
        assert covered >= pair.units(neurons) * pair.UNIT
        assert pair.shared_bytes(neurons, MOST_SAMPLES // pair.GROUP, 3, backward) <= MOST_SHARED


def test_few_samples_or_steps_are_not_divided() -> None:
    for divide in (resident.division_of, pair.division_of):
        assert divide(1024, 9, 256, 132) == Division()
        assert divide(1024, 10, 256, 132).parts > 1
        assert divide(1024, 10, 32, 132) == Division()


@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_kernels_of_parts_compile(tiles: int) -> None:
    lif = neuron.LIF(RESETS[tiles % 2], tiles == 1)
    text = str(lif.cuda_source)
    gradient = gradient_source(lif, surrogate.SuperSpike(), True)
    bf16 = torch.bfloat16
    for warps in (7, 11, 12, resident.PART_WARPS):
        source = resident.source(text, tiles, bf16, torch.float32, tiles == 3, "", warps)
        assert most_spilt(source, "sm_90a") <= MOST_SPILT
    for warps, units in pair.PART_WARPS.items():
        options = (bf16, True, tiles == 1, True, "", units, warps)
        source = pair.source(text, gradient, tiles + 1, *options)
        assert most_spilt(source, "sm_90a") <= MOST_SPILT


@pytest.mark.parametrize(
    ("batch", "neurons", "options"),
    [
        (130, 200, {"learn": True}),
        (70, 70, {"state": True}),
        (300, 700, {"weight": torch.bfloat16}),
        (130, 1024, {"state": True, "learn": True, "grad_threshold": 0.4}),
        (256, 1023, {"weight_dtype": torch.float16}),
        (100, 1500, {"state": True, "learn": True}),
        (200, 1040, {}),
        (130, 400, {"learn": True}),
    ],
)
def test_parts_of_a_batch(
    gpu: torch.device, batch: int, neurons: int, options: dict[str, Any]
) -> None:
    compare(run(gpu, 10, batch, neurons, **options))


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("detach", [True, False], ids=["detached", "attached"])
@pytest.mark.parametrize(("batch", "neurons"), [(17, 70), (7, 70), (8, 2200)])
def test_states_and_parameters(
    gpu: torch.device, batch: int, neurons: int, reset: str, detach: bool
) -> None:
    options = {"reset": reset, "detach_reset": detach, "grad_threshold": 0.4}
    compare(run(gpu, 12, batch, neurons, state=True, learn=True, **options))


@pytest.mark.parametrize("weight", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("neurons", [1, 8, 33, 100, 1024, 1500, 2049, 2944, 3072])
@pytest.mark.parametrize("batch", [6, 18])
def test_any_number_of_neurons(
    gpu: torch.device, batch: int, neurons: int, weight: torch.dtype
) -> None:
    compare(run(gpu, 5, batch, neurons, weight=weight), membranes=neurons % 2 == 0)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("neurons", [33, 100, 2944])
@pytest.mark.parametrize("batch", [5, 18])
def test_narrow_tensors_have_wide_states(
    gpu: torch.device, batch: int, neurons: int, dtype: torch.dtype
) -> None:
    compare_narrow(run(gpu, 6, batch, neurons, dtype=dtype, learn=True))


def test_views_that_are_not_aligned(gpu: torch.device) -> None:
    made = run(gpu, 4, 5, 64)
    x = torch.zeros(1 + made.x.numel(), device=gpu)[1:].view_as(made.x).copy_(made.x.detach())
    weight = torch.zeros(1 + 64 * 64, device=gpu)[1:].view(64, 64).copy_(made.weight.detach())
    out = functional.recurrent_lif(x, weight, weight_dtype=torch.bfloat16, backend="cuda")
    assert torch.equal(out.membrane, made.out.membrane)


@pytest.mark.parametrize("batch", [1, 8, 16, 48, 97, 130])
@pytest.mark.parametrize("steps", [1, 2, 3, 20])
def test_any_batch_and_steps(gpu: torch.device, steps: int, batch: int) -> None:
    compare(run(gpu, steps, batch, 200, grad_threshold=0.9))


@pytest.mark.parametrize("curve", surrogate.NAMED, ids=lambda curve: curve.name)
def test_surrogates(gpu: torch.device, curve: type[surrogate.Surrogate]) -> None:
    compare(run(gpu, 8, 5, 40, surrogate=curve()))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_random_shapes(gpu: torch.device, data: st.DataObject) -> None:
    steps, batch = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 60))
    compare(run(gpu, steps, batch, data.draw(st.integers(1, 400))))


@pytest.mark.parametrize("batch", [8, 48])
def test_the_same_numbers_in_every_run(gpu: torch.device, batch: int) -> None:
    same_twice(gpu, 30, batch, 2944, grad_threshold=0.9)


def test_the_same_numbers_of_parts_in_every_run(gpu: torch.device) -> None:
    same_twice(gpu, 30, 200, 1024, grad_threshold=0.9)


@pytest.mark.parametrize(
    ("steps", "batch", "neurons"), [(10, 20, 300), (8, 8, 2944), (6, 20, 3200), (10, 130, 900)]
)
def test_in_a_cuda_graph(gpu: torch.device, steps: int, batch: int, neurons: int) -> None:
    in_a_graph(gpu, steps, neurons, batch)


@pytest.mark.parametrize("batch", [8, 48])
def test_a_wait_that_is_given_up_is_told(
    gpu: torch.device, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """A quad of blocks is left out, and the others wait for what it would publish."""
    monkeypatch.setattr(arguments, "TIMEOUT", 1_000_000)
    monkeypatch.setattr(Shape, "blocks", property(lambda shape: 4 * shape.quads - 4))
    monkeypatch.setattr(octet, "blocks", lambda *_: 90)
    made = run(gpu, 20, batch, 2944)
    torch.cuda.synchronize()
    assert bool(torch.isnan(made.out.membrane[1:, :, :-200]).all())
    with pytest.raises(RuntimeError, match="an earlier call timed out: expected every block's"):
        run(gpu, 1, 1, 8)
    monkeypatch.undo()
    compare(run(gpu, 3, 4, 40))


@pytest.mark.parametrize(
    ("model", "values"),
    [(neuron.LIF(), [0.9, 1.0]), (neuron.AdaptiveLIF(), [0.9, 1.0, 0.9, 0.2])],
    ids=["LIF", "AdaptiveLIF"],
)
def test_operators_pass_opcheck(
    gpu: torch.device, model: neuron.Neuron, values: list[float]
) -> None:
    x, weight = torch.randn(4, 3, 24, device=gpu), torch.randn(24, 24, device=gpu)
    options = encode(
        *RecurrentOptions(
            neuron=str(model.cuda_source),
            states=len(model.states),
            tensor_indices=(),
            values=tuple(values),
            gradient=gradient_source(model, surrogate.SuperSpike(), False),
            surrogate=10.0,
            grad_threshold=0.0,
            membrane=True,
            final=True,
            exact=False,
        )
    )
    arguments = (x, weight, [], [], [], options, True, True, True)
    torch.library.opcheck(torch.ops.popsnn.recurrent_forward, arguments)
    spikes, membrane, _, second, extra, by_source = torch.ops.popsnn.recurrent_forward(*arguments)
    torch.library.opcheck(
        torch.ops.popsnn.recurrent_backward,
        (
            *(x, weight, [], [], [], membrane, extra, second, by_source, spikes, None, []),
            *(options, False, True, False),
        ),
    )


@pytest.mark.filterwarnings("ignore")  # torch.compile's own, which differ from version to version
def test_compiled_by_torch(gpu: torch.device) -> None:
    made = run(gpu, 4, 3, 24)
    compiled = torch.compile(
        lambda x, w: functional.recurrent_lif(x, w, weight_dtype=torch.bfloat16).spikes
    )
    assert torch.equal(compiled(made.x, made.weight), made.out.spikes)
