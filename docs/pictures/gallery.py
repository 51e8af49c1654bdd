"""Pictures that the package makes of a small run: ``python -m docs.pictures.gallery``."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Dict

FOLDER = Path(__file__).resolve().parents[1] / "images" / "gallery"
PAGE = Path(__file__).resolve().parents[1] / "gallery.md"


def examples() -> str:
    """Return the Python of the page, in order."""
    text = PAGE.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


def run(folder: Path) -> None:
    """Run the page's Python, whose pictures go to a folder."""
    names: Dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as runs, contextlib.ExitStack() as stack:
        stack.callback(os.chdir, os.getcwd())
        os.chdir(runs)
        exec(compile(examples(), str(PAGE), "exec"), names)
        for path in Path(runs).glob("*.png"):
            (folder / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    run(FOLDER)
