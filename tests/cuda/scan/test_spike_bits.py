from __future__ import annotations

import pytest
import torch
from tests.cuda.conftest import Engine
from tests.cuda.kernel_facts import compiled

from popsnn import functional
from popsnn.cuda import pack_spikes, unpack_spikes
from popsnn.cuda.scan import spike_bits
from popsnn.functional import pack_bits

DTYPES = [torch.float32, torch.bfloat16, torch.float16]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 16), (5, 2056), (4, 13), (1, 1), (0, 8), (2, 0)])
def test_bits_hold_the_spikes(kernels: Engine, shape: tuple[int, int], dtype: torch.dtype) -> None:
    spikes = (torch.rand(shape) < 0.4).to(kernels.device, dtype)
    bits = pack_spikes(spikes)
    assert torch.equal(bits, pack_bits(spikes))
    assert torch.equal(unpack_spikes(bits, shape[1], dtype), spikes)


def test_memory_that_is_not_aligned(kernels: Engine) -> None:
    spikes = (torch.rand(1 + 3 * 16) < 0.4).to(kernels.device, torch.bfloat16)[1:].view(3, 16)
    assert torch.equal(pack_spikes(spikes), pack_bits(spikes))


def test_bits_of_a_current_in_another_memory_order(kernels: Engine) -> None:
    rows = torch.randn(1, 2, 24)
    columns = rows.transpose(0, -1).contiguous().transpose(0, -1)
    got = functional.lif(columns.to(kernels.device), spikes="bits", backend="cuda", threshold=0.3)
    wanted = functional.lif(rows, spikes="bits", backend="torch", threshold=0.3)
    assert torch.equal(got.spikes.cpu(), wanted.spikes)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_compiles_for_every_architecture(arch: str, dtype: torch.dtype) -> None:
    pytest.importorskip("cuda.core")
    assert compiled(spike_bits.source(dtype), arch).cubin
