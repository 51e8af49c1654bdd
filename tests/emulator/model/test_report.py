"""Reports of an Engine (C++ checks its own), and the same file read from Python."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.emulator.library_tool import prefix, run_program


@pytest.fixture(scope="module")
def pva() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pva", prefix() / "python/pva/__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_report_of_a_file(pva: ModuleType, program_folder: Path) -> None:
    directory = run_program("pva", program_folder).errors["directory"]
    report = pva.openReport(f"{directory}/profile.pop")
    compilation = report.compilation
    assert report.poplarVersion.string == "3.4.0"
    assert (compilation.target.numTiles, compilation.graph.numComputeSets) == (4, 1)
    assert compilation.target.totalMemory == compilation.target.bytesPerIPU
    total = sum(tile.memory.total.includingGaps for tile in compilation.tiles)
    memories = [tile.memory for tile in compilation.tiles]
    assert total == sum(m.alwaysLiveBytes + m.notAlwaysLiveBytes for m in memories) > 0
    names = {v.type.name for m in memories for v in m.vertices}
    assert names == {v.type.name for v in compilation.computeSets[0].vertices}
    (step,) = report.execution.steps
    assert step.program.type is pva.Program.Type.OnTileExecute
    assert step.runs == 3
    assert step.ipus[0].cycles >= 3 * max(step.computeSets[0].cyclesByTile) > 0
    assert report.execution.blocks(0) == []
    with pytest.raises(AttributeError, match=r"got 'livenessProgramSteps'"):
        _ = compilation.livenessProgramSteps
    category = memories[0].category
    assert category.variable.total == category.variable.nonInterleaved.nonOverlapped == 64
    assert category.vertexCode.total > 0 == category.internalExchangeCode.total
    total = sum(each.total for each in vars(category).values())
    assert total == memories[0].total.excludingGaps


def test_blocks_of_a_file(pva: ModuleType, program_folder: Path) -> None:
    """The program checks the blocks of Engines; its last one writes a report."""
    directory = run_program("blocks", program_folder).errors["directory"]
    execution = pva.openReport(f"{directory}/profile.pop").execution
    (block,) = execution.blocks(4)
    assert (block.program.name, block.tile, block.isCommon) == ("saved", 4, True)
    assert block.program.type is pva.Program.Type.Unknown
    assert block.cyclesTo > block.cyclesFrom
    assert execution.blocks(0) == []


def test_operations_of_a_file(pva: ModuleType, program_folder: Path) -> None:
    directory = run_program("pva", program_folder).errors["directory"]
    report = pva.openReport(f"{directory}/profile.pop", f"{directory}/profile.pop")
    (step,) = report.execution.steps
    (operation,) = pva.OperationAnalysis(report).operations
    assert step.program.name.startswith(operation.name)
    assert (operation.debugContext.id, operation.debugContext.name) == (0, operation.name)
    assert operation.programs() == [step.program]
    with pytest.raises(AttributeError, match=r"got 'layer'"):
        _ = operation.layer
    with pytest.raises(RuntimeError, match=r"expected a file of debug information, got 'none'"):
        pva.openReport(f"{directory}/profile.pop", "none")


def test_visitors_see_programs_by_their_type(pva: ModuleType, program_folder: Path) -> None:
    directory = run_program("pva", program_folder).errors["directory"]
    report = pva.openReport(f"{directory}/profile.pop")
    seen = []

    class Visitor(pva.ProgramVisitor):  # type: ignore[misc, name-defined]
        def visitOnTileExecute(self, program: Any) -> None:
            seen.append((program.name, len(program.computeset.vertices)))

    (step,) = report.execution.steps
    for program in (step.program, pva.Program("Copy", "x"), pva.Program("Branch", "y")):
        program.accept(Visitor())
    assert seen == [(step.program.name, len(report.compilation.computeSets[0].vertices))]


def test_operations_have_the_programs_below_their_names(pva: ModuleType) -> None:
    names = ["a/b/first", "c", "a/b/second", "a/d/first"]
    steps = [pva._Record(program=pva.Program("Execute", name)) for name in names]
    report = pva._Record(execution=pva._Record(steps=steps))
    operations = pva.OperationAnalysis(report).operations
    found = {each.name: [program.name for program in each.programs()] for each in operations}
    assert found == {"a/b": ["a/b/first", "a/b/second"], "c": ["c"], "a/d": ["a/d/first"]}
    assert [each.debugContext.id for each in operations] == [0, 1, 2]


@pytest.mark.parametrize("text", [None, "", "{}", '{"compilation": 1}', "[1]"])
def test_another_file_is_refused(pva: ModuleType, tmp_path: Path, text: str) -> None:
    path = tmp_path / "profile.pop"
    if text is not None:
        path.write_text(text)
    with pytest.raises(RuntimeError, match=r"pva\.openReport: expected a report"):
        pva.openReport(path)
