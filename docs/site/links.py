"""Links of the documents, which are right in the repository, as links of the site."""

from __future__ import annotations

import re
from posixpath import dirname, normpath, relpath
from typing import Iterable, List, Tuple

# A link or an image outside of code: `](path)`, with or without an anchor.
TARGET = re.compile(r"\]\((?!https?://|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)")
CODE = re.compile(r"(^ *(?:```|~~~).*?^ *(?:```|~~~)\s*$|`+[^`\n]+`+)", re.DOTALL | re.MULTILINE)
DOCUMENTS = "docs/"
PROJECT = "project/"  # folder of the site for the documents at the root of the repository
FILES = "files/"  # folder of the site for all else that a document links to


def place(path: str) -> str:
    """Return the path in the site of a file of the repository."""
    if path.startswith(DOCUMENTS + "notebooks/") and path.endswith(".py"):
        return path[len(DOCUMENTS) : -len(".py")] + ".md"
    if path.startswith(DOCUMENTS):
        return path[len(DOCUMENTS) :]
    return (PROJECT if path.endswith(".md") and "/" not in path else FILES) + path


def rewritten(text: str, document: str) -> Tuple[str, List[str]]:
    """Return a document for the site, and the files of the repository that it links to.

    Parameters
    ----------
    text : str
        Markdown.
    document : str
        Path in the repository.
    """
    found: List[str] = []

    def link(match: re.Match[str]) -> str:
        path = normpath(f"{dirname(document)}/{match.group(1)}".lstrip("/"))
        found.append(path)
        target = relpath(place(path), dirname(place(document)) or ".")
        return f"]({target}{match.group(2) or ''})"

    parts = CODE.split(text)
    parts[::2] = [TARGET.sub(link, part) for part in parts[::2]]
    return "".join(parts), found


def others(paths: Iterable[str]) -> List[str]:
    """Return the linked files that are neither documents nor pictures of them."""
    return sorted({path for path in paths if place(path).startswith(FILES)})
