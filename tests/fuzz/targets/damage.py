"""Files that popsnn writes, with damage: each loads as it was, or is refused in one sentence."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Dict, Tuple

import numpy as np
import torch
from hypothesis import strategies as st
from tests.emulator.conftest import Bench

import popsnn
from popsnn.data import cache
from popsnn.data.lists import SpikeLists
from popsnn.training import checkpoint, config

from ..outcome import BAD, OK, REFUSALS, Outcome, refused

KINDS = ("flip", "truncate", "erase", "insert", "overwrite", "swap", "append")
ANY = 1 << 16  # positions: so many parts of a file

CODELETS = """
#include <poplar/Vertex.hpp>
using namespace poplar;
class Triple : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<Vector<int>> out;
  void compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = 3 * in[i];
  }
};
"""


@dataclass(frozen=True)
class Damage:
    """A change of a file's bytes at `at` of `ANY` parts; `value` is a bit, a byte or a length."""

    kind: str
    at: int = 0
    value: int = 0


@dataclass(frozen=True)
class DamagedFile:
    """A file of a kind, and what happens to it."""

    content: str
    damages: Tuple[Damage, ...] = ()


def damaged(data: bytes, damage: Damage) -> bytes:
    """Return the bytes after a damage."""
    at, value = damage.at * len(data) // ANY, damage.value
    some = bytes((value * 37 + 11 * k) % 256 for k in range(1 + value % 16))
    if damage.kind == "flip" and data:
        return data[:at] + bytes([data[at] ^ 1 << value % 8]) + data[at + 1 :]
    if damage.kind == "truncate":
        return data[:at]
    if damage.kind == "erase":
        return data[:at] + data[at + 1 + value :]
    if damage.kind == "insert":
        return data[:at] + some + data[at:]
    if damage.kind == "overwrite":
        return data[:at] + some + data[at + len(some) :]
    if damage.kind == "swap":
        return data[at:] + data[:at]
    return data + some


@st.composite
def damaged_files(draw: Any) -> DamagedFile:
    """Draw a file and up to three damages; most often one bit is another."""
    damage = st.builds(
        Damage,
        st.sampled_from(("flip", "flip", *KINDS)),
        st.integers(0, ANY - 1),
        st.integers(0, 255),
    )
    damages = draw(st.lists(damage, max_size=3))
    return DamagedFile(draw(st.sampled_from(tuple(CONTENTS))), tuple(damages))


@lru_cache(maxsize=None)
def _folder() -> Path:
    """Return a folder of this process, which is removed with it."""
    holder = tempfile.TemporaryDirectory(prefix="popsnn-fuzz-")
    _HOLDERS.append(holder)
    return Path(holder.name)


_HOLDERS: Any = []
KEY = {"steps": 4}


class Content:
    """A kind of file: `write` makes one, `read` returns what it holds, as plain values."""

    name = "file"

    def write(self, path: Path) -> None:
        """Write the file."""
        raise NotImplementedError

    def read(self, path: Path) -> Any:
        """Read the file."""
        raise NotImplementedError

    @property
    def path(self) -> Path:
        """Path of a damaged file."""
        return _folder() / f"damaged-{self.name}"

    @lru_cache(maxsize=None)  # noqa: B019 the contents live as long as the process
    def original(self) -> Tuple[bytes, Any]:
        """Return the bytes of a whole file, and what it holds."""
        path = _folder() / self.name
        self.write(path)
        return path.read_bytes(), self.read(path)


class CacheContent(Content):
    """A dataset's compacted spikes."""

    name = "cache.spikes"

    def write(self, path: Path) -> None:
        rng = np.random.default_rng(0)
        events = [rng.integers(0, bound, 200).astype(np.int32) for bound in (6, 4, 50)]
        lists = SpikeLists.from_events(tuple(events), 6, 4, (1, 5, 10))
        cache.save(path, lists, np.arange(6), KEY)

    def read(self, path: Path) -> Any:
        lists, labels = cache.load(path, KEY)
        arrays = (lists.ids, lists.lengths, lists.late, lists.merged, labels)
        return lists.grid, [(str(array.dtype), array.tolist()) for array in arrays]


class CheckpointContent(Content):
    """A training's checkpoint."""

    name = "checkpoint.pt"

    def write(self, path: Path) -> None:
        generator = torch.Generator().manual_seed(0)
        weights = {"layers.0.weight": torch.randn(20, 30, generator=generator)}
        state = {"net": weights, "optimizer": {"state": {}}, "rows": [{"loss": 0.25}]}
        checkpoint.save(path, {**state, "settings": {"lr": 0.01}, "epoch": 3})

    def read(self, path: Path) -> Any:
        return _plain(checkpoint.load(path))


class ConfigurationContent(Content):
    """A run's options."""

    name = "config.yaml"

    def write(self, path: Path) -> None:
        config.write(config.Config(hidden=(20, 30), lr=0.125, grad_threshold=0.5), path)

    def read(self, path: Path) -> Any:
        return config.read(path)


class CodeletContent(Content):
    """Compiled codelets."""

    name = "codelets.gp"

    @property
    def path(self) -> Path:
        # A library that the process has open must not change: each reading is of a new file.
        file, name = tempfile.mkstemp(suffix=".gp", dir=_folder())
        os.close(file)
        return Path(name)

    def write(self, path: Path) -> None:
        source = path.with_suffix(".cpp")
        source.write_text(CODELETS)
        popc = popsnn.emulator_prefix() / "bin" / "popc"
        subprocess.run([str(popc), str(source), "-o", str(path)], check=True, capture_output=True)

    def read(self, path: Path) -> Any:
        poplar: Any = import_module("popsnn_test_poplar")
        bench = Bench(poplar)
        bench.graph.add_codelets(str(path))
        return _tripled(bench).tolist()


class ExecutableContent(Content):
    """A compiled graph."""

    name = "executable"

    def write(self, path: Path) -> None:
        bench = Bench(import_module("popsnn_test_poplar"), device=_ipu())
        bench.graph.add_codelet_text(CODELETS)
        program = _triples(bench)
        executable = bench.poplar.compile_graph(bench.graph, [program])
        path.write_bytes(executable.serialize())

    def read(self, path: Path) -> Any:
        poplar: Any = import_module("popsnn_test_poplar")
        engine = poplar.Engine(poplar.Executable.deserialize(path.read_bytes()))
        engine.load(_ipu())
        engine.run(0)
        return engine.read_tensor("out", np.empty(6, np.int32)).tolist()


@lru_cache(maxsize=None)
def _ipu() -> Any:
    os.environ["POPSNN_EMULATE_IPU"] = "1"
    poplar: Any = import_module("popsnn_test_poplar")
    device = poplar.DeviceManager().get_devices(poplar.TargetType.IPU, 1)[0]
    small = device.create_virtual_device(4)
    small.attach()
    return small


def _triples(bench: Bench) -> Any:
    """Return a program that writes three times a variable into the tensor `out`."""
    x = bench.variable(bench.poplar.INT, [6])
    bench.graph.set_initial_value(x, np.arange(6))
    out = bench.variable(bench.poplar.INT, [6], 1)
    step = bench.graph.add_compute_set("step")
    bench.vertex(step, "Triple", 1, **{"in": x, "out": out})
    bench.graph.create_host_read("out", out)
    return bench.poplar.Execute(step)


def _tripled(bench: Bench) -> np.ndarray:
    engine = bench.engine(_triples(bench))
    engine.run(0)
    values: np.ndarray = engine.read_tensor("out", np.empty(6, np.int32))
    return values


def _plain(value: Any) -> Any:
    """Return a value whose tensors are lists, to compare."""
    if isinstance(value, torch.Tensor):
        return str(value.dtype), value.tolist()
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value


_MADE = (
    CacheContent(), CheckpointContent(), ConfigurationContent(), CodeletContent(),
    ExecutableContent(),
)  # fmt: skip
CONTENTS: Dict[str, Content] = {content.name: content for content in _MADE}
Change = Callable[[bytes, Damage], bytes]


def check_damage(case: DamagedFile, change: Change = damaged) -> Outcome:
    """Read a file after its damages: it holds what was written, or an error of one sentence."""
    content = CONTENTS[case.content]
    data, stored = content.original()
    for damage in case.damages:
        data = change(data, damage)
    path = content.path
    path.write_bytes(data)
    try:
        got = content.read(path)
    except Exception as error:
        poplar_error: Any = import_module("popsnn_test_poplar").poplar_error
        return refused(error, (*REFUSALS, poplar_error))
    if got == stored:
        return Outcome(OK)
    if case.content == ConfigurationContent.name:
        return Outcome(OK)  # text without a checksum, which people write: see configurations.py
    return Outcome(BAD, f"{case.content}: loaded with other content")
