"""Executables of the emulated PopART in files."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, Iterator, Tuple

import numpy as np
import pytest
from tests.emulator.library_tool import prefix

pytest.importorskip("onnx")


@pytest.fixture(scope="module")
def popart() -> Iterator[Any]:
    path = str(prefix() / "python")
    sys.path.insert(0, path)
    try:
        yield importlib.import_module("popart")
    finally:
        sys.path.remove(path)


def session_of(popart: Any, weight: float, batches: int = 1, cpu: bool = False) -> Tuple[Any, ...]:
    builder = popart.Builder()
    x = builder.addInputTensor("FLOAT", [2])
    w = builder.addInitializedInputTensor(np.full(2, weight, np.float32), "w")
    y = builder.aiOnnx.mul([x, w])
    manager = popart.DeviceManager()
    device = manager.createCpuDevice() if cpu else manager.createIpuModelDevice({})
    flow = popart.DataFlow(batches, [y])
    return popart.InferenceSession(builder.getModelProto(), flow, device), x, y


def product(popart: Any, session: Any, x: str, y: str) -> Any:
    session.prepareDevice()
    anchors = session.initAnchorArrays()
    session.run(popart.PyStepIO({x: np.array([1, 2], np.float32)}, anchors))
    return anchors[y]


@pytest.mark.parametrize("variables", [True, False])
def test_saved_and_loaded(variables: bool, popart: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "folder" / "model.popart")
    first, x, y = session_of(popart, 3.0)
    with pytest.raises(popart.popart_exception, match="Try calling Session::prepareDevice first"):
        first.saveExecutable(path)
    first.prepareDevice()
    first.saveExecutable(path, saveVariables=variables)
    second, x, y = session_of(popart, 5.0)
    second.loadExecutable(path)
    expected = 3 if variables else 5
    np.testing.assert_array_equal(product(popart, second, x, y), [expected, 2 * expected])


def test_refusals(popart: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "model.popart")
    session_of(popart, 3.0)[0].compileAndExport(path)
    other = session_of(popart, 3.0, batches=2)[0]
    with pytest.raises(popart.popart_exception, match="expected an executable of this session's"):
        other.loadExecutable(path)
    with pytest.raises(popart.popart_exception, match=r"Could not open file .*absent"):
        other.loadExecutable(str(tmp_path / "absent"))
    content = bytearray(Path(path).read_bytes())
    content[-3] ^= 1
    Path(path).write_bytes(bytes(content))
    with pytest.raises(popart.popart_exception, match="expected a file of saveExecutable, got"):
        session_of(popart, 3.0)[0].loadExecutable(path)
    with pytest.raises(popart.popart_exception, match="for device type Cpu cannot be saved"):
        session_of(popart, 3.0, cpu=True)[0].compileAndExport(path)
