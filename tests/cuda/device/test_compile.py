"""Every kernel compiles for every architecture, without a GPU."""

from __future__ import annotations

import itertools
import struct

import pytest
import torch
from tests.cuda.kernel_facts import compiled, constants, header, most_spilt, zeros_read_too_soon
from tests.cuda.scan.test_in_torch import OWN

from popsnn import surrogate
from popsnn.cuda.device import compiler, program
from popsnn.cuda.device import sources as header_files
from popsnn.cuda.device.program import TYPES, VECTORS, backward_source, forward_source, maps_source
from popsnn.functional import neuron
from popsnn.neurons.neuron import MAX_INPUTS, MAX_SAVED_STATES

pytest.importorskip("cuda.core")

NUMBERS = {
    "kThreads": program.THREADS,
    "kGroupRows": program.GROUP_ROWS,
    "kGroups": program.RING_GROUPS,
    "kDeepGroups": program.DEEP_RING_GROUPS,
    "kNarrowBytes": program.NARROW_BYTES,
    "kMaxStates": program.MAX_STATES,
    "kMaxParameters": program.MAX_PARAMETERS,
    "kMaxInputs": program.MAX_INPUTS,
}
ARCHITECTURES = ("sm_80", "sm_90")
NEURONS = [
    *(
        kind(reset, detach)
        for kind in (neuron.LIF, neuron.SynapticLIF, neuron.AdaptiveLIF)
        for reset in ("zero", "subtract", "none")
        for detach in (True, False)
    ),
    neuron.LI(),
    OWN,
]
SURROGATES = [*(kind() for kind in surrogate.NAMED), surrogate.Custom(abs, abs, "u * u")]
FORWARD = list(itertools.product(("float", "int8", "bits"), (False, True)))
BACKWARD = list(itertools.product(("none", "spikes", "membrane", "both"), (False, True)))


def sources(index: int, dtype: torch.dtype) -> list[str]:
    """Return the kernels of a neuron; surrogates and other options take turns over the neurons."""
    model = NEURONS[index]
    text = model.cuda_source
    assert text is not None
    every = (1 << len(model.parameters)) - 1
    saved = len(model.states) - model.spiking
    form, membrane = FORWARD[index % len(FORWARD)] if model.spiking else ("none", True)
    inputs, learn = BACKWARD[index % len(BACKWARD)] if model.spiking else ("membrane", True)
    shape = SURROGATES[index % len(SURROGATES)].cuda_source
    gradient = f"{shape}using Gradient = popsnn::Gradient<Shape, {str(index % 3 == 0).lower()}>;"
    return [
        forward_source(text, dtype, every * (index % 2), form, membrane),
        backward_source(
            text, gradient, dtype, every * learn, learn, inputs, saved, model.translation().carried
        ),
    ]


def check(source: str, arch: str) -> None:
    assert most_spilt(source, arch) == 0


@pytest.mark.parametrize("index", range(len(NEURONS)), ids=lambda i: type(NEURONS[i]).__name__)
def test_every_neuron(index: int) -> None:
    """Surrogates, types and architectures take turns, of which the test below has all pairs.

    So do the kernels for 1, 2, 4 and 8 neurons a thread, next to the widest.
    """
    dtype = list(TYPES)[index % len(TYPES)]
    for source in sources(index, dtype):
        widest, *narrow = compiler.separate(source).values()
        for kernel in (narrow[index % len(narrow)], widest):
            check(kernel, ARCHITECTURES[index % 2])


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_every_type_and_architecture(dtype: torch.dtype, arch: str) -> None:
    for source in sources(0, dtype):
        check(source, arch)


@pytest.mark.parametrize(("form", "membrane"), FORWARD)
def test_every_form_of_the_output(form: str, membrane: bool) -> None:
    text = neuron.LIF().cuda_source
    compiled(forward_source(text, torch.bfloat16, 0, form, membrane), "sm_90")


@pytest.mark.parametrize(
    ("model", "given", "arch"),
    [
        (neuron.LIF(), "spikes", "sm_90"),
        (neuron.SynapticLIF("zero", False), "both", "sm_80"),
        (neuron.AdaptiveLIF("subtract", False), "both", "sm_90"),
        (OWN, "none", "sm_80"),
    ],
    ids=lambda case: type(case).__name__ if isinstance(case, neuron.Neuron) else case,
)
def test_maps_of_segments(model: neuron.Neuron, given: str, arch: str) -> None:
    text = model.cuda_source
    assert text is not None
    gradient = f"{SURROGATES[0].cuda_source}using Gradient = popsnn::Gradient<Shape, true>;"
    every = (1 << len(model.parameters)) - 1
    saved = len(model.states) - model.spiking
    check(
        maps_source(
            text, gradient, torch.float32, every, given, saved, model.translation().carried
        ),
        arch,
    )


def test_what_does_not_compile_says_where() -> None:
    source = forward_source("struct Neuron { wrong; };", torch.float32, 0, "float", False)
    with pytest.raises(
        compiler.CompileError,
        match=r"(?s)compile_cubin: NVRTC refused the kernel for sm_90: .*wrong",
    ):
        compiler.compile_cubin(source, "sm_90")


@pytest.mark.parametrize("backwards", [False, True])
def test_all_headers_can_be_included_together(backwards: bool) -> None:
    folder = header_files.include_path()
    headers = sorted(folder.glob("popsnn/**/*.cuh"), reverse=backwards)
    lines = [f"#include <{path.relative_to(folder)}>" for path in headers]
    assert len(lines) > 45
    kernel = "PERSISTENT_KERNEL(32) nothing() {}"
    assert compiled("\n".join([*lines, kernel]), "sm_90a").cubin


def test_the_launcher_has_the_numbers_of_the_headers() -> None:
    text = header("device/row_ring", "scan/scan")
    result = constants(text)
    assert {name: result[name] for name in NUMBERS} == NUMBERS
    assert program.MAX_STATES == MAX_SAVED_STATES
    assert program.MAX_INPUTS == MAX_INPUTS
    assert f"const int fit = {program.CHUNKS_OF_STATES} / saved;" in text
    assert f"return {program.CHUNK} * (saved < most ? saved : most);" in text


def test_memory_moves_16_bytes_at_a_time() -> None:
    """The widest kernels of each type take 16 bytes a thread and row."""
    assert all(vector[0] * size == 16 for size, vector in VECTORS.items())


@pytest.mark.parametrize(("cycles", "found"), [(2, ["k+0x10"]), (4, [])])
def test_zeros_that_are_read_too_soon_are_found(cycles: int, found: list[str]) -> None:
    """Instructions of sm_90a by NVRTC 13.0.88: a NOP, CS2R R6, @P4 IMAD.WIDE R6, LEA R28, R6."""
    zero = 0x000FE0000001FF00 | cycles << 41
    code = struct.pack(
        "<8Q",
        *(0x7918, 0x000FC00000000000),
        *(0x0000000000067805, zero),
        *(0x000000050B064C25, 0x000FC6000F8E020E),
        *(0x00000006061C7C11, 0x000FC8000F8408FF),
    )
    names = b"\0.text.k\0"
    header = bytearray(64)
    struct.pack_into("<Q", header, 0x28, 64 + len(code) + len(names))
    struct.pack_into("<HH", header, 0x3C, 2, 1)
    sections = [
        struct.pack("<IIQQQQ24x", 1, 1, 0, 0, 64, len(code)),
        struct.pack("<IIQQQQ24x", 0, 3, 0, 0, 64 + len(code), len(names)),
    ]
    assert zeros_read_too_soon(bytes(header) + code + names + b"".join(sections)) == found
