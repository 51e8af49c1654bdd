"""Blocks of a cluster send each other words, on the GPU and as the tests' CPU has it."""

from __future__ import annotations

import ctypes

import pytest
import torch
from tests.cuda.host_kernels import HostLoader

from popsnn.cuda.device import compiler, module

BLOCKS, CLUSTERS, ROUNDS = 4, 2, 3
# In every round each block sends each other one its number, and of 16 bytes; each writes what came.
SOURCE = f"""
#include <popsnn/device/cluster.cuh>

struct Arguments {{
  unsigned* out;  // [clusters, rounds, to, from, 4]
}};

CLUSTER_KERNEL(32, {BLOCKS}) exchange(POPSNN_ARGUMENT Arguments a) {{
  using namespace popsnn;
  unsigned* words = reinterpret_cast<unsigned*>(shared_memory() + 16);
  const unsigned barrier = shared_address(shared_memory());
  const int lane = thread_index();
  const int rank = block_rank();
  if (lane == 0) {{
    make_barrier(barrier, 1);
    publish_barriers();
  }}
  sync_cluster();
  for (int round = 0; round < {ROUNDS}; ++round) {{
    if (lane == 0) arrive_with(barrier, 20 * {BLOCKS});
    const unsigned x = static_cast<unsigned>(block_index() * 100 + round * 10);
    if (lane < {BLOCKS}) {{
      const unsigned to = address_in_block(shared_address(words), lane);
      const unsigned there = address_in_block(barrier, lane);
      send(to + 16 * rank, Words4{{{{x, x + 1, x + 2, x + 3}}}}, there);
      send(to + 16 * {BLOCKS} + 4 * rank, x + 4, there);
    }}
    while (!phase_ended(barrier, round % 2)) {{
    }}
    const long long at = block_index() / {BLOCKS} * {ROUNDS * BLOCKS} + round * {BLOCKS} + rank;
    if (lane < 5 * {BLOCKS}) a.out[at * {5 * BLOCKS} + lane] = words[lane];
    sync_cluster();
  }}
}}
"""


class Arguments(ctypes.Structure):
    _fields_ = [("out", ctypes.c_void_p)]


def check(kernels: module.Module, device: torch.device) -> None:
    out = torch.zeros((CLUSTERS, ROUNDS, BLOCKS, 5 * BLOCKS), dtype=torch.int32, device=device)
    kernels.launch("exchange", BLOCKS * CLUSTERS, 32, 512, Arguments(out.data_ptr()))
    cluster, turn, _, place = torch.meshgrid(
        *(torch.arange(size) for size in out.shape), indexing="ij"
    )
    block = BLOCKS * cluster + torch.where(place < 4 * BLOCKS, place // 4, place - 4 * BLOCKS)
    word = torch.where(place < 4 * BLOCKS, place % 4, 4)
    assert torch.equal(out.cpu(), (100 * block + 10 * turn + word).int())


def test_words_arrive_on_the_host(host_loader: HostLoader) -> None:
    check(host_loader(SOURCE, torch.device("cpu")), torch.device("cpu"))


def test_words_to_no_block_are_found(host_loader: HostLoader) -> None:
    wrong = SOURCE.replace("address_in_block(barrier, lane)", "address_in_block(barrier, lane + 1)")
    with pytest.raises(AssertionError, match=r"exchange: thread \d sends to block \d of a cluster"):
        check(host_loader(wrong, torch.device("cpu")), torch.device("cpu"))


def test_words_arrive(hopper: torch.device) -> None:
    kernels = module.load(SOURCE, torch.device("cuda", 0))
    assert kernels.active_blocks("exchange", 32, 512) >= BLOCKS * CLUSTERS
    check(kernels, hopper)


def test_the_kernel_compiles() -> None:
    pytest.importorskip("cuda.core")
    assert compiler.compile_cubin(SOURCE, "sm_90a").cubin.startswith(b"\x7fELF")
