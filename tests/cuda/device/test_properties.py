"""Properties of a device, and limits that make it look like another."""

from __future__ import annotations

import pytest
import torch

from popsnn.cuda.device import properties
from popsnn.cuda.device.properties import Properties, limited

H200 = Properties((9, 0), 132, 232448)


def test_limits_replace_what_they_name() -> None:
    assert limited(H200, "") == H200
    assert limited(H200, "capability=8.0 multiprocessors=108 shared_bytes=166912") == Properties(
        (8, 0), 108, 166912
    )
    assert limited(H200, " multiprocessors=28") == H200._replace(multiprocessors=28)


@pytest.mark.parametrize(
    "limit",
    [
        "capability=9.1",
        "capability=8",
        "capability=8.x",
        "capability",
        "multiprocessors=133",
        "multiprocessors=0",
        "multiprocessors=-4",
        "shared_bytes=1e5",
        "registers=65536",
        "count=3",
        "=8.0",
    ],
)
def test_other_limits_are_refused(limit: str) -> None:
    with pytest.raises(
        ValueError,
        match=r"POPSNN_CUDA_LIMITS: expected some of capability=M\.N, multiprocessors=COUNT and "
        rf"shared_bytes=BYTES with a space between, none beyond what the GPU has, got '{limit}'",
    ):
        limited(H200, f"shared_bytes=101376 {limit}")


def test_the_cpu_of_the_tests_has_no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(properties.LIMITS, "capability=8.0")
    properties.properties.cache_clear()
    assert properties.capability(torch.device("cpu")) == (9, 0)
    assert properties.has_copy_engine(torch.device("cpu"))
