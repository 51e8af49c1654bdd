"""Files of debug information."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, Dict

import pytest
from tests.emulator.library_tool import Results, run_program


class Cbor:
    """A reader of the items of RFC 8949 that such a file has."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, n: int) -> bytes:
        self.at += n
        return self.data[self.at - n : self.at]

    def item(self) -> Any:
        (head,) = self.take(1)
        if head == 0xFB:
            return struct.unpack(">d", self.take(8))[0]
        if head >> 5 == 7:
            return {0xF4: False, 0xF5: True, 0xF6: None}[head]
        n = head & 31
        if n >= 24:
            assert n < 28
            n = int.from_bytes(self.take(1 << (n - 24)), "big")
        kinds = {
            0: lambda: n,
            1: lambda: -1 - n,
            3: lambda: self.take(n).decode(),
            4: lambda: [self.item() for _ in range(n)],
            5: lambda: {self.item(): self.item() for _ in range(n)},
        }
        return kinds[head >> 5]()


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("debug_info", program_folder)


def read(results: Results, name: str) -> Dict[str, Any]:
    data = Path(str(results.errors[name])).read_bytes()
    if name != "cbor":
        return dict(json.loads(data))
    reader = Cbor(data)
    value = reader.item()
    assert reader.at == len(data)
    return dict(value)


@pytest.mark.parametrize("name", ["json", "cbor"])
def test_each_record_is_written_once(results: Results, name: str) -> None:
    file = read(results, name)
    inner, outer = file["contexts"]  # as they go
    assert (outer["layer"], outer["api"], outer["name"]) == ("poplibs", "call", "outer")
    assert outer["args"] == {"a": -300}
    assert outer["values"] == [True, None, 0.1, 70000, "x" * 30]
    assert (inner["api"], inner["name"]) == ("part", "inner")
    assert inner["parentId"] == outer["id"] != inner["id"]
    assert outer["parentId"] == 0
    texts, location = file["stringTable"], outer["location"]
    assert location["lineNumber"] == 42
    assert texts[location["fileName"]] == "file"
    assert texts[location["functionName"]] == "function"
    assert texts[inner["location"]["fileName"]].endswith("debug_info.cpp")


def test_functions_of_popfloat_are_recorded(results: Results) -> None:
    contexts = read(results, "library")["contexts"]
    outer = contexts[-1]
    assert {c["api"] for c in contexts} == {"createCastOpParamsTensor"}
    assert outer["args"]["calculationType"] == "float"
    assert all(c["parentId"] in {outer["id"], *(d["id"] for d in contexts)} for c in contexts[:-1])


def test_one_file_at_a_time(results: Results) -> None:
    assert "DebugInfo::initializeStreamer: expected no open streamer" in str(
        results.errors["twice"]
    )
