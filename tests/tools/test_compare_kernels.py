"""tools/compare_kernels.py finds kernels whose machine code differs, whatever their names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from popsnn.cuda.device.compiler import compile_cubin
from tools import compare_kernels

pytest.importorskip("cuda.core")

TREE_TEST = """
import os
from cuda.core import Program, ProgramOptions

def test_compiles():
    source = 'extern "C" __global__ void {name}(float* x) {{ x[0] = {value}.0f; }}'
    Program(source, "c++", options=ProgramOptions(arch="sm_90")).compile("cubin")
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one compile test, as the tree that the tool compares."""
    (tmp_path / "tests/cuda").mkdir(parents=True)
    write(tmp_path, "store", 1)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for command in ("init -q", "add .", "commit -q -m tests"):
        subprocess.run([*git, *command.split()], cwd=tmp_path, check=True)
    monkeypatch.setattr(compare_kernels, "ROOT", tmp_path)
    monkeypatch.setattr(compare_kernels, "PROCESSES", "0")
    return tmp_path


def write(tree: Path, name: str, value: int) -> None:
    (tree / "tests/cuda/test_store.py").write_text(TREE_TEST.format(name=name, value=value))


def codes(source: str) -> dict[str, str]:
    return compare_kernels.kernel_codes(compile_cubin(source, "sm_90").cubin)


def test_names_do_not_count_and_instructions_do() -> None:
    store = 'extern "C" __global__ void store(float* x) { x[0] = 1.0f; }'
    renamed = codes('extern "C" __global__ void put(float* row) { row[0] = 1.0f; }')
    assert list(renamed) == ["put"]
    assert list(renamed.values()) == list(codes(store).values())
    assert codes(store.replace("1.0f", "2.0f")) != codes(store)
    both = codes(store + 'extern "C" __global__ void nothing() {}')
    assert both.keys() == {"store", "nothing"}
    assert both["store"] == codes(store)["store"] != both["nothing"]


def test_constants_that_the_compiler_adds_count() -> None:
    cases = "".join(f"case {i}: x[{i}] /= x[{i * i + 1}]; break; " for i in range(8))
    source = f'extern "C" __global__ void choose(float* x, int i) {{ switch (i) {{ {cases} }} }}'
    cubin = compile_cubin(source, "sm_90").cubin
    jumps = dict(compare_kernels.sections(cubin))[".nv.constant2.choose"]
    other = cubin.replace(jumps, bytes(len(jumps)))
    assert other != cubin
    assert compare_kernels.kernel_codes(other) != compare_kernels.kernel_codes(cubin)


def test_a_renamed_kernel_is_the_same_and_a_changed_one_is_not(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree, "put", 1)
    file = tree / "kernels.json"
    assert compare_kernels.main(["HEAD", "--save", str(file)]) == 0
    assert "1 of 1 kernels of HEAD have equal code here" in capsys.readouterr().out
    write(tree, "add", 2)
    assert compare_kernels.main([str(file)]) == 1
    test = "tests/cuda/test_store.py::test_compiles#0"
    assert capsys.readouterr().out.splitlines() == [
        f"0 of 1 kernels of {file} have equal code here",
        f"only in {file}: 1",
        f"  {test} put",
        "only here: 1",
        f"  {test} add",
    ]


def test_a_tree_whose_tests_fail_is_refused(tree: Path) -> None:
    (tree / "tests/cuda/test_store.py").write_text("def test_compiles(): assert 0\n")
    with pytest.raises(RuntimeError, match="expected compile tests that pass, got status 1 and 0"):
        compare_kernels.main(["HEAD"])
