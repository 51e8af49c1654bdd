"""Strategies of recurrent layers on GPUs of several generations, and the reasons."""

from __future__ import annotations

import pytest
import torch
from tests.cuda.kernel_facts import most_spilt

from popsnn import surrogate
from popsnn.cuda.device.program import gradient_source
from popsnn.cuda.device.properties import Properties
from popsnn.cuda.recurrent.cluster import launch as cluster
from popsnn.cuda.recurrent.resident import launch as resident
from popsnn.cuda.recurrent.resident import octet, pair
from popsnn.cuda.recurrent.strategy import (
    choose,
    choose_portable,
    explanation,
    gathers,
    with_capacity,
)
from popsnn.cuda.recurrent.streamed import launch as streamed
from popsnn.functional import neuron

BF16, FP32 = torch.bfloat16, torch.float32
H200 = Properties((9, 0), 132, 232448)
A100 = Properties((8, 0), 108, 166912)
RTX_3060 = Properties((8, 6), 28, 101376)
ASYNC = (
    "streamed by asynchronous copies: compute capability {} has no copy engine of tiles and 227 KB "
    "a block; the weights {}, in {} blocks"
)
PORTABLE = (
    "portable: {} blocks hold the weights in registers and shared memory, without what compute "
    "capability 9.0 added"
)
PORTABLE_FLOAT32 = PORTABLE.replace("weights", "float32 weights, three terms of bfloat16,")
GATHERED = "; gathered while few neurons are active, of up to 48 samples"
MOST_SPILT = 120  # bytes a thread, at the start of a kernel


@pytest.mark.parametrize(
    ("have", "neurons", "exact", "sentence"),
    [
        (H200, 512, False, "cluster: 8 blocks of a cluster hold the weights in registers"),
        (H200, 2944, False, "whole GPU: 124 blocks hold the weights in registers"),
        (
            H200,
            8192,
            False,
            "streamed: the weights are read at each step, since registers hold up to 3,072 neurons"
            + GATHERED,
        ),
        (
            H200,
            2944,
            True,
            "streamed: the weights are read at each step, since registers and shared memory do not "
            "hold so many of float32" + GATHERED,
        ),
        (
            H200._replace(multiprocessors=78),
            2944,
            False,
            "streamed: the weights are read at each step, since 124 blocks do not fit 78 "
            "multiprocessors",
        ),
        (A100, 1024, False, PORTABLE.format(64)),
        (A100, 1024, True, PORTABLE_FLOAT32.format(64)),
        (H200, 512, True, PORTABLE_FLOAT32.format(32)),
        (RTX_3060, 10_000, True, ASYNC.format("8.6", "are read at each step", 27)),
        (RTX_3060, 1024, True, ASYNC.format("8.6", "are read at each step", 28) + GATHERED),
    ],
)
def test_the_choice_is_explained(
    have: Properties, neurons: int, exact: bool, sentence: str
) -> None:
    assert explanation(have, neurons, exact) == sentence


def test_why_float32_streams_is_explained() -> None:
    """Of layers whose weights would fit."""
    streamed = "streamed: the weights are read at each step, since "
    assert explanation(H200, 512, True, steps=1) == streamed + "a single step reads them once"
    late = explanation(H200, 512, True, delay=("axonal", "none", 3))
    assert late.startswith(streamed + "layers with delays stream weights of float32")


@pytest.mark.parametrize(
    ("neurons", "batch", "multiprocessors", "strategy"),
    [
        (768, 56, 132, "cluster"),
        (768, 57, 132, "resident"),
        (1024, 112, 132, "cluster"),
        (1024, 113, 132, "resident"),
        (513, 256, 132, "resident"),
        (512, 500, 132, "cluster"),
        (1024, 256, 114, "cluster"),  # has room for two parts
    ],
)
def test_parts_of_large_batches(
    neurons: int, batch: int, multiprocessors: int, strategy: str
) -> None:
    assert choose(multiprocessors, 100, neurons, False, True, None, batch) == strategy
    assert choose(multiprocessors, 100, neurons, False, False, None, batch) == "cluster"
    assert choose(multiprocessors, 100, neurons, False, True, 5, batch) == "cluster"


def test_a_capacity_has_two_strategies() -> None:
    assert with_capacity(H200, 1024, False) == "cluster"
    streamed = "streamed: no other strategy for its size counts the spikes of all neurons"
    assert with_capacity(H200, 1025, False) == streamed
    assert with_capacity(H200, 512, True) == streamed
    assert with_capacity(A100, 512, False) == streamed
    assert with_capacity(H200, 8193, False) == "refused: at most 8,192 neurons"


def test_what_decides() -> None:
    """Few steps do not pay for a cluster, and only LIF runs from all registers."""
    assert choose(132, 100, 1024, False, True) == "cluster"
    assert choose(132, 9, 1024, False, True) == "resident"
    assert choose(132, 9, 1024, False, False) == "streamed"
    assert choose(132, 100, 1025, True, True) == "streamed"
    assert choose_portable(108, 166912, 100, 48, 64, False, 2, False) == "portable"
    assert choose_portable(108, 166912, 1, 48, 64, False, 2, False) == "streamed"
    assert choose_portable(108, 166912, 100, 48, 64, True, 2, False) == "portable"
    assert choose_portable(108, 166912, 100, 48, 64, True, 2, True) == "streamed"


def test_what_gathers() -> None:
    """A sequence that pays for the copy of the weights, or a copy that is there."""
    assert gathers("forward", H200, 100, 8, 8192, False, limited=False)
    assert not gathers("forward", H200, 3, 8, 8192, False, limited=False)
    assert gathers("forward", H200, 3, 8, 8192, False, limited=False, by_source=True)
    assert gathers("backward", H200, 100, 48, 8192, False, limited=True)
    assert gathers("forward", H200, 100, 8, 1024, True, limited=True)
    assert not gathers("forward", H200, 99, 8, 1024, True, limited=True, by_source=True)
    assert not gathers("backward", H200, 99, 8, 1024, True, limited=True)
    assert gathers("backward", H200, 100, 8, 1024, True, limited=True)
    assert not gathers("backward", H200, 100, 24, 1024, True, limited=True)
    assert not gathers("backward", H200, 100, 48, 8192, False, limited=False)
    assert not gathers("forward", H200, 100, 49, 8192, False, limited=True)
    assert not gathers("forward", RTX_3060, 100, 8, 10_000, False, limited=True)


@pytest.mark.parametrize("kernel", ["cluster", "resident", "pair", "octet", "streamed"])
def test_kernels_with_a_copy_engine_compile_for_blackwell(kernel: str) -> None:
    lif = neuron.LIF("zero", True)
    text = str(lif.cuda_source)
    gradient = gradient_source(lif, surrogate.SuperSpike(), True)
    source = {
        "cluster": lambda: cluster.source("backward", text, gradient, 16, BF16, True, True),
        "resident": lambda: resident.source(text, 3, BF16, BF16, True),
        "pair": lambda: pair.source(text, gradient, 3, BF16, True, False, True),
        "octet": lambda: octet.source(text, 2, BF16, True),
        "streamed": lambda: streamed.source("forward", text, "", (12, 2, 1), FP32, FP32, 4),
    }[kernel]()
    assert most_spilt(source, "sm_100a") <= MOST_SPILT
