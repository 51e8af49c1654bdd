"""Runs popc and reads the libraries that it makes, for the tests of popc."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, Optional, Tuple

EMULATOR = Path(__file__).resolve().parents[2] / "emulator"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
CXX = os.environ.get("CXX") or next(iter(COMPILERS), "c++")

HEADER = "#include <poplar/Vertex.hpp>\n#include <cmath>\nusing namespace poplar;\n"


class Field(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_char_p),
        ("direction", ctypes.c_uint32),
        ("shape", ctypes.c_uint32),
        ("row_shape", ctypes.c_uint32),
        ("layout", ctypes.c_uint32),
        ("outer_layout", ctypes.c_uint32),
        ("min_align", ctypes.c_uint32),
        ("interleaved", ctypes.c_uint32),
        ("offset", ctypes.c_size_t),
        ("size", ctypes.c_size_t),
    ]


class VertexType(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_uint32),
        ("num_fields", ctypes.c_uint32),
        ("fields", ctypes.POINTER(Field)),
        ("size", ctypes.c_size_t),
        ("align", ctypes.c_size_t),
        ("run", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)),
        ("run_worker", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint)),
        ("context", ctypes.c_size_t),
    ]


class Library(ctypes.Structure):
    _fields_ = [
        ("abi", ctypes.c_uint32),
        ("num_vertices", ctypes.c_uint32),
        ("vertices", ctypes.POINTER(VertexType)),
    ]


def load(path: Path) -> Dict[str, VertexType]:
    entry = ctypes.CDLL(str(path)).popc_library_v1
    entry.restype = ctypes.POINTER(Library)
    library = entry().contents
    assert library.abi == 3
    return {
        library.vertices[i].name.decode(): library.vertices[i] for i in range(library.num_vertices)
    }


def fields(vertex: VertexType) -> List[Tuple]:
    """(name, type, direction, shape, row_shape, layout, outer_layout, min_align, interleaved)."""
    rows = []
    for i in range(vertex.num_fields):
        f = vertex.fields[i]
        numbers = [getattr(f, name) for name, _ in Field._fields_[2:9]]
        rows.append((f.name.decode(), f.type.decode(), *numbers))
    return rows


def locate_popc(base: Path) -> Path:
    """Return the installed popc, else one built from the tree into `base`."""
    try:
        import popsnn

        installed = Path(popsnn.emulator_prefix()) / "bin" / "popc"
        if installed.exists():
            return installed
    except (ImportError, AttributeError):
        pass
    prefix = base / "popc"
    built = prefix / "bin" / "popc"
    if built.exists():
        return built
    built.parent.mkdir(parents=True)
    abi = (EMULATOR / "src" / "compile" / "codelet_abi.h").read_text()
    template = (EMULATOR / "popc" / "codelet_abi_text.hpp.in").read_text()
    text = template.replace("@POPSNN_CODELET_ABI@", abi)
    (prefix / "codelet_abi_text.hpp").write_text(text)
    (prefix / "include").symlink_to(EMULATOR / "include")
    sources = [str(path) for path in sorted((EMULATOR / "popc").glob("*.cpp"))]
    flags = ["-std=c++17", "-O1", "-pthread", f"-I{prefix}", f"-I{EMULATOR / 'src'}"]
    flags.append(f"-I{EMULATOR / 'include'}")
    subprocess.run([CXX, *flags, *sources, "-o", str(built)], check=True)
    return built


class Popc:
    """Runs popc in a folder of its own, with TMPDIR inside it."""

    def __init__(self, popc: Path, folder: Path) -> None:
        self.popc, self.folder, self.temporary = popc, folder, folder / "tmp"
        self.temporary.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.temporary), "LC_ALL": "C"}

    def write(self, text: str, name: str = "codelet.cpp") -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def run(self, *arguments: object, text: Optional[str] = None) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [str(self.popc), *map(str, arguments)],
            input=text,
            capture_output=True,
            text=True,
            env=self.environment,
            cwd=str(self.folder),
        )
        assert list(self.temporary.iterdir()) == []
        return done

    def build(self, *texts: str, flags: Tuple[str, ...] = ("-O2",)) -> Dict[str, VertexType]:
        sources = [self.write(text, f"codelet{i}.cpp") for i, text in enumerate(texts)]
        done = self.run(*flags, *sources, "-o", "out.gp")
        assert done.returncode == 0, done.stderr
        return load(self.folder / "out.gp")

    def errors(self, text: str) -> str:
        done = self.run(self.write(text), "-o", "out.gp")
        assert done.returncode == 1
        assert not (self.folder / "out.gp").exists()
        return done.stderr
