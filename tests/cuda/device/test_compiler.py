"""Kernels of one source, each compiled alone: their machine code, their cache, their errors."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from popsnn import neurons
from popsnn.cuda.device import compiler
from popsnn.cuda.device.cache import CubinCache
from popsnn.cuda.device.program import VECTORS, forward_source
from tools import compare_kernels

pytest.importorskip("cuda.core")

SOURCE = """#include <popsnn/device/device.cuh>
struct Twice { POPSNN_DEVICE static float of(float x) { return 2.0f * x; } };
POPSNN_KERNEL(32) once(float* x) { x[0] += 1.0f; }
PERSISTENT_KERNEL(popsnn::Layout::kThreads) twice(float* x) { *x = Twice::of(*x); }
CLUSTER_KERNEL(32, 8) wrong(float* x) { missing(); }"""


def test_a_source_is_taken_apart_at_its_kernels() -> None:
    texts = compiler.separate(SOURCE)
    assert list(texts) == ["once", "twice", "wrong"]
    head, kernels = SOURCE.split("\n")[:2], SOURCE.split("\n")[2:]
    assert [text.split("\n") for text in texts.values()] == [[*head, kernel] for kernel in kernels]


def test_a_kernel_has_the_machine_code_that_it_has_among_others(tmp_path: Path) -> None:
    text = neurons.QIF().cuda_source
    assert text is not None
    source = forward_source(text, torch.float32, 0, "float", True)
    expected = compare_kernels.kernel_codes(compiler.compile_cubin(source, "sm_90").cubin)
    cubins = compiler.Cubins(source, "sm_90", CubinCache(tmp_path))
    got = {}
    for name in expected:
        got.update(compare_kernels.kernel_codes(cubins[name]))
    assert got == expected
    assert len(got) == len(VECTORS[4])


def test_a_kernel_that_does_not_compile_harms_no_other() -> None:
    source = "\n".join(SOURCE.split("\n")[i] for i in (0, 1, 2, 4)).replace("CLUSTER", "POPSNN")
    cubins = compiler.Cubins(source, "sm_90")
    with pytest.raises(compiler.CompileError, match="missing"):
        cubins["wrong"]
    assert cubins["once"].startswith(b"\x7fELF")
