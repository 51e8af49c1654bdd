"""API pages: one for each public module, with every public name and its methods."""

from __future__ import annotations

import re
from importlib import import_module

from docs.python_names import MODULES, documented, summary

FOLDER = "reference/api/"


def pages() -> dict[str, str]:
    """Return the Markdown of each page by its path in the site."""
    return {f"{FOLDER}{name}.md": _page(name) for name in MODULES}


def _page(module: str) -> str:
    names = "\n".join(f"::: {module}.{name}\n" for name in documented(import_module(module)))
    return f"# {module}\n\n{summary(import_module(module))}\n\n{names}"


def linked(overview: str) -> str:
    """Return the page of all names with a link from each name to its API page."""
    module = ""
    lines = []
    for line in overview.splitlines():
        if line.startswith("## "):
            module = line[3:]
            line = f"## [{module}](api/{module}.md)"
        row = re.match(r"\| `(\w+)(\([^`]*\))?` \|(.*)", line)
        if row:
            name, call, rest = row.groups()
            shown = f"`{call}`" if call else ""
            line = f"| [`{name}`][{module}.{name}]{shown} |{rest}"
        lines.append(line)
    return "\n".join(lines) + "\n"
