"""Memory that the planner reserves for code, and the fields of the vertices that it expects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, Tuple

import pytest
from hypothesis import given
from tests.poplib.networks import core, layer, network, runner
from tests.poplib.test_memory import planned

CODELETS = Path(__file__).resolve().parents[2] / "codelets"
VERTEX = re.compile(r"\bclass (?:POPSNN_APART )?(\w+) : public (?:poplar::)?(?:Multi)?Vertex\b")
FEWER = ("ScanMasks", "ScanLateMasks", "SgdUpdate", "AdamUpdate", "AddGradients")
FIXED = 4096 + 2048 + 512 + 6 * 256  # programs, libraries, stacks


def test_every_codelet_has_a_size() -> None:
    found = {
        name
        for path in CODELETS.glob("*/*")
        if path.suffix in (".cpp", ".hpp")
        for name in VERTEX.findall(path.read_text())
    }
    assert len(found) > 45
    assert {name.partition("<")[0] for name in core.codelet_sizes()} == found


def test_a_size_may_depend_on_the_arguments_of_a_template() -> None:
    sizes = core.codelet_sizes()
    assert core.vertex_code_bytes("popsnn::AdamUpdate<float>") == sizes["AdamUpdate"]
    assert core.vertex_code_bytes("popsnn::AdamUpdate<half>") == sizes["AdamUpdate<half>"]
    assert sizes["AdamUpdate<half>"] > sizes["AdamUpdate"]
    with pytest.raises(IndexError):
        core.vertex_code_bytes("popsnn::Unknown<float>")


@given(case=planned())
def test_code_is_that_of_the_vertices_that_are_built(case: Tuple[Any, Dict[str, Any]]) -> None:
    spec, choices = case
    made = runner(spec, instrument=True, **choices)
    profile = made.profile()
    for tile, vertices in enumerate(profile["vertices_per_tile"]):
        built = {name for name in vertices if name.startswith("popsnn::")}
        reserved = set(made.planned_vertex_types[tile])
        assert built <= reserved, tile
        # A small network may have fewer mask blocks than tiles, or fewer weights than replicas.
        others = {name.partition("<")[0] for name in reserved - built}
        assert others <= {f"popsnn::{name}" for name in FEWER}, tile
        code = sum(map(core.vertex_code_bytes, built))
        assert made.planned_code_bytes_per_tile[tile] >= FIXED + code
    # No vertex of poplibs has a field without elements, so none of these may have one.
    assert not [field for field in profile["empty_fields"] if field.startswith("popsnn::")]


def test_a_tile_with_a_layer_that_spikes_has_room_for_its_code() -> None:
    spec = network(layer(200, 100, 10), layer(100, 10), steps=10, batch=12, optimizer="adam")
    made = runner(spec, tiles=64, replicas=1)
    tile = made.layers[0].first_tile
    types = ("NeuronStep", "NeuronStepGrad", "WeightGrad", "AdamUpdate")
    assert made.planned_code_bytes_per_tile[tile] > sum(core.codelet_sizes()[t] for t in types)
    sentence = r"needs (\d+) bytes on tile (\d+)"
    with pytest.raises(RuntimeError, match=sentence) as info:
        runner(spec, tiles=64, replicas=1, bytes_per_tile=1)
    needed, fullest = map(int, re.findall(sentence, str(info.value))[0])
    least = runner(spec, tiles=64, replicas=1, bytes_per_tile=needed)
    data, code = least.planned_bytes_per_tile, least.planned_code_bytes_per_tile
    assert data[fullest] + code[fullest] <= needed
