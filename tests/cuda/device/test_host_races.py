"""Accesses of shared memory that tests/cuda/host reports, where warps hand values over."""

from __future__ import annotations

import ctypes

import pytest
import torch
from tests.cuda.host_kernels import HostLoader
from tests.cuda.kernel_facts import most_spilt

SOURCE = """
#include <popsnn/device/hopper.cuh>
namespace popsnn {
struct Order {
  int full;   // whether the reader waits for what it reads
  int empty;  // whether the writer waits until it has been read
};
POPSNN_DEVICE void hand_over(const Order& order) {
  const unsigned place = shared_address(shared_memory()) + thread_index() % 32 * 16;
  float x[4] = {};
  for (int turn = 0; turn < 2; ++turn) {
    const int full = 1 + turn;
    if (thread_index() < 32) {
      if (turn > 0 && order.empty != 0) sync_barrier(3, 64);
      store_shared(place, x);
      arrive_barrier(full, 64);
    } else {
      if (order.full != 0) sync_barrier(full, 64);
      load_shared(place, x);
      if (order.full == 0) sync_barrier(full, 64);
      if (turn == 0 && order.empty != 0) arrive_barrier(3, 64);
    }
  }
}
}
PERSISTENT_KERNEL(64) hand_over(POPSNN_ARGUMENT popsnn::Order a) { popsnn::hand_over(a); }
"""


TOGETHER = """
#include <popsnn/device/block.cuh>
#include <popsnn/device/hopper.cuh>
namespace popsnn {
struct Sums {
  unsigned* sums;  // [64]
};
POPSNN_DEVICE void add_up(const Sums& a) {
  unsigned sum = warp_sum(static_cast<unsigned>(thread_index()));
  sync_block();
  sum += warp_sum_so_far(1u) << 16;
  a.sums[thread_index()] = sum;
}
}
PERSISTENT_KERNEL(64) add_up(POPSNN_ARGUMENT popsnn::Sums a) { popsnn::add_up(a); }
"""


class Sums(ctypes.Structure):
    _fields_ = [("sums", ctypes.c_void_p)]


def test_the_headers_of_blocks_and_of_hopper_meet(host_loader: HostLoader) -> None:
    result = torch.zeros(64, dtype=torch.int32)
    kernels = host_loader(TOGETHER, torch.device("cpu"))
    kernels.launch("add_up", 1, 64, 0, Sums(result.data_ptr()), together=True)
    thread = torch.arange(64)
    of_warp = (thread // 32 == 0).int() * 496 + (thread // 32 == 1).int() * 1520
    assert torch.equal(result, (of_warp + ((thread % 32 + 1) << 16)).int())


def test_the_headers_of_blocks_and_of_hopper_compile_together() -> None:
    assert most_spilt(TOGETHER, "sm_90") == 0


class Order(ctypes.Structure):
    _fields_ = [("full", ctypes.c_int), ("empty", ctypes.c_int)]


def launch(host_loader: HostLoader, *order: bool, shared_bytes: int = 512) -> None:
    kernels = host_loader(SOURCE, torch.device("cpu"))
    kernels.launch("hand_over", 1, 64, shared_bytes, Order(*order), together=True)


def test_barriers_both_ways(host_loader: HostLoader) -> None:
    launch(host_loader, True, True)


@pytest.mark.parametrize(
    "order", [(False, True), (True, False)], ids=["read_too_soon", "written_too_soon"]
)
def test_a_barrier_is_missing(host_loader: HostLoader, order: tuple[bool, bool]) -> None:
    message = r"thread \d+ (reads|writes) byte \d+ of shared memory, which thread \d+ (read|wrote)"
    with pytest.raises(AssertionError, match=f"hand_over: {message}, with no barrier between"):
        launch(host_loader, *order)


def test_too_little_shared_memory(host_loader: HostLoader) -> None:
    message = r"thread \d+ (reads|writes) byte \d+ of shared memory, of which there are 496 bytes"
    with pytest.raises(AssertionError, match=f"hand_over: {message}"):
        launch(host_loader, True, True, shared_bytes=496)
