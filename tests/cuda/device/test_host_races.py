"""What tests/cuda/host finds of accesses of shared memory, where warps hand values over."""

from __future__ import annotations

import ctypes

import pytest
import torch
from tests.cuda.host_kernels import HostLoader

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
      if (turn > 0 && order.empty != 0) wait_at(3, 64);
      store_shared(place, x);
      arrive_at(full, 64);
    } else {
      if (order.full != 0) wait_at(full, 64);
      load_shared(place, x);
      if (order.full == 0) wait_at(full, 64);
      if (turn == 0 && order.empty != 0) arrive_at(3, 64);
    }
  }
}
}
PERSISTENT_KERNEL(64) hand_over(POPSNN_ARGUMENT popsnn::Order a) { popsnn::hand_over(a); }
"""


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
