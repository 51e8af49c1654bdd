"""Reads inline assembly of the IPU's worker as it stands in a header."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple


class Instruction(NamedTuple):
    name: str
    operands: Tuple[str, ...]


Bundle = Tuple[Instruction, ...]


class Program(NamedTuple):
    """Bundles in order, the labels' positions among them, and those that alignment may add."""

    bundles: List[Bundle]
    labels: Dict[str, int]
    alignments: int


def read_pieces(header: Path) -> Dict[str, str]:
    """Return the texts that the macros of a header stand for, by name."""
    lines = header.read_text().replace("\\\n", " ").splitlines()
    defined = [line.split(None, 2)[1:] for line in lines if re.match(r'#define \w+\s+"', line)]
    return {name: ast.literal_eval(f"({text})") for name, text in defined}


def read_kernel(header: Path, function: str) -> str:
    """Return the text of the only assembly in a function of a header, with its constants."""
    text = header.read_text()
    start = text.index("asm volatile(", text.index(f"inline void {function}("))
    body = text[start + len("asm volatile(") : text.index(");", start)]
    common = header.parents[1] / "common" / "assembly_ipu.hpp"
    chunks = {**read_pieces(common), **read_pieces(header)}
    result = ""
    for raw, name in re.findall(r'R"\((.*?)\)"|\b(POPSNN_\w+)|:', body, re.DOTALL):
        if not raw and not name:
            break  # the operands begin
        result += raw or chunks[name]
    return result


def choose(lines: List[str], words: Dict[str, int]) -> List[str]:
    """Return the lines without those that `.if` and `.else` leave out."""
    result: List[str] = []
    taken = True
    for line in lines:
        name, _, condition = line.partition(" ")
        if name == ".if":
            taken = words[condition.strip(" %[]")] != 0
        elif name == ".else":
            taken = not taken
        elif name == ".endif":
            taken = True
        elif taken:
            result.append(line)
    return result


def unroll(lines: List[str], words: Dict[str, int]) -> List[str]:
    """Return the lines with what `.rept` repeats written out."""
    result: List[str] = []
    begin = repeats = 0
    for line in lines:
        name, _, count = line.partition(" ")
        if name == ".rept":
            begin, repeats = len(result), words[count.strip(" %[]")]
        elif name == ".endr":
            result[begin:] = result[begin:] * repeats
        else:
            result.append(line)
    return result


def parse(text: str, words: Dict[str, int]) -> Program:
    """Read assembly in which the operands of `.rept` and `.if` are `words`."""
    bundles: List[Bundle] = []
    labels: Dict[str, int] = {}
    alignments = 0
    inside = None
    lines = list(filter(None, (line.split("//")[0].strip() for line in text.splitlines())))
    for line in unroll(choose(lines, words), words):
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
