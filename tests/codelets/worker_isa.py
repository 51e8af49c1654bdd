"""Runs inline assembly of the IPU's worker as it stands in a header, bundle by bundle.

Only the instructions that the project writes are known. A bundle is {main | aux}; both halves read
the registers as they were before it. Every access must stay within the memory that the caller gave.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

import numpy as np

GAP = 64  # bytes between two arrays: what runs past the end of one meets nothing


class Instruction(NamedTuple):
    name: str
    operands: Tuple[str, ...]


Bundle = Tuple[Instruction, ...]


class Program(NamedTuple):
    """Bundles in order, the labels' places among them, and those that alignment may add."""

    bundles: List[Bundle]
    labels: Dict[str, int]
    alignments: int


def read_kernel(header: Path, function: str) -> str:
    """Return the text of the only assembly in a function of a header."""
    text = header.read_text()
    start = text.index(f"inline void {function}(")
    begin = text.index('R"(', start) + 3
    return text[begin : text.index(')"', begin)]


def parse(text: str) -> Program:
    bundles: List[Bundle] = []
    labels: Dict[str, int] = {}
    alignments = 0
    inside = None
    for line in filter(None, (line.split("//")[0].strip() for line in text.splitlines())):
        if line == "{":
            inside = []
        elif line == "}":
            assert inside is not None
            assert len(inside) == 2, f"expected two instructions in a bundle, got {inside}"
            bundles.append(tuple(inside))
            inside = None
        elif line.endswith(":"):
            labels[line[:-1]] = len(bundles)
        elif line == ".align 8":
            alignments += 1
        else:
            name, _, rest = line.partition(" ")
            instruction = Instruction(name, tuple(part.strip() for part in rest.split(",")))
            if inside is None:
                bundles.append((instruction,))
            else:
                inside.append(instruction)
    return Program(bundles, labels, alignments)


@dataclass
class Worker:
    """Registers and memory. `m` by name holds words, `a` is $a0 to $a7."""

    m: Dict[str, int] = field(default_factory=dict)
    a: np.ndarray = field(default_factory=lambda: np.full(8, np.nan, np.float32))
    arrays: List[Tuple[int, np.ndarray]] = field(default_factory=list)
    issued: int = 0  # bundles

    def place(self, name: str, array: np.ndarray) -> None:
        """Put an array into memory, aligned to 8 bytes; the operand `name` points at it."""
        end = max((at + held.nbytes for at, held in self.arrays), default=0)
        address = (end + GAP + 7) // 8 * 8
        self.arrays.append((address, array))
        self.m[name] = address

    def memory(self, address: int, size: int) -> np.ndarray:
        """Return the bytes of an access, a view."""
        assert address % size == 0, f"access of {size} bytes at {address}"
        for at, array in self.arrays:
            if at <= address and address + size <= at + array.nbytes:
                bytes_ = array.reshape(-1).view(np.uint8)
                return bytes_[address - at : address - at + size]
        raise AssertionError(f"access outside of the arrays: {size} bytes at {address}")

    def run(self, program: Program) -> None:
        at = 0
        while at < len(program.bundles):
            bundle = program.bundles[at]
            at += 1
            self.issued += 1
            repeat = next((i for i in bundle if i.name == "rpt"), None)
            branch = next((i for i in bundle if i.name == "brz"), None)
            self._issue(bundle)
            if repeat is not None:
                length = int(repeat.operands[1]) + 1
                body = program.bundles[at : at + length]
                assert all(len(b) == 2 for b in body), "rpt: expected whole bundles"
                assert all(i.name not in ("rpt", "brz") for b in body for i in b)
                for _ in range(self._word(repeat.operands[0])):
                    for inner in body:
                        self.issued += 1
                        self._issue(inner)
                at += length
            elif branch is not None and self._word(branch.operands[0]) == 0:
                at = program.labels[branch.operands[1].rstrip("f")]

    def _issue(self, bundle: Bundle) -> None:
        if len(bundle) == 2:
            assert bundle[0].name in MAIN, f"{bundle[0].name}: expected an instruction of main"
            assert bundle[1].name in AUX, f"{bundle[1].name}: expected an instruction of aux"
        writes = [(MAIN.get(i.name) or AUX[i.name])(self, *i.operands) for i in bundle]
        for write in writes:
            write()

    def _word(self, operand: str) -> int:
        if operand == "$mzero":
            return 0
        if operand.startswith("%["):
            return self.m[operand[2:-1]]
        return int(operand)

    def _floats(self, operand: str) -> np.ndarray:
        if operand == "$azeros":
            return np.zeros(2, np.float32)
        low, _, high = operand[2:].partition(":")
        return self.a[int(low) : int(high or low) + 1]

    def _set_word(self, operand: str, value: int) -> None:
        self.m[operand[2:-1]] = value

    def _set_floats(self, operand: str, values: Any) -> None:
        self._floats(operand)[:] = values

    def _load(self, to: str, delta: str, base: str, offset: str) -> Callable[[], None]:
        address = self._word(base) + self._word(delta) + 8 * self._word(offset)
        values = self.memory(address, 8).view(np.float32).copy()
        return lambda: self._set_floats(to, values)

    def _store(self, value: str, delta: str, base: str, offset: str) -> Callable[[], None]:
        values = self._floats(value).copy()
        address = self._word(base) + self._word(delta) + 8 * self._word(offset)
        return lambda: self._write(address, values)

    def _load_id(self, to: str, delta: str, pointer: str, step: str) -> Callable[[], None]:
        base = pointer.replace("+=", "")
        value = int(self.memory(self._word(base) + self._word(delta), 2).view(np.uint16)[0])
        after = self._word(base) + 2 * self._word(step)

        def write() -> None:
            self._set_word(base, after)
            self._set_word(to, value)

        return write

    def _store_step(self, value: str, delta: str, pointer: str, step: str) -> Callable[[], None]:
        base = pointer.replace("+=", "")
        values = self._floats(value).copy()
        address = self._word(base) + self._word(delta)
        after = self._word(base) + 4 * self._word(step)

        def write() -> None:
            self._write(address, values)
            self._set_word(base, after)

        return write

    def _write(self, address: int, values: np.ndarray) -> None:
        self.memory(address, values.nbytes).view(np.float32)[:] = values

    def _shift(self, to: str, value: str, by: str) -> Callable[[], None]:
        shifted = self._word(value) << int(by)
        return lambda: self._set_word(to, shifted)

    def _arithmetic(self, of: Callable[..., Any], to: str, *operands: str) -> Callable[[], None]:
        result = of(*(self._floats(operand).copy() for operand in operands))
        return lambda: self._set_floats(to, result)


def _nothing(worker: Worker, *operands: str) -> Callable[[], None]:
    return lambda: None


def _floats_of(of: Callable[..., Any]) -> Callable[..., Callable[[], None]]:
    return lambda worker, to, *operands: worker._arithmetic(of, to, *operands)


MAIN: Dict[str, Callable[..., Callable[[], None]]] = {
    "ld64": Worker._load,
    "st64": Worker._store,
    "ldz16step": Worker._load_id,
    "st32step": Worker._store_step,
    "shl": Worker._shift,
    "rpt": _nothing,  # `run` follows it
    "brz": _nothing,
}
AUX: Dict[str, Callable[..., Callable[[], None]]] = {
    "fnop": _nothing,
    "mov": _floats_of(lambda a: a),
    "f32add": _floats_of(np.add),
    "f32v2add": _floats_of(np.add),
    "f32v2mul": _floats_of(np.multiply),
}


def run_kernel(
    header: Path, function: str, arrays: Dict[str, np.ndarray], words: Dict[str, int]
) -> int:
    """Run a function's assembly on operands by name and return the bundles that it took.

    Arrays that it stores to change. One bundle is counted for an alignment.
    """
    program = parse(read_kernel(header, function))
    worker = Worker()
    for name, array in arrays.items():
        worker.place(name, array)
    worker.m.update(words)
    worker.run(program)
    return worker.issued + program.alignments
