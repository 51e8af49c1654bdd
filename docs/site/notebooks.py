"""Notebooks: run from their sources, and written as pages and as ``.ipynb`` with their outputs."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Union

import jupytext
import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "docs" / "notebooks"
CACHE = ROOT / "build" / "notebooks"
READ = ("python/popsnn", "codelets", "poplib", "emulator", "bench/results")  # what a run may use
MOST_SECONDS = 120  # of one CPU for a notebook

Files = Dict[str, Union[str, bytes]]


def pages() -> Files:
    """Return the pages, their pictures and the notebooks, by their path in the site.

    Raises
    ------
    RuntimeError
        Where a notebook fails, takes too long, or writes to stderr.
    """
    made: Files = {}
    for path in sorted(SOURCES.glob("*.py")):
        made.update(written(path.stem, executed(path)))
    return made


def executed(path: Path) -> Any:
    """Return a notebook with its outputs: those of the last run while nothing changed."""
    text = path.read_text("utf-8")
    kept = CACHE / f"{path.stem}-{_digest(text)}.ipynb"
    if kept.exists():
        return nbformat.read(kept, as_version=4)
    notebook = jupytext.reads(text, "py:percent")
    notebook.cells.append(nbformat.v4.new_code_cell("import time\ntime.process_time()"))
    client = NotebookClient(
        notebook,
        config=Config(KernelManager={"transport": "ipc"}),  # the kernel warns of TCP
        timeout=10 * MOST_SECONDS,  # of a loaded machine
        startup_timeout=10 * MOST_SECONDS,
        resources={"metadata": {"path": ROOT}},
    )
    client.execute(env={**os.environ, "OMP_NUM_THREADS": "1"})  # counts CPU time
    seconds = float(notebook.cells.pop().outputs[0].data["text/plain"])
    print(f"{path.name}: {seconds:.0f} s")
    if seconds > MOST_SECONDS:
        raise RuntimeError(
            f"{path.name}: expected at most {MOST_SECONDS} s of a CPU, got {seconds:.0f} s"
        )
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.get("name") == "stderr":
                raise RuntimeError(f"{path.name}: expected nothing on stderr, got {output.text}")
    CACHE.mkdir(parents=True, exist_ok=True)
    for old in CACHE.glob(f"{path.stem}-*.ipynb"):
        old.unlink()
    nbformat.write(notebook, kept)
    return notebook


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for folder in READ:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def written(name: str, notebook: Any) -> Files:
    """Return the page of a notebook that has run, its pictures, and the notebook itself."""
    made: Files = {f"notebooks/{name}.ipynb": nbformat.writes(notebook)}
    parts: List[str] = []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        pictures = _pictures(cell)
        for index, picture in enumerate(pictures):
            file = f"{name}-{number}-{index}.png"
            made[f"notebooks/{file}"] = picture
            parts.append(f"![{cell.metadata['alt']}]({file})")
        text = "".join(_texts(cell)).rstrip("\n")
        if text:
            parts.append(f"```text\n{text}\n```")
    title, _, rest = "\n\n".join(parts).partition("\n\n")
    link = f"[Download this notebook]({name}.ipynb), and run it in a clone of the repository."
    made[f"notebooks/{name}.md"] = f"{title}\n\n{link}\n\n{rest}\n"
    return made


def _texts(cell: Any) -> Iterator[str]:
    for output in cell.outputs:
        if output.output_type == "stream":
            yield output.text
        elif "image/png" not in output.data:
            yield output.data["text/plain"] + "\n"


def _pictures(cell: Any) -> List[bytes]:
    return [
        base64.b64decode(output.data["image/png"])
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
