"""Runs one vertex of the project's codelets, with guards around everything it may touch."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Union

import numpy as np
import pytest
from tests.codelets.cases import Array, InOut, Output, RunVertex, filler

from popsnn._internal.paths import codelets_path

GUARD = 16  # elements on either side of a field: keeps the alignment that fields ask for
TYPES = {
    "uint16": "UNSIGNED_SHORT",
    "uint32": "UNSIGNED_INT",
    "int32": "INT",
    "float32": "FLOAT",
    "float16": "HALF",
}


# Types of fields that a vertex has and may not need: one row of one element, not touched.
FLOATS = "taps products product_grad tap_grad bias_grad parameter_grad steps_grad partial sums"
UNUSED = {
    "rest": np.float16,
    "synapses": np.uint16,
    **dict.fromkeys(("bounds", "real_counts", "delays"), np.uint32),
    **dict.fromkeys(("undelayed", "undelayed_ids"), np.uint32),
    **dict.fromkeys((*FLOATS.split(), "value_grad"), np.float32),
}


class Edge(NamedTuple):
    """One tensor of a field: the field itself, or a row of a field of several vectors."""

    name: str  # of the tensor
    field: str
    row: Optional[int]
    what: Any  # an array, InOut or Output


@pytest.fixture(scope="session")
def run_vertex() -> RunVertex:
    """Return run(type, fields, state, workers, library): the fields of a vertex after it ran.

    `fields` are arrays (inputs), InOut and Output by name, a list of them for a field of several
    vectors; an empty list is a field that the vertex does not need, and has to leave as it is.
    Arrays without dimensions connect to scalars. `state` are numbers, or arrays, by name.
    """
    poplar = importlib.import_module("popsnn_test_poplar")

    def run(
        type_: str,
        fields: Mapping[str, Any],
        state: Mapping[str, Any],
        workers: int = 6,
        library: Optional[Path] = None,
    ) -> Dict[str, Union[Array, List[Array]]]:
        empty = {name for name, field in fields.items() if isinstance(field, list) and not field}
        unused = sorted(empty & set(UNUSED))
        fields = {**fields, **{name: [np.zeros(1, UNUSED[name])] for name in unused}}
        model = poplar.IPUModel()
        model.tiles_per_ipu = 1
        model.num_worker_contexts = workers
        device = model.create_device()
        graph = poplar.Graph(device.target)
        graph.add_codelets(str(library or codelets_path()))
        compute_set = graph.add_compute_set("test")
        vertex = graph.add_vertex(compute_set, "popsnn::" + type_, {})
        graph.set_tile_mapping(vertex, 0)
        for name, value in state.items():
            graph.set_initial_value(vertex[name], value)
        for name, field in fields.items():
            if isinstance(field, list):
                graph.set_field_size(vertex[name], len(field))
        edges = list(_edges(fields))
        guarded = {edge.name: _guarded(edge.what) for edge in edges}
        for edge in edges:
            array = guarded[edge.name]
            type_of = getattr(poplar, TYPES[array.dtype.name])
            tensor = graph.add_variable(type_of, [array.size], edge.name)
            graph.set_tile_mapping(tensor, 0)
            graph.create_host_write(edge.name, tensor)
            graph.create_host_read(edge.name, tensor)
            inside = tensor.slice(GUARD, array.size - GUARD)
            at = vertex[edge.field] if edge.row is None else vertex[edge.field][edge.row]
            graph.connect(at, inside if _shape(edge.what) else inside[0])
        engine = poplar.Engine(graph, [poplar.Execute(compute_set)], {})
        engine.load(device)
        for name, array in guarded.items():
            engine.write_tensor(name, array)
        engine.run(0)
        after: Dict[str, Any] = {name: [] for name in fields if isinstance(fields[name], list)}
        for edge in edges:
            before = guarded[edge.name]
            array = engine.read_tensor(edge.name, np.empty_like(before))
            result = array[GUARD:-GUARD].reshape(_shape(edge.what)).copy()
            if edge.row is None:
                after[edge.field] = result
            else:
                after[edge.field].append(result)
            if isinstance(edge.what, (InOut, Output)):
                array[GUARD:-GUARD] = before[GUARD:-GUARD]
            np.testing.assert_array_equal(array, before, f"{edge.name}: expected it to stay")
        return {**after, **{name: [] for name in unused}}

    return run


def _edges(fields: Mapping[str, Any]) -> Iterator[Edge]:
    for name, field in fields.items():
        if isinstance(field, list):
            yield from (Edge(f"{name}[{row}]", name, row, each) for row, each in enumerate(field))
        else:
            yield Edge(name, name, None, field)


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
