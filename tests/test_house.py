"""Promises of the documents, and the rules of the tree."""

from __future__ import annotations

import argparse
import ast
import os
import re
import runpy
import subprocess
import sys
from dataclasses import fields
from importlib.metadata import requires
from pathlib import Path
from typing import Iterator

import pytest

import popsnn
from bench import rows
from popsnn.cli.main import parser
from popsnn.training import EpochMetrics

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
CPP = ("*.cpp", "*.hpp", "*.h", "*.cuh")
FAMILIES = "common|delays|neurons|lists|products|optimizers"  # folders of codelets
GRAPH = r"<(poplar|popops|poputil)/|<\w+>"
OWN = r"\"[\w.]+\""  # a relative name without a folder is a file of the same folder

# What torch makes on the default device where none is named.
FACTORIES = """
arange as_tensor asarray bartlett_window blackman_window empty empty_permuted empty_strided eye full
hamming_window hann_window kaiser_window linspace logspace ones rand randint randn randperm range
scalar_tensor sparse_coo_tensor sparse_csr_tensor tensor tril_indices triu_indices zeros
"""
# Files that may leave the device to the default, and why.
LEFT_TO_THE_DEFAULT = {
    "engines/poptorch_ops.py": "PopTorch traces constants, whose device is its own",
    "extensions/starter/test_starter.py": "a test, which goes where the default device is",
    "nir/_values.py": "makes what a module registers",
    "nn/_options.py": "makes what a module registers",
    "nn/delays.py": "makes what a module registers",
}

TREE = ("bench", "codelets", "cuda", "docs", "emulator", "poplib", "python", "tests")
MOST_ENTRIES = 27
# Folders that may have more, and why.
LARGE_FOLDERS = {
    "emulator/include/poplar": "the SDK's headers, whose names programs include",
    "emulator/include/popart": "the SDK's headers, whose names programs include",
    "emulator/include/popart/op": "the SDK's headers, whose names programs include",
    "emulator/include/popart/patterns": "the SDK's headers, whose names programs include",
    "emulator/include/popart/popx/op": "the SDK's headers, whose names programs include",
    "emulator/include/popart/transforms": "the SDK's headers, whose names programs include",
    "emulator/include/popops": "the SDK's headers, whose names programs include",
}


def sources(folder: str, patterns: tuple[str, ...]) -> list[Path]:
    return sorted(path for pattern in patterns for path in (ROOT / folder).rglob(pattern))


def run_shell(commands: str, folder: Path) -> str:
    """Run commands as a user would: this Python first on the path, nothing to help the loader."""
    environment = dict(os.environ)
    for name in ("LD_LIBRARY_PATH", "PYTHONPATH"):
        environment.pop(name, None)
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment["POPSNN_CACHE_DIR"] = str(folder / "cache")
    done = subprocess.run(
        ["bash", "-euc", commands],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_readme_example_runs_as_printed(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "example.py").write_text(example)
    output = run_shell("python example.py", tmp_path)
    printed = re.search(r"accuracy ([\d.]+)%, hidden activity [\d.]+%", output)
    assert printed is not None
    assert float(printed.group(1)) > 90


def test_page_of_the_python_api_is_what_the_docstrings_say() -> None:
    names = runpy.run_path(str(ROOT / "docs" / "python_names.py"))
    assert names["PAGE"].read_text() == names["page"]()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", document.read_text())
    missing = [link for link in links if not (document.parent / link).exists()]
    # README.md is also the page of a package index, where relative links lead nowhere.
    address = r"https://(?:github\.com|raw\.githubusercontent\.com)/popsnn/popsnn/(?:blob/)?main/"
    ours = re.findall(rf"\]\({address}([^)#]+)", document.read_text())
    missing += [link for link in ours if not (ROOT / link).exists()]
    if document == ROOT / "README.md":
        assert len(ours) > 10
        assert links == []
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_make_targets_in_documents_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"(?:^|`|&& |=2 )make ([a-z][a-z-]*)", document.read_text(), re.MULTILINE)
    assert set(named) <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_named_in_documents_exist(document: Path) -> None:
    folders = "codelets|cuda|poplib|emulator|python|tests|bench"
    named = re.findall(rf"`((?:{folders})/[\w/.]+)`", document.read_text())
    assert [path for path in named if not (ROOT / path).exists() and "results" not in path] == []


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [
        # A family of codelets knows what is common to all, and no other family.
        ("codelets", r"<poplar/|<ipu|<cmath>|<cstdint>|\"(common/)?[\w.]+\""),
        ("poplib/include", rf"{GRAPH}|\"({FAMILIES}|popsnn)/"),
        # Planning comes before any graph: of Poplar it knows the target alone.
        (
            "poplib/src/plan",
            rf"<poplar/Target\.hpp>|<\w+>|\"({FAMILIES})/|\"popsnn/(network|plan|code_memory)\.hpp\"|{OWN}",
        ),
        ("poplib/src/build", rf"{GRAPH}|\"({FAMILIES}|popsnn|plan|build)/|{OWN}"),
        ("poplib/src/ops", rf"{GRAPH}|\"({FAMILIES}|popsnn|plan|build)/|{OWN}"),
        (
            "poplib/popart",
            rf"<(poplar|popart|popops)/|<dlfcn\.h>|<\w+>|\"({FAMILIES}|popsnn)/|{OWN}",
        ),
        ("emulator", r"<(?!pybind11|Python|torch|popsnn)|\"(?!popsnn)"),
        ("cuda", r"<popsnn/[\w/]+\.cuh>"),
    ],
)
def test_dependencies_point_one_way(folder: str, allowed: str) -> None:
    strangers = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources(folder, CPP)
        for name in re.findall(r"^\s*#\s*include\s+(\S+)", path.read_text(), re.MULTILINE)
        if not re.match(allowed, name)
    ]
    assert strangers == []


def test_graph_code_is_the_same_for_every_poplar() -> None:
    # __IPU__ is the chip's own compiler, which takes assembly; graph code has no condition at all.
    allowed = {"codelets": r"(?!def __IPU__$)", "poplib": ""}
    assert [
        path
        for folder, chip in allowed.items()
        for path in sources(folder, CPP)
        if re.search(rf"^\s*#\s*if{chip}", path.read_text(), re.MULTILINE)
    ] == []


def test_no_file_is_longer_than_600_lines() -> None:
    paths = [
        path
        for folder in ("codelets", "cuda", "emulator", "poplib")
        for path in sources(folder, CPP)
    ]
    paths += (
        sources("emulator", ("*.py",))
        + sources("python", (*CPP, "*.py"))
        + sources("tests", ("*.py",))
    )
    lengths = {path: len(path.read_text().splitlines()) for path in paths}
    assert [path for path, length in lengths.items() if length > 600] == []


def test_no_folder_has_more_entries_than_a_reader_takes_in() -> None:
    entries: dict[str, set[str]] = {}
    for folder in TREE:
        for path in sources(folder, ("*",)):
            if path.is_file() and "__pycache__" not in path.parts:  # else left behind by a move
                parts = path.relative_to(ROOT).parts
                for depth in range(1, len(parts)):
                    entries.setdefault("/".join(parts[:depth]), set()).add(parts[depth])
    large = {folder: len(names) for folder, names in entries.items() if len(names) > MOST_ENTRIES}
    assert {folder: large[folder] for folder in large.keys() - LARGE_FOLDERS.keys()} == {}
    assert LARGE_FOLDERS.keys() <= large.keys()


def made_on_the_default_device(path: Path) -> list[str]:
    """Return where tensors are made there, but for parameters and buffers of modules."""
    result = []
    registered: set[ast.AST] = set()
    for node in ast.walk(ast.parse(path.read_text())):  # a call comes before its arguments
        taken = [name.name for name in node.names] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("Parameter", "register_buffer"):
                registered.update(node.args)
            named = any(keyword.arg == "device" for keyword in node.keywords)
            of = node.func.value
            if isinstance(of, ast.Name) and of.id == "torch" and not named:
                taken = [] if node in registered else [node.func.attr]
        result += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {name}"
            for name in taken
            if name in FACTORIES.split()
        ]
    return result


def test_tensors_are_made_on_a_device_that_is_named() -> None:
    # Else a user's torch.set_default_device() moves what has to be on the host or by its input.
    package = ROOT / "python" / "popsnn"
    result = {path: made_on_the_default_device(path) for path in sources("python", ("*.py",))}
    excepted = {package / name for name in LEFT_TO_THE_DEFAULT}
    assert [call for path in result.keys() - excepted for call in result[path]] == []
    assert [path for path in excepted if not result[path]] == []


# What a part of the package may not reach by any path.
OUT_OF_REACH = {"functional": {"cuda", "engines"}, "nn": {"engines"}, "cuda": {"functional", "nn"}}


def run_time_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module but for what stands under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from run_time_nodes(node)


def imported(path: Path) -> set[str]:
    """Return the modules of popsnn that a file imports at run time, inside of functions too."""
    package = path.relative_to(ROOT / "python").parts[:-1]
    result = set()
    for node in run_time_nodes(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            result.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folder = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*folder, *([node.module] if node.module else [])])
            result.update(f"{module}.{alias.name}" for alias in node.names)
    return {name for name in result if name.split(".")[0] == "popsnn"}


EXTENSIONS = ("_core", "_emulator")


def parts_of_the_package() -> dict[str, set[str]]:
    """Return which parts, folders or files in `popsnn`, each part imports at run time."""
    root = ROOT / "python" / "popsnn"
    arrows: dict[str, set[str]] = {path.stem: set() for path in root.iterdir()}
    for path in sources("python/popsnn", ("*.py",)):
        part = path.relative_to(root).parts[0].split(".")[0]
        for name in imported(path):
            _, _, other = name.partition(".")
            other = other.split(".")[0]
            known = other in arrows or other in EXTENSIONS
            arrows[part].add(other if known else "__init__")
    return {part: others - {part} for part, others in arrows.items()}


def reached(arrows: dict[str, set[str]], part: str) -> set[str]:
    """Return all parts that a part leads to."""
    result: set[str] = set()
    left = set(arrows.get(part, ()))
    while left:
        other = left.pop()
        if other not in result:
            result.add(other)
            left |= arrows.get(other, set())
    return result


def test_parts_of_the_package_import_one_another_one_way() -> None:
    arrows = parts_of_the_package()
    assert {"cuda", "functional", "nn"} <= arrows["engines"]
    assert [part for part in arrows if part in reached(arrows, part)] == []
    wrong = {part: reached(arrows, part) & others for part, others in OUT_OF_REACH.items()}
    assert wrong == {part: set() for part in OUT_OF_REACH}


def test_nothing_that_is_installed_needs_the_bindings_of_the_tests() -> None:
    paths = sources("python", ("*.py", *CPP)) + sources("emulator", ("*.py", *CPP))
    assert [path for path in paths if "popsnn_test_poplar" in path.read_text()] == []
    default = "cmake.define.POPSNN_TEST_BINDINGS = false"
    assert default in (ROOT / "pyproject.toml").read_text()


def test_imports_are_statements() -> None:
    # A name that is worked out hides an arrow from the test above, and from a reader.
    assert [
        str(path.relative_to(ROOT))
        for path in sources("python/popsnn", ("*.py",))
        if re.search(r"\b(import_module|__import__)\b", path.read_text())
    ] == []


def test_every_dependency_is_pinned_for_development() -> None:
    pinned = set(re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    declared = {re.match(r"[\w-]+", line).group() for line in requires("popsnn") or []}  # type: ignore[union-attr]
    assert declared - {"popsnn"} <= pinned


def test_installed_package_has_codelets_and_emulator() -> None:
    package = Path(popsnn.__file__).parent
    assert (package / "codelets" / "popsnn_codelets.gp").is_file()
    assert list((package / "codelets").glob("*/*.cpp"))
    assert (package / "cuda" / "include" / "popsnn" / "device" / "device.cuh").is_file()
    prefix = popsnn.emulator_prefix()
    assert os.access(prefix / "bin" / "popc", os.X_OK)
    assert (prefix / "include" / "poplar" / "Graph.hpp").is_file()
    assert (prefix / "lib" / "libpoplar.so").is_file()


def test_benchmark_rows_have_the_agreed_fields() -> None:
    agreed = (
        "suite case subject dtype metric median min max runs peak_bytes limit max_rel_error "
        "modelled machine versions command commit"
    )
    assert [field.name for field in fields(rows.Row)] == agreed.split()


def test_how_to_run_a_poplar_program_works_as_printed(tmp_path: Path) -> None:
    guide = (ROOT / "docs/how-to/run-a-poplar-program.md").read_text()
    codelet, program = re.findall(r"```cpp\n(.*?)```", guide, re.DOTALL)
    (commands,) = re.findall(r"```sh\n(.*?)```", guide, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", guide, re.DOTALL)
    (tmp_path / "axpy.cpp").write_text(codelet)
    (tmp_path / "main.cpp").write_text(program)
    assert run_shell(commands, tmp_path) == printed


def test_reference_of_the_command_line_has_every_option() -> None:
    pages = ("command-line.md", "profile.md")
    reference = "".join((ROOT / "docs/reference" / page).read_text() for page in pages)
    subparsers = next(
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    for command in subparsers.choices.values():
        for action in command._actions:
            if action.option_strings and action.dest != "help":
                assert f"`{action.option_strings[-1]}`" in reference
                if isinstance(action.default, (int, float)) and action.nargs != 0:
                    assert f"`{action.option_strings[-1]}` | {action.default} |" in reference


def test_reference_of_a_run_has_every_field() -> None:
    reference = (ROOT / "docs/reference/run-files.md").read_text()
    assert [f.name for f in fields(EpochMetrics) if f"`{f.name}`" not in reference] == []


def test_reference_of_the_environment_has_every_variable() -> None:
    reference = (ROOT / "docs/reference/command-line.md").read_text()
    documented = set(re.findall(r"^\| `(POPSNN_\w+)`", reference, re.MULTILINE))
    folders = ("emulator/src", "emulator/popc", "poplib", "python")
    paths = [path for folder in folders for path in sources(folder, (*CPP, "*.py"))]
    read = re.compile(r'"(POPSNN_[A-Z_]+)"')
    assert documented == {name for path in paths for name in read.findall(path.read_text())}
