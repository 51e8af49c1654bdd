"""Reports of what an Engine compiled and ran: the subset of libpva's that the emulator models."""

from __future__ import annotations

import enum
import functools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Union

__all__ = ["OperationAnalysis", "Program", "ProgramVisitor", "Report", "openReport"]

# What the model counts, by libpva's categories; those with nothing are of code and descriptors that
# it has not.
_CATEGORIES = {
    "constant": ["constants"],
    "controlCode": [],
    "controlId": [],
    "controlTable": [],
    "copyDescriptor": [],
    "globalExchangeCode": [],
    "hostExchangeCode": [],
    "internalExchangeCode": [],
    "message": ["exchange buffers"],
    "rearrangement": ["rearrangement"],
    "stack": ["stacks"],
    "variable": ["variables", "temporaries"],
    "vectorListDescriptor": [],
    "vertexCode": ["vertex code"],
    "vertexFieldData": [],
    "vertexInstanceState": ["vertex state"],
}  # type: Dict[str, List[str]]

_KINDS = {"Execute": "OnTileExecute", "Copy": "DoExchange", "Branch": "Unknown"}


class _Record(SimpleNamespace):
    """Named values of a report. A name of libpva that the emulator does not model is refused."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"pva: expected one of {', '.join(sorted(vars(self)))}, got '{name}', which the "
            "emulator's reports do not have"
        )


class Program:
    """The program of a step.

    Attributes
    ----------
    type : Program.Type
    name : str
    computeset
        Of an ``OnTileExecute``: its ``name`` and ``vertices``.
    """

    class Type(enum.Enum):
        """Kind of a program."""

        OnTileExecute = 0
        DoExchange = 1
        StreamCopyBegin = 2
        StreamCopyMid = 3
        StreamCopyEnd = 4
        GlobalExchange = 5
        Unknown = 6

    def __init__(self, kind: str, name: str, computeset: Optional[_Record] = None) -> None:
        known = kind if kind in Program.Type.__members__ else "StreamCopyMid"
        self.type = Program.Type[_KINDS.get(kind, known)]
        self.name = name
        if computeset is not None:
            self.computeset = computeset

    def accept(self, visitor: ProgramVisitor) -> None:
        """Call the method of ``visitor`` for the type of this program."""
        if self.type is not Program.Type.Unknown:
            getattr(visitor, f"visit{self.type.name}")(self)


class ProgramVisitor:
    """Base of classes with a method for each type of program, which ``Program.accept`` calls."""

    def visitOnTileExecute(self, onTileExecute: Program) -> None:
        """Visit the execution of a compute set."""

    def visitDoExchange(self, doExchange: Program) -> None:
        """Visit an exchange between the tiles of an IPU."""

    def visitGlobalExchange(self, globalExchange: Program) -> None:
        """Visit an exchange between IPUs."""

    def visitStreamCopyBegin(self, streamCopyBegin: Program) -> None:
        """Visit the begin of a copy from or to the host."""

    def visitStreamCopyMid(self, streamCopyMid: Program) -> None:
        """Visit the transfer of a copy from or to the host."""

    def visitStreamCopyEnd(self, streamCopyEnd: Program) -> None:
        """Visit the end of a copy from or to the host."""


def _vertices(counts: Dict[str, float]) -> List[_Record]:
    return [
        _Record(type=_Record(name=name))
        for name, count in counts.items()
        for _ in range(int(count))
    ]


def _category(value: Dict[str, float]) -> _Record:
    """Bytes by what they hold. Nothing has an address: all count as apart, and not interleaved."""
    bytes_ = {name: sum(int(value[kind]) for kind in kinds) for name, kinds in _CATEGORIES.items()}

    def overlap(n: int) -> _Record:
        return _Record(nonOverlapped=n, overlapped=0, total=n)

    return _Record(
        **{
            name: _Record(
                nonInterleaved=overlap(n), interleaved=overlap(0), overflowed=overlap(0), total=n
            )
            for name, n in bytes_.items()
        }
    )


def _tile(value: Dict[str, Any]) -> _Record:
    always, not_always = int(value["alwaysLiveBytes"]), int(value["notAlwaysLiveBytes"])
    total = _Record(excludingGaps=always + not_always, includingGaps=always + not_always)
    memory = _Record(
        category=_category(value["category"]),
        total=total,
        alwaysLiveBytes=always,
        notAlwaysLiveBytes=not_always,
        vertices=_vertices(value["vertices"]),
    )
    return _Record(memory=memory)


def _target(value: Dict[str, Any]) -> _Record:
    tiles, ipus = int(value["numTiles"]), int(value["numIPUs"])
    per_tile = int(value["bytesPerTile"])
    return _Record(
        numTiles=tiles,
        numIPUs=ipus,
        tilesPerIpu=tiles // ipus,
        bytesPerTile=per_tile,
        bytesPerIPU=tiles // ipus * per_tile,
        totalMemory=tiles * per_tile,
        numReplicas=1,
        clockFrequency=value["clockFrequency"],
        architecture=value["architecture"],
    )


def _step(value: Dict[str, Any], ipus: int, compute_sets: Dict[str, _Record]) -> _Record:
    cycles = [int(c) for c in value["cyclesByTile"]]
    compute_set = _Record(name=value["name"], cyclesByTile=cycles, estimatedCyclesByTile=cycles)
    compiled = compute_sets.get(value["name"]) if value["kind"] == "Execute" else None
    return _Record(
        program=Program(value["kind"], value["name"], compiled),
        ipus=[_Record(cycles=value["cycles"]) for _ in range(ipus)],
        computeSets=[compute_set] if value["kind"] == "Execute" else [],
        runs=int(value["runs"]),
    )


def _block(value: Dict[str, Any]) -> _Record:
    kind, type_ = value["kind"], value["type"]
    return _Record(
        program=Program(type_, value["name"]),
        cyclesFrom=int(value["from"]),
        cyclesTo=int(value["to"]),
        tile=int(value["tile"]),
        isCommon=kind == "Common",
        isStreamCopy=kind == "StreamCopy",
        isOverflow=kind == "Overflow",
        isBlockFlush=kind == "BlockFlush",
    )


class Report:
    """A report that an Engine wrote.

    Attributes
    ----------
    poplarVersion
        Its ``string``.
    compilation
        ``target``, ``graph``, ``tiles`` with their ``memory``, and ``computeSets``.
    execution
        ``steps``: an instruction that ran each, with the cycles of all of its runs.
        ``blocks(tile)``: the runs of blocks and stream copies that the Engine traced on a tile.
    """

    def __init__(self, value: Dict[str, Any]) -> None:
        compilation = value["compilation"]
        target = _target(compilation["target"])
        graph = _Record(**{k: int(v) for k, v in compilation["graph"].items()})
        self.poplarVersion = _Record(string=value["poplarVersion"])
        self.compilation = _Record(
            target=target,
            graph=graph,
            tiles=[_tile(tile) for tile in compilation["tiles"]],
            computeSets=[
                _Record(name=cs["name"], vertices=_vertices(cs["vertices"]))
                for cs in compilation["computeSets"]
            ],
        )
        compute_sets = {each.name: each for each in self.compilation.computeSets}
        traced = [_block(block) for block in value["blocks"]]
        self.execution = _Record(
            steps=[_step(step, target.numIPUs, compute_sets) for step in value["steps"]],
            blocks=lambda tile: [block for block in traced if block.tile == tile],
        )


class OperationAnalysis:
    """The programs that ran, by the operation that the path of their names says.

    An operation ``layer/matMul`` has the programs ``layer/matMul/...``: what a name says behind its
    last slash is of the program.

    Parameters
    ----------
    report : Report

    Attributes
    ----------
    operations
        In the order of their first program. Each has a ``name``, a ``debugContext`` with its ``id``
        and ``name``, and ``programs()``.
    """

    def __init__(self, report: Report) -> None:
        programs: Dict[str, List[Program]] = {}
        for step in report.execution.steps:
            name = step.program.name.rpartition("/")[0] or step.program.name
            programs.setdefault(name, []).append(step.program)
        self.operations = [
            _Record(
                name=name,
                debugContext=_Record(id=number, name=name),
                programs=functools.partial(list, own),
            )
            for number, (name, own) in enumerate(programs.items())
        ]


# The SDK's spelling.
def openReport(path: Union[str, Path], debug: Union[str, Path, None] = None) -> Report:
    """Read the report ``profile.pop`` of an Engine with the option ``autoReport.all``.

    Parameters
    ----------
    path
        The report.
    debug
        A file of debug information. It has to exist and adds nothing: the report has all names.

    Raises
    ------
    RuntimeError
        Where the file is none that an Engine wrote, or the one of debug information is not there.
    """
    if debug is not None and not Path(debug).is_file():
        raise RuntimeError(f"pva.openReport: expected a file of debug information, got '{debug}'")
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
        return Report(value)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuntimeError(
            f"pva.openReport: expected a report that an Engine has written, got '{path}'"
        ) from error
