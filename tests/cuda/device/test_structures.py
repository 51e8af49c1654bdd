"""Only fields of a kernel's arguments can be set; ctypes accepts any other name silently."""

from __future__ import annotations

import ast
import ctypes
import importlib
import pkgutil
import re
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple, Type

import pytest

import popsnn.cuda
from popsnn.cuda.device.sources import include_path

SOURCES = sorted((Path(__file__).parents[3] / "python" / "popsnn").rglob("*.py"))


def declared(tree: ast.Module) -> Iterator[Tuple[str, List[str], Set[str]]]:
    """Name, bases and fields of each class that declares `_fields_`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for statement in node.body:
            if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.List):
                continue
            if [getattr(t, "id", "") for t in statement.targets] == ["_fields_"]:
                pairs = [e for e in statement.value.elts if isinstance(e, ast.Tuple)]
                names = {e.elts[0].value for e in pairs if isinstance(e.elts[0], ast.Constant)}
                bases = [getattr(b, "attr", getattr(b, "id", "")) for b in node.bases]
                yield node.name, bases, {str(name) for name in names}


def test_keywords_are_fields() -> None:
    trees = {path: ast.parse(path.read_text()) for path in SOURCES}
    fields: Dict[str, Set[str]] = {}
    bases: Dict[str, List[str]] = {}
    for tree in trees.values():
        for name, parents, own in declared(tree):
            fields[name], bases[name] = own, parents

    def known(name: str) -> Set[str]:
        return fields.get(name, set()).union(*(known(base) for base in bases.get(name, [])))

    calls = 0
    wrong = []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in fields:
                calls += 1
                names = {k.arg for k in node.keywords if k.arg is not None}
                wrong += [f"{path.name}:{node.lineno}: {n}" for n in sorted(names - known(name))]
    assert calls > 20
    assert wrong == []


def structures(base: Type[ctypes.Structure]) -> Iterator[Type[ctypes.Structure]]:
    for kind in base.__subclasses__():
        if kind.__module__.startswith("popsnn."):
            yield kind
        yield from structures(kind)


@pytest.fixture(scope="module")
def kinds() -> Set[Type[ctypes.Structure]]:
    """All structures of the package."""
    for module in pkgutil.walk_packages(popsnn.cuda.__path__, "popsnn.cuda."):
        importlib.import_module(module.name)
    result = set(structures(ctypes.Structure))
    assert len(result) > 20
    return result


def test_no_structure_takes_an_attribute_that_is_no_field(
    kinds: Set[Type[ctypes.Structure]],
) -> None:
    for kind in kinds:
        with pytest.raises(AttributeError):
            kind().misspelt = 1  # type: ignore[attr-defined]


def members(body: str) -> List[str]:
    """Return the members that the body of a C++ struct declares, without its functions."""
    plain = re.sub(r"//.*|\[[^]]*\]", "", body)
    plain = re.sub(r"[^;{}]*\([^{}]*\{[^{}]*\}", "", plain)
    declarations = [line.strip() for line in plain.split(";") if line.strip()]
    return [re.split(r"[\s*]", name)[-1] for line in declarations for name in line.split(", ")]


def test_structures_have_the_members_of_those_of_the_kernels(
    kinds: Set[Type[ctypes.Structure]],
) -> None:
    headers = "".join(path.read_text() for path in include_path().rglob("*.cuh"))
    for kind in kinds:
        pattern = rf"struct [\w() ]*\b{kind.__name__}(?: : \w+)? {{(.*?)\n}};"
        (body,) = re.findall(pattern, headers, re.DOTALL)
        names = [field[0].rstrip("_") for field in kind._fields_]
        assert names == [*members(body), *names[len(members(body)) :]], kind
        assert set(names[len(members(body)) :]) <= {"padding"}, kind
