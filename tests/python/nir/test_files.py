"""Files of NIR: what they hold, and files that are damaged."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Callable, Dict

import numpy as np
import pytest
import torch

import popsnn
from popsnn import nn

nir = pytest.importorskip("nir")
h5py = pytest.importorskip("h5py")

from tests.python.nir.graphs import DT, Nodes, assert_same, chain, every_node  # noqa: E402

GRAPHS = every_node(Nodes(1))


def number(value: float) -> np.ndarray:
    return np.array(value)


NUMBERS = {
    "LIF": nir.LIF(*map(number, (5 * DT, 2.0, 0.1, 1.0, 0.0))),
    "LI": nir.LI(*map(number, (5 * DT, 2.0, 0.1))),
    "IF": nir.IF(number(2 / DT), number(1.0), number(0.0)),
    "Threshold": nir.Threshold(number(0.5)),
    "Delay": nir.Delay(number(3 * DT)),
    "Scale": nir.Scale(number(0.5)),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_all_neurons_come_back(name: str, tmp_path: Path) -> None:
    net = popsnn.nir.from_nir(chain((4,), NUMBERS[name], after=(4,)), dt=DT)
    popsnn.nir.write(tmp_path / "net.nir", net, dt=DT)
    x = 2 * torch.randn(20, 2, 4)
    assert net(x).any()
    assert torch.equal(popsnn.nir.read(tmp_path / "net.nir", dt=DT)(x), net(x))


def test_pools_of_one_size_come_back(tmp_path: Path) -> None:
    graph = chain((2, 8, 8), nir.AvgPool2d(2, 2, 0), after=(2, 4, 4))  # as snnTorch writes them
    nir.write(tmp_path / "theirs.nir", graph)
    net = popsnn.nir.read(tmp_path / "theirs.nir", dt=DT)
    popsnn.nir.write(tmp_path / "ours.nir", net, dt=DT)
    assert_same(nir.read(tmp_path / "ours.nir"), nir.read(tmp_path / "theirs.nir"))


@pytest.mark.parametrize("name", ["a/b", "/", ".", ""])
def test_names_that_a_file_does_not_keep(name: str, tmp_path: Path) -> None:
    ends = {"in": nir.Input(np.array([4])), "out": nir.Output(np.array([4]))}
    named = {**ends, name: nir.Scale(np.ones(4))}
    graph = nir.NIRGraph(named, [("in", name), (name, "out")], {}, type_check=False)
    net = popsnn.nir.from_nir(graph, dt=DT)
    with pytest.raises(ValueError, match="write: nodes: expected names that HDF5 keeps") as error:
        popsnn.nir.write(tmp_path / "net.nir", net, dt=DT)
    assert str(error.value).endswith(f"got {name!r}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("metadata", [{"a": None}, {"a": np.array(["b"])}, {"a": {"b": object()}}])
def test_metadata_that_a_file_does_not_hold(metadata: Any, tmp_path: Path) -> None:
    graph = chain((4,), nir.Scale(np.ones(4)), after=(4,))
    graph.nodes["0"].metadata = metadata
    net = popsnn.nir.from_nir(graph, dt=DT)
    with pytest.raises(ValueError, match="write: metadata: expected numbers, strings and dicts"):
        popsnn.nir.write(tmp_path / "net.nir", net, dt=DT)
    assert not list(tmp_path.iterdir())


def put(path: str, value: Any) -> Callable[[Any], None]:
    def change(file: Any) -> None:
        del file[path]
        file[path] = value

    return change


def link(path: str) -> Callable[[Any], None]:
    return lambda file: file[path].__setitem__("again", file["node"])


DAMAGES: Dict[str, Any] = {
    "no group": (put("node", 3), "path: expected a NIR file, got"),
    "no nodes": (put("node/nodes", np.arange(3)), "expected the fields of NIRGraph, got"),
    "node of a number": (put("node/nodes/1", 3), "1: expected a node that NIR has, got 3"),
    "node of a name": (put("node/nodes/1", "LIF"), "1: expected the fields of LIF, got"),
    "edges of three": (
        put("node/edges", np.array([[b"0", b"1", b"2"]])), "expected the fields of NIRGraph, got"
    ),
    "edges of text": (put("node/edges", "0 1"), "expected the fields of NIRGraph, got"),
    "edges of numbers": (
        put("node/edges", np.eye(2, dtype=int)), "expected the fields of NIRGraph, got"
    ),
    "edges of other letters": (
        put("node/edges", np.array([[b"\xff\xfe", b"1"]])), "expected the fields of NIRGraph, got"
    ),
    "metadata": (lambda file: file["node/nodes/1"].__setitem__("metadata", 3),
                 "1: expected the fields of LIF, got"),
    "link to the graph": (link("node/nodes"), "path: expected a NIR file, got"),
    "link within a node": (link("node/nodes/1"), "path: expected a NIR file, got"),
    "shape of text": (put("node/nodes/input/shape", "abc"),
                      "input (Input): shape: expected whole numbers, got abc"),
    "empty field": (put("node/nodes/1/tau", h5py.Empty("f")), "1"),
}  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("written") / "net.nir"
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), nn.LIF(0.9), torch.nn.Linear(8, 3), nn.LIF())
    popsnn.nir.write(path, net, dt=DT)
    return path


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_files_are_refused_in_one_sentence(
    name: str, written: Path, tmp_path: Path
) -> None:
    change, sentence = DAMAGES[name]
    shutil.copy(written, tmp_path / "net.nir")
    with h5py.File(tmp_path / "net.nir", "r+") as file:
        change(file)
    with pytest.raises((TypeError, ValueError)) as error:
        popsnn.nir.read(tmp_path / "net.nir", dt=DT)
    assert str(error.value).startswith(f"read: {sentence}")


def test_files_that_are_none_of_nir(tmp_path: Path) -> None:
    import h5py

    path = tmp_path / "net.nir"
    with pytest.raises(FileNotFoundError, match="read: path: expected a NIR file, got none at"):
        popsnn.nir.read(path, dt=DT)
    path.write_bytes(b"text")
    with pytest.raises(OSError, match="read: path: expected a NIR file, got"):
        popsnn.nir.read(path, dt=DT)
    with h5py.File(path, "w") as file:
        file["data"] = 1
    with pytest.raises(ValueError, match="read: path: expected a NIR file, got"):
        popsnn.nir.read(path, dt=DT)
    nir.write(path, GRAPHS["Affine"][1])
    with h5py.File(path, "a") as file:
        del file["node/nodes/0/type"]
        file["node/nodes/0/type"] = "Softmax"
    with pytest.raises(ValueError, match="read: 0: expected a node that NIR has, got Softmax"):
        popsnn.nir.read(path, dt=DT)
    with h5py.File(path, "a") as file:
        del file["node/nodes/0/type"]
        file["node/nodes/0/type"] = "Affine"
        del file["node/nodes/0/bias"]
    with pytest.raises(ValueError, match="read: 0: expected the fields of Affine, got"):
        popsnn.nir.read(path, dt=DT)


def test_an_error_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "net.nir"
    path.write_bytes(b"before")
    with pytest.raises(ValueError, match="write: lif: reset: expected 'zero'"):
        popsnn.nir.write(path, nn.LIF(reset="subtract"), dt=DT, input_shape=3)
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["net.nir"]
