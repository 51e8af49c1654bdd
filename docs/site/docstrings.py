"""Griffe's reading of docstrings: an entry for each parameter."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

# "beta, threshold : float" and "reset : {"zero", "none"}", at the left edge of a section.
NAMES = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)( ?: .*)?$")
SECTION = re.compile(r"^(?:Parameters|Attributes)\n-+$", re.MULTILINE)
END = re.compile(r"^\w[\w ]*\n-+$", re.MULTILINE)


def apart(text: str) -> str:
    """Return a docstring whose parameters have an entry each.

    Griffe takes the default and the type of the first name of an entry for all of its names, and
    the first of several choices for the default.
    """
    heading = SECTION.search(text)
    if heading is None:
        return text
    end = END.search(text, heading.end())
    stop = end.start() if end else len(text)
    inside = "\n".join(_entries(text[heading.end() : stop].split("\n")))
    return text[: heading.end()] + inside + (apart(text[stop:]) if end else "")


def _entries(lines: list[str]) -> list[str]:
    made: list[str] = []
    names: list[tuple[str, str]] = []
    about: list[str] = []
    for line in [*lines, "end"]:
        match = NAMES.match(line)
        if match is None:
            about.append(line)
            continue
        for name, kind in names:
            made += [name + kind, *about]
        if not names:
            made += about
        kind = re.sub(r"[{}]", "", match.group(2) or "")
        names, about = [(name, kind) for name in match.group(1).split(", ")], []
    return made


class Readable(Extension):
    """Changes what the API pages show of an object."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Give each parameter an entry of its own."""
        if obj.docstring is not None:
            obj.docstring.value = apart(obj.docstring.value)
