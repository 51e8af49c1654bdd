from __future__ import annotations

import re

import pytest
import torch

import popsnn
from popsnn import nn
from popsnn.engines import resolve


def net(backend: str = "torch") -> nn.SNN:
    return nn.SNN(nn.SparseLIF(3, 4), nn.LI(4, 2), backend=backend)


def test_a_named_engine_runs(engine: str) -> None:
    assert resolve(engine, net()).name == engine


def test_auto_takes_the_ipu_engine_where_it_is() -> None:
    expected = "ipu" if popsnn.backends()["ipu"].available else "torch"
    assert net("auto").engine == expected


def test_a_named_engine_that_is_not_here_says_why() -> None:
    info = popsnn.backends()["cuda"]
    if info.available:
        pytest.skip("the cuda engine is available here")
    sentence = f"SNN: backend 'cuda' is not available: {info.reason}"
    with pytest.raises(RuntimeError, match=f"^{re.escape(sentence)}$"):
        net("cuda")


def test_an_unknown_engine() -> None:
    with pytest.raises(
        ValueError, match="SNN: backend: expected auto, torch, ipu, cuda, got 'tpu'"
    ):
        net("tpu")


def test_a_named_engine_that_cannot_run_the_network_says_why(engine: str) -> None:
    if engine == "torch":
        pytest.skip("the torch engine runs every network")
    custom = popsnn.surrogate.Custom(torch.erf, torch.erfc)
    with pytest.raises(ValueError, match=f"SNN: backend '{engine}' cannot run this network: "):
        nn.SNN(nn.SparseLIF(3, 4, surrogate=custom), nn.LI(4, 2), backend=engine)
