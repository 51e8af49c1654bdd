"""Write docs/reference/python.md, the list of what popsnn's modules offer, from their docstrings.

python docs/python_names.py
"""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Callable, Iterator

PAGE = Path(__file__).parent / "reference" / "python.md"
MODULES = (
    "popsnn",
    "popsnn.nn",
    "popsnn.functional",
    "popsnn.neurons",
    "popsnn.neurons.neuron",
    "popsnn.surrogate",
    "popsnn.convert",
    "popsnn.data",
    "popsnn.data.encode",
    "popsnn.models",
    "popsnn.nir",
    "popsnn.training",
    "popsnn.optim",
    "popsnn.parallel",
    "popsnn.plot",
    "popsnn.profiling",
    "popsnn.cuda",
    "popsnn.devices",
    "popsnn.engines",
)
# Where the rest of what a module lists is for the package itself.
FOR_USERS = {
    "popsnn.cuda": ["Adam", "AdamW", "CapturedStep"],
    "popsnn.engines": ["LayerStats", "LayerTrace"],
    "popsnn.neurons.neuron": ["Fire", "Inputs", "Parameters", "States"],
}
STARS: dict[object, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
HEAD = """# The Python API

Every public name, with the first sentence of its docstring. Shapes, units, defaults and errors are
in the rest: `help(popsnn.nn.SparseLIF)`. `popsnn.poptorch` has [a page of its own](poptorch.md).
`python docs/python_names.py` writes this page, and a test compares them.
"""


def summary(value: object) -> str:
    """Return the first paragraph of a docstring on one line."""
    return _line(inspect.getdoc(value) or "")


def _line(docstring: str) -> str:
    return " ".join(docstring.split("\n\n")[0].split()).replace("|", "\\|")


def call(name: str, value: Callable[..., object]) -> str:
    """Return how a function or a class is called, without types; defaults as an ellipsis."""
    shown = []
    star = False
    for parameter in inspect.signature(value).parameters.values():
        star = star or parameter.kind == parameter.VAR_POSITIONAL
        if parameter.kind == parameter.KEYWORD_ONLY and not star:
            shown.append("*")
            star = True
        default = "" if parameter.default is parameter.empty else "=..."
        shown.append(STARS.get(parameter.kind, "") + parameter.name + default)
    return f"{name}({', '.join(shown)})"


def names(module: ModuleType) -> list[str]:
    """Return what a module lists for users, or else what it defines."""
    here = (
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
    )
    names_of = getattr(module, "__all__", None) or [name for name in here if name[0] != "_"]
    names_of = FOR_USERS.get(module.__name__, names_of)
    return sorted(names_of, key=str.lower)


def aliases(module: ModuleType) -> dict[str, str]:
    """Return the docstrings of a module's types with other names, which stand below each."""
    body = ast.parse(inspect.getsource(module)).body
    found = {}
    for named, text in zip(body, body[1:]):
        if isinstance(named, ast.Assign) and isinstance(named.targets[0], ast.Name):
            value = text.value if isinstance(text, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found[named.targets[0].id] = inspect.cleandoc(value.value)
    return found


def documented(module: ModuleType) -> list[str]:
    """Return the names of the functions, classes and types that a module lists."""
    types = aliases(module)
    found = ((name, getattr(module, name)) for name in names(module))
    return [
        name
        for name, value in found
        if isinstance(value, type) or inspect.isfunction(value) or name in types
    ]


def rows(module: ModuleType) -> Iterator[str]:
    """Yield a table row of each function, class and type of a module."""
    types = aliases(module)
    for name in documented(module):
        value = getattr(module, name)
        if name in types:
            yield f"| `{name}` | {_line(types[name])} |"
        else:
            yield f"| `{call(name, value)}` | {summary(value)} |"


def page() -> str:
    """Return the page."""
    sections = [HEAD]
    for name in MODULES:
        module = import_module(name)
        table = "\n".join(rows(module))
        sections.append(f"## {name}\n\n{summary(module)}\n\n| | |\n| --- | --- |\n{table}\n")
    return "\n".join(sections)


if __name__ == "__main__":
    PAGE.write_text(page())
