"""Runs inline assembly of the IPU's worker, bundle by bundle.

Only the instructions that the project writes are known. A bundle is {main | aux}; both halves read
the registers as they were before it. Every access must stay within the memory that the caller gave.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
from tests.codelets.worker_text import Bundle, Instruction, Program, parse, read_kernel

GAP = 64  # bytes between two arrays: what runs past the end of one meets nothing
CLEAR = 1 << 3  # CSR_W_FP_CLR__ZAACC: written to $FP_CLR, it clears the accumulators
ADDRESS_BITS = 21  # of an address in a packed triple
HIGH_BITS = 32 - ADDRESS_BITS  # of the third that the first register holds
BRANCHES = ("brz", "brnz", "brnzdec", "bri")
BUNDLES = {"f32oox": 3, "f32div": 3, "f32sqrt": 4}  # of those that take more than one


def is_float(operand: str) -> bool:
    return operand.startswith("$a")


Write = Callable[[], None]


def _together(*writes: Write) -> Write:
    def write() -> None:
        for each in writes:
            each()

    return write


@dataclass
class Worker:
    """Registers and memory.

    `m` by name holds words, `a` is $a0 to $a7, each two halves at times. Of the eight accumulators
    the first two are summed to by f32v2mac, the first four by f32v4acc and f16v4acc, all by
    f16v8acc; f32v2gina takes two, moves the others up and puts in two at the end; f32v2axpy takes
    the first two and leaves its own sum there.
    """

    m: Dict[str, int] = field(default_factory=dict)
    a: np.ndarray = field(default_factory=lambda: np.full(8, np.nan, np.float32))
    accumulators: np.ndarray = field(default_factory=lambda: np.full(8, np.nan, np.float32))
    scale: np.ndarray = field(default_factory=lambda: np.float32(np.nan))  # $TAS
    arrays: List[Tuple[int, np.ndarray]] = field(default_factory=list)
    issued: int = 0  # bundles

    def place(self, name: str, array: np.ndarray) -> None:
        """Put an array into memory, aligned to 16 bytes; the operand `name` points at it."""
        end = max((at + stored.nbytes for at, stored in self.arrays), default=0)
        address = (end + GAP + 15) // 16 * 16
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
            repeat = next((i for i in bundle if i.name == "rpt"), None)
            branch = next((i for i in bundle if i.name in BRANCHES), None)
            taken = branch is not None and self._taken(branch)
            self._issue(bundle)
            if repeat is not None:
                length = self._word(repeat.operands[1]) + 1
                body = program.bundles[at : at + length]
                assert len(body) == length, f"rpt: expected {length} bundles, got {len(body)}"
                assert all(len(b) == 2 for b in body), "rpt: expected whole bundles"
                assert not any(i.name in ("rpt", *BRANCHES) for b in body for i in b)
                for _ in range(self._word(repeat.operands[0])):
                    for inner in body:
                        self._issue(inner)
                at += length
            elif branch is not None and taken:
                at = program.labels[branch.operands[-1][:-1]]

    def _taken(self, branch: Instruction) -> bool:
        value = 0 if branch.name == "bri" else self._word(branch.operands[0])
        if branch.name == "brnzdec":
            self._set_word(branch.operands[0], value - 1)
        return (value != 0) == branch.name.startswith("brnz")

    def _issue(self, bundle: Bundle) -> None:
        self.issued += max(BUNDLES.get(i.name, 1) for i in bundle)
        pipes = [MAIN, AUX]
        if len(bundle) == 1:  # `or` and `mov` are instructions of both, told by their registers
            (alone,) = bundle
            aux = alone.name not in MAIN or (alone.name in AUX and is_float(alone.operands[0]))
            pipes = [AUX if aux else MAIN]
        for pipe, instruction in zip(pipes, bundle):
            assert instruction.name in pipe, f"{instruction.name}: not of this half of a bundle"
        writes = [pipe[i.name](self, *i.operands) for pipe, i in zip(pipes, bundle)]
        for write in writes:
            write()

    def _word(self, operand: str) -> int:
        if operand == "$mzero":
            return 0
        if operand.startswith(("%[", "$m")):
            return self.m[operand.strip("%$[]")]
        return int(operand, 0)

    def _floats(self, operand: str) -> np.ndarray:
        if operand in ("$azero", "$azeros"):
            return np.zeros(1 + operand.endswith("s"), np.float32)
        if not is_float(operand):
            return np.array([self._word(operand)], np.uint32).view(np.float32)
        low, _, high = operand[2:].partition(":")
        if high == "B":
            return self.a[int(low)].repeat(2)
        return self.a[int(low) : int(high or low) + 1]

    def _set_word(self, operand: str, value: int) -> None:
        self.m[operand.strip("%$[]")] = value & 0xFFFFFFFF

    def _set_floats(self, operand: str, values: Any) -> None:
        if operand != "$azeros":
            self._floats(operand)[:] = values

    def _load(self, to: str, delta: str, base: str, offset: str, size: int = 8) -> Write:
        address = self._word(base) + self._word(delta) + size * self._word(offset)
        values = self.memory(address, size).view(np.float32).copy()
        if not is_float(to):
            assert size == 4
            word = int(values.view(np.uint32)[0])
            return lambda: self._set_word(to, word)
        assert self._floats(to).nbytes == size
        return lambda: self._set_floats(to, values)

    def _store(self, value: str, delta: str, base: str, offset: str) -> Write:
        values = self._floats(value).copy()
        address = self._word(base) + self._word(delta) + 8 * self._word(offset)
        return lambda: self._write(address, values)

    def _load_id(self, to: str, delta: str, pointer: str, step: str, size: int = 2) -> Write:
        base = pointer.replace("+=", "")
        type_ = {1: np.uint8, 2: np.uint16}[size]
        value = int(self.memory(self._word(base) + self._word(delta), size).view(type_)[0])
        after = self._word(base) + size * self._word(step)
        return _together(lambda: self._set_word(base, after), lambda: self._set_word(to, value))

    def _load_short(self, to: str, delta: str, base: str, offset: str) -> Write:
        address = self._word(base) + self._word(delta) + 2 * self._word(offset)
        value = int(self.memory(address, 2).view(np.uint16)[0])
        return lambda: self._set_word(to, value)

    def _step(self, size: int) -> Callable[..., Write]:
        """Return the store of `size` bytes whose pointer moves on."""

        def store(value: str, delta: str, pointer: str, step: str) -> Write:
            base = pointer.replace("+=", "")
            values = self._floats(value).copy()
            assert values.nbytes == size
            address = self._word(base) + self._word(delta)
            after = self._word(base) + size * self._word(step)
            return _together(
                lambda: self._write(address, values), lambda: self._set_word(base, after)
            )

        return store

    def _load_step(self, to: str, delta: str, pointer: str, step: str, size: int = 8) -> Write:
        base = pointer.replace("+=", "")
        load = self._load(to, delta, base, "0", size)
        after = self._word(base) + size * self._word(step)
        return _together(load, lambda: self._set_word(base, after))

    def _pack(self, to: str, *addresses: str) -> Write:
        """Put three addresses of 21 bits into two registers, the third above the other two."""
        low, high = to[2:].split(":")
        first, two, three = map(self._word, addresses)
        assert max(first, two, three) < 1 << ADDRESS_BITS

        def write() -> None:
            self._set_word(f"$m{low}", first | three << ADDRESS_BITS)
            self._set_word(f"$m{high}", two | three >> HIGH_BITS << ADDRESS_BITS)

        return write

    def _unpack(self, registers: str) -> List[int]:
        low, high = (self.m["m" + name] for name in registers.replace("+=", "")[2:].split(":"))
        mask = (1 << ADDRESS_BITS) - 1
        return [low & mask, high & mask, low >> ADDRESS_BITS | high >> ADDRESS_BITS << HIGH_BITS]

    def _paced(self, pointers: str, strides: str, modes: Dict[int, int]) -> Write:
        """Move the packed pointers of these numbers on.

        A mode, two bits, chooses 1 or the first of the strides, a signed number of 10 bits.
        """
        stride = (self._word(strides) + 512) % 1024 - 512
        addresses = self._unpack(pointers)
        for number, mode in modes.items():
            addresses[number] += 8 * {0: 1, 1: stride}[mode]
        names = pointers.replace("+=", "")
        return self._pack(names, *map(str, addresses))

    def _load_two(self, first: str, second: str, pointers: str, strides: str, mode: str) -> Write:
        """Load from the first two of the packed pointers; two bits of the mode for each."""
        modes = int(mode, 0)
        left, two, _ = self._unpack(pointers)
        loads = [self._load(to, "0", str(at), "0") for to, at in ((first, left), (second, two))]
        return _together(*loads, self._paced(pointers, strides, {0: modes & 3, 1: modes >> 2}))

    def _store_paced(self, value: str, pointers: str, strides: str, mode: str) -> Write:
        """Store to the third of the packed pointers."""
        store = self._store(value, "0", str(self._unpack(pointers)[2]), "0")
        return _together(store, self._paced(pointers, strides, {2: int(mode, 0)}))

    def _load_two_store(self, to: str, value: str, pointers: str, strides: str, mode: str) -> Write:
        """Load from two of the packed pointers and store to the third.

        Interleaved memory alternates between two elements by 8 bytes: the first load, from the row
        that the store is to, meets it where they are an even number of pairs apart.
        """
        modes = int(mode, 0)
        first, two, three = self._unpack(pointers)
        assert (first - three) // 8 % 2 == 1, "ld2xst64pace: a load and the store meet"
        low = int(to[2])
        registers = (f"$a{low}:{low + 1}", f"$a{low + 2}:{low + 3}")
        loads = [self._load(name, "0", str(at), "0") for name, at in zip(registers, (first, two))]
        store = self._store(value, "0", str(three), "0")
        by_pointer = {0: modes & 3, 1: modes >> 2 & 3, 2: modes >> 4}
        return _together(*loads, store, self._paced(pointers, strides, by_pointer))

    def _scaled_add(self, to: str, x: str, y: str) -> Write:
        taken = self.accumulators[:2].copy()
        self.accumulators[:2] = self.scale * self._floats(x) + self._floats(y)
        return lambda: self._set_floats(to, taken)

    def _accumulate(self, of: Callable[..., Any], *operands: str) -> Write:
        added = np.asarray(of(*(self._floats(operand).copy() for operand in operands)))
        self.accumulators[: added.size] += added
        return lambda: None

    def _take_accumulators(self, to: str, insert: str, mode: str) -> Write:
        assert mode == "0"
        taken = self.accumulators[:2].copy()
        self.accumulators = np.concatenate([self.accumulators[2:], self._floats(insert)])
        return lambda: self._set_floats(to, taken)

    def _put(self, register: str, value: str) -> Write:
        if register == "$TAS":
            self.scale = self._floats(value)[0].copy()
            return lambda: None
        assert register == "$FP_CLR"
        assert int(self._floats(value).view(np.uint32)[0]) == CLEAR
        self.accumulators[:] = 0.0
        return lambda: None

    def _write(self, address: int, values: np.ndarray) -> None:
        self.memory(address, values.nbytes).view(np.float32)[:] = values

    def _integers(self, of: Callable[..., int], to: str, *operands: str) -> Write:
        result = of(*map(self._word, operands))
        return lambda: self._set_word(to, result)

    def _to_word(self, to: str, value: str) -> Write:
        word = int(self._floats(value).view(np.uint32)[0])
        return lambda: self._set_word(to, word)

    def _arithmetic(self, of: Callable[..., Any], to: str, *operands: str) -> Write:
        result = of(*(self._floats(operand).copy() for operand in operands))
        return lambda: self._set_floats(to, result)


def _nothing(worker: Worker, *operands: str) -> Write:
    return lambda: None


def _floats_of(of: Callable[..., Any]) -> Callable[..., Write]:
    return lambda worker, to, *operands: worker._arithmetic(of, to, *operands)


def _integers_of(of: Callable[..., int]) -> Callable[..., Write]:
    return lambda worker, to, *operands: worker._integers(of, to, *operands)


def _halves(words: np.ndarray) -> np.ndarray:
    """Return the halves in registers, each word's lower one first, as floats."""
    return np.ascontiguousarray(words).view(np.float16).astype(np.float32)


def _bits_of(of: Callable[..., Any]) -> Callable[..., Write]:
    return _floats_of(lambda *v: of(*(a.view(np.uint32) for a in v)).view(np.float32))


def _mask_of(of: Callable[..., Any]) -> Callable[..., Write]:
    """Return the comparison, whose result has all bits set or none."""
    return _floats_of(lambda a, b: (of(a, b) * np.uint32(0xFFFFFFFF)).view(np.float32))


MAIN: Dict[str, Callable[..., Write]] = {
    "ld32": lambda worker, *operands: worker._load(*operands, size=4),
    "ld32step": lambda worker, *operands: worker._load_step(*operands, size=4),
    "ld64": Worker._load,
    "ld64step": Worker._load_step,
    "ld128": lambda worker, *operands: worker._load(*operands, size=16),
    "ld2x64pace": Worker._load_two,
    "ld2xst64pace": Worker._load_two_store,
    "st64pace": Worker._store_paced,
    "tapack": Worker._pack,
    "st64": Worker._store,
    "st32step": lambda worker, *operands: worker._step(4)(*operands),
    "st64step": lambda worker, *operands: worker._step(8)(*operands),
    "ldz8step": lambda worker, *operands: worker._load_id(*operands, size=1),
    "ldz16": Worker._load_short,
    "ldz16step": Worker._load_id,
    "add": _integers_of(lambda a, b: a + b),
    "clz": _integers_of(lambda a: 32 - a.bit_length()),
    "cmpult": _integers_of(lambda a, b: int(a < b)),
    "max": _integers_of(max),  # of numbers below 2^31
    "mov": _integers_of(lambda a: a),
    "mul": _integers_of(lambda a, b: a * b),
    "or": _integers_of(lambda a, b: a | b),
    "shl": _integers_of(lambda a, b: a << b),
    "nop": _nothing,
    "shr": _integers_of(lambda a, b: a >> b),
    "sub": _integers_of(lambda a, b: a - b),
    "xor": _integers_of(lambda a, b: a ^ b),
    "atom": Worker._to_word,
    "rpt": _nothing,  # `run` follows it, and the branches
    "brz": _nothing,
    "brnz": _nothing,
    "brnzdec": _nothing,
    "bri": _nothing,
}
AUX: Dict[str, Callable[..., Write]] = {
    "fnop": _nothing,
    "mov": _floats_of(lambda a: a),
    "setzi": _floats_of(lambda a: a),
    "uput": Worker._put,
    "and64": _bits_of(np.bitwise_and),
    "andc64": _bits_of(lambda a, b: a & ~b),
    "or64": _bits_of(np.bitwise_or),
    "or": _bits_of(np.bitwise_or),
    "f32add": _floats_of(np.add),
    "f32v2absadd": _floats_of(lambda a, b: np.abs(a) + np.abs(b)),
    "f32v2add": _floats_of(np.add),
    "f32v2sub": _floats_of(np.subtract),
    "f32v2mul": _floats_of(np.multiply),
    "f32v2cmple": _mask_of(np.less_equal),
    "f32v2cmplt": _mask_of(np.less),
    "f32div": _floats_of(np.divide),
    "f32sqrt": _floats_of(np.sqrt),
    "f32oox": _floats_of(lambda a: np.float32(1.0) / a),
    "f32v2axpy": Worker._scaled_add,
    "f32v2mac": lambda worker, a, b: worker._accumulate(np.multiply, a, b),
    "f32v4acc": lambda worker, a: worker._accumulate(lambda v: v, a),
    "f16v4acc": lambda worker, a: worker._accumulate(_halves, a),
    "f16v8acc": lambda worker, a: worker._accumulate(_halves, a),
    "f16v2tof32": _floats_of(_halves),
    "sort4x16lo": _bits_of(lambda a, b: a & 0xFFFF | b << 16),
    "f32v2tof16": _floats_of(lambda a: a.astype(np.float16).view(np.float32)),
    "f32v2gina": Worker._take_accumulators,
}


def run_kernel(
    header: Path, function: str, arrays: Dict[str, np.ndarray], words: Dict[str, int]
) -> int:
    """Run a function's assembly on operands by name and return the bundles that it took.

    Arrays that it stores to change, and in `words` those that it changes. One bundle is counted for
    an alignment.
    """
    program = parse(read_kernel(header, function), words)
    worker = Worker()
    for name, array in arrays.items():
        worker.place(name, array)
    worker.m.update(words)
    worker.run(program)
    words.update({name: worker.m[name] for name in words})
    return worker.issued + program.alignments
