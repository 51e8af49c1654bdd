"""Compare the machine code of all CUDA kernels with that of another commit, without a GPU.

python tools/compare_kernels.py REVISION [--save FILE]
python tools/compare_kernels.py FILE

The kernels are those that the compile tests of each tree compile. Names do not count: a kernel that
was only moved or renamed has the same code. A FILE that --save wrote replaces the commit. The exit
status is 1 where a kernel of one tree has its code in no kernel of the other.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[1]
TESTS = ("tests/cuda", "-k", "compile and not compiles_as_one")
PROCESSES = "auto"
RECORDS = "POPSNN_KERNEL_RECORDS"  # the folder for the records of the tests' processes
TEXT = ".text."  # a kernel's instructions
CONSTANTS = ".nv.constant2."  # what the compiler adds to them

Codes = Dict[str, Dict[str, str]]  # of each compilation in a test: hashes by the kernels' names


def sections(cubin: bytes) -> Iterator[Tuple[str, bytes]]:
    """Yield the names and contents of the sections of an ELF file of 64 bits."""
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    count, names = struct.unpack_from("<HH", cubin, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", cubin, table + 64 * i) for i in range(count)]
    for start, _, _, _, offset, size in headers:
        name = cubin[headers[names][4] + start :].split(b"\0", 1)[0].decode()
        yield name, cubin[offset : offset + size]


def instructions(cubin: bytes) -> Dict[str, bytes]:
    """Return the instructions of each kernel of a cubin, by name."""
    return {
        name[len(TEXT) :]: content for name, content in sections(cubin) if name.startswith(TEXT)
    }


def kernel_codes(cubin: bytes) -> Dict[str, str]:
    """Return a hash of the machine code of each kernel of a cubin, by name."""
    contents = dict(sections(cubin))
    return {
        name: hashlib.sha256(code + contents.get(CONSTANTS + name, b"")).hexdigest()[:16]
        for name, code in instructions(cubin).items()
    }


def pytest_configure() -> None:
    """Record what the tests compile: pytest loads this file as a plug-in."""
    import cuda.core

    record = Path(os.environ[RECORDS]) / f"{os.getpid()}.json"
    codes: Codes = {}

    class Program(cuda.core.Program):  # type: ignore[misc]
        def compile(self, *arguments: Any, **options: Any) -> Any:
            result = super().compile(*arguments, **options)
            test, _, _ = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")
            number = sum(key.startswith(f"{test}#") for key in codes)
            codes[f"{test}#{number}"] = kernel_codes(bytes(result.code))
            record.write_text(json.dumps(codes))
            return result

    cuda.core.Program = Program


def compiled(tree: Path) -> Codes:
    """Return the codes of all kernels of a source tree, whose native part is not needed.

    Raises
    ------
    RuntimeError
        Where a test fails, or none compiles a kernel.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(tree / "python"), str(Path(__file__).parent)]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "POPSNN_CACHE_DIR": str(Path(folder) / "cache"),
            "POPSNN_COMPILE_AGAIN": "1",
            RECORDS: folder,
        }
        plugins = ("-p", Path(__file__).stem, "-p", "no:cacheprovider")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", PROCESSES, *plugins, *TESTS],
            cwd=tree,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        codes: Codes = {}
        for record in Path(folder).glob("*.json"):
            codes.update(json.loads(record.read_text()))
    if done.returncode or not codes:
        raise RuntimeError(
            f"compare_kernels: {tree}: expected compile tests that pass, got status "
            f"{done.returncode} and {len(codes)} compilations\n{done.stdout}"
        )
    return codes


def compiled_at(revision: str) -> Codes:
    """Return the codes of all kernels of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        files = subprocess.run(
            ["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=files.stdout, check=True)
        return compiled(Path(folder))


def missing(codes: Codes, others: Codes) -> List[str]:
    """Return the kernels whose code is in no kernel of `others`."""
    present = {code for kernels in others.values() for code in kernels.values()}
    return [
        f"{test} {kernel}"
        for test, kernels in sorted(codes.items())
        for kernel, code in kernels.items()
        if code not in present
    ]


def main(argv: Optional[List[str]] = None) -> int:
    """Compare, print the kernels that differ, and return the exit status."""
    parser = argparse.ArgumentParser(description="Compare the machine code of CUDA kernels.")
    parser.add_argument("other", metavar="REVISION|FILE", nargs="?", help="with what to compare")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the codes of this tree")
    arguments = parser.parse_args(argv)
    if arguments.other is None and arguments.save is None:
        parser.error("expected REVISION, FILE or --save FILE, got none")
    here = compiled(ROOT)
    if arguments.save is not None:
        arguments.save.write_text(json.dumps(here, indent=0, sort_keys=True))
    if arguments.other is None:
        return 0
    file = Path(arguments.other)
    there = json.loads(file.read_text()) if file.is_file() else compiled_at(arguments.other)
    gone, new = missing(there, here), missing(here, there)
    total = sum(map(len, there.values()))
    print(f"{total - len(gone)} of {total} kernels of {arguments.other} have equal code here")
    for title, kernels in ((f"only in {arguments.other}", gone), ("only here", new)):
        print(f"{title}: {len(kernels)}", *kernels, sep="\n  ")
    return 1 if gone or new else 0


if __name__ == "__main__":
    sys.exit(main())
