"""Runs one vertex of the project's codelets, with guards around everything it may touch."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Mapping

import numpy as np
import pytest
from tests.codelets.cases import Array, InOut, Output, RunVertex, filler

from popsnn._paths import codelets_path

GUARD = 16  # elements on either side of a field: keeps the alignment that fields ask for
TYPES = {
    "uint16": "UNSIGNED_SHORT",
    "uint32": "UNSIGNED_INT",
    "int32": "INT",
    "float32": "FLOAT",
}


@pytest.fixture(scope="session")
def run_vertex() -> RunVertex:
    """Return run(type, fields, state, workers): the fields of a vertex after it ran, as arrays.

    `fields` are arrays (inputs), InOut and Output by name; those without dimensions connect to
    scalars. `state` are numbers by name.
    """
    poplar = importlib.import_module("popsnn._core").poplar

    def run(
        type_: str,
        fields: Mapping[str, Any],
        state: Mapping[str, Any],
        workers: int = 6,
    ) -> Dict[str, Array]:
        model = poplar.IPUModel()
        model.tiles_per_ipu = 1
        model.num_worker_contexts = workers
        device = model.create_device()
        graph = poplar.Graph(device.target)
        graph.add_codelets(str(codelets_path()))
        compute_set = graph.add_compute_set("test")
        vertex = graph.add_vertex(compute_set, "popsnn::" + type_, {})
        graph.set_tile_mapping(vertex, 0)
        for name, value in state.items():
            graph.set_initial_value(vertex[name], value)
        guarded = {name: _guarded(field) for name, field in fields.items()}
        for name, array in guarded.items():
            type_of = getattr(poplar, TYPES[array.dtype.name])
            tensor = graph.add_variable(type_of, [array.size], name)
            graph.set_tile_mapping(tensor, 0)
            graph.create_host_write(name, tensor)
            graph.create_host_read(name, tensor)
            inside = tensor.slice(GUARD, array.size - GUARD)
            graph.connect(vertex[name], inside if _shape(fields[name]) else inside[0])
        engine = poplar.Engine(graph, [poplar.Execute(compute_set)], {})
        engine.load(device)
        for name, array in guarded.items():
            engine.write_tensor(name, array)
        engine.run(0)
        after = {}
        for name, before in guarded.items():
            array = engine.read_tensor(name, np.empty_like(before))
            after[name] = array[GUARD:-GUARD].reshape(_shape(fields[name])).copy()
            if isinstance(fields[name], (InOut, Output)):
                array[GUARD:-GUARD] = before[GUARD:-GUARD]
            np.testing.assert_array_equal(array, before, f"{name}: expected it to stay")
        return after

    return run


def _shape(field: Any) -> Any:
    return field.shape if isinstance(field, Output) else np.shape(_array(field))


def _array(field: Any) -> Array:
    if isinstance(field, Output):
        return np.full(field.shape, filler(field.dtype), field.dtype)
    return np.asarray(field.array if isinstance(field, InOut) else field)


def _guarded(field: Any) -> Array:
    """Return the field's elements in a row, between guards."""
    array = _array(field)
    guarded = np.full(array.size + 2 * GUARD, filler(array.dtype), array.dtype)
    guarded[GUARD:-GUARD] = array.ravel()
    return guarded
