"""PopTorch's own tests against the emulated one: row 15 of the table, and what else holds here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.emulator.conformance.programs import CUSTOM_OPS, EXAMPLES, POPTORCH
from tests.emulator.conformance.repositories import take
from tests.emulator.library_tool import prefix
from tests.emulator.popc_tool import CXX

import popsnn

LIBRARIES = {
    "custom_ops_test": ["custom_cube_op", "custom_leaky_relu_op"],
    "custom_ops_attributes_test": [
        "custom_add_scalar_op",
        "custom_add_scalar_vec_op",
        "custom_add_vec_scalar_mul_op",
        "custom_many_attribute_op",
        "custom_reduce_op",
        "custom_three_input_reduce_op",
    ],
}
# What is left out reads PopTorch's pipelines, which run in order here.
TESTS = {
    "custom_ops_test": "",
    "custom_ops_attributes_test": "",
    "batching_test": "not pipelined and not device_iterations_inference and not overlap",
    "buffers_test": "",
    "cpu_op_test": "",
    "custom_loss_test": "",
    "hooks_test": "",
    "if_test": "",
    "inputs_test": "",
    "loop_test": "",
    "non_contiguous_tensors_test": "",
    "outputs_test": "",
    "requires_grad_test": "",
    "type_support_test": "",
}


@pytest.mark.parametrize("name", TESTS)
def test_poptorchs_own(name: str, tmp_path: Path) -> None:
    take(POPTORCH, ["tests"], tmp_path)
    at = prefix()
    for library in LIBRARIES.get(name, []):
        command = [CXX, "-std=c++14", "-O1", "-shared", "-fPIC", f"-I{at}/include", f"-L{at}/lib"]
        command += [f"tests/custom_ops/{library}.cpp", "-lpopart", "-lpopops", "-lpoplar"]
        command += ["-o", f"tests/lib{library}.so"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    path = [Path(popsnn.__file__).parents[1], at / "python", tmp_path / "tests"]
    # Its conftest.py seeds torch, on which two trainings of custom_ops_test depend.
    options = [] if name == "custom_ops_test" else ["--noconftest"]
    command = [sys.executable, "-m", "pytest", *options, "--rootdir=tests", "-q", "-Wignore"]
    command += [f"tests/{name}.py", "-k", TESTS[name]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


TORCHVISION = """
import torch

class Unused:
    def __init__(self, *arguments, **options): pass

class transforms:
    ToTensor = Normalize = Compose = Unused

class datasets:
    def FashionMNIST(*arguments, **options):
        label = torch.arange(160) % 10
        return torch.utils.data.TensorDataset(torch.randn(10, 1, 28, 28)[label], label)
"""


def test_a_script_with_its_own_operator(tmp_path: Path) -> None:
    """Row 16's LeakyRelu in PopTorch, as its Makefile builds it, on made-up images."""
    folder = tmp_path / CUSTOM_OPS
    take(EXAMPLES, [CUSTOM_OPS], tmp_path)
    (folder / "torchvision.py").write_text(TORCHVISION)
    command = f'. "{prefix()}/enable.sh" && make -C leaky_relu_example'
    command += f" && PYTHONPATH={Path(popsnn.__file__).parents[1]}:$PYTHONPATH"
    command += f" {sys.executable} poptorch_custom_op.py"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    accuracies = re.findall(r"Epoch \d \| Loss: [\d.]+ \| Accuracy: ([\d.]+)", done.stdout)
    assert len(accuracies) == 5
    assert float(accuracies[-1]) > float(accuracies[0])
