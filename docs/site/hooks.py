"""MkDocs' events: pages that are made from the sources, and links to what is not in ``docs/``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # MkDocs loads a hook by its path
    sys.path.insert(0, str(ROOT))

from docs.site import api, links, notebooks
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from bench import report, rows
from bench.report import page as charts_page
from bench.report import reading
from popsnn import __version__

AT_THE_ROOT = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
CHARTS = "benchmarks/charts.html"
SECTIONS = {
    "Learn": ("tutorial/", "notebooks/", "gallery.md"),
    "Do": ("how-to/",),
    "Look up": ("reference/",),
    "Understand": ("explanation/",),
    "Measure": ("benchmarks/",),
    "Project": (links.PROJECT,),
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Show the version, and a list of the others in the sites of several that mike makes."""
    config.copyright = f"popsnn {__version__}, MIT licence"
    if "MIKE_DOCS_VERSION" in os.environ:
        config.extra["version"] = {"provider": "mike"}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and files that are not in ``docs/``."""
    made: Dict[str, Any] = {
        **{links.place(name): (ROOT / name).read_text("utf-8") for name in AT_THE_ROOT},
        **api.pages(),
        **notebooks.pages(),
        CHARTS: charts_page.page(
            report.make(reading.read(rows.RESULTS)), "python -m bench --report"
        ),
    }
    linked: List[str] = []
    for path in [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in AT_THE_ROOT)]:
        linked += links.rewritten(path.read_text("utf-8"), str(path.relative_to(ROOT)))[1]
    made.update({links.place(path): (ROOT / path).read_bytes() for path in links.others(linked)})
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    config.nav = navigation(files)
    return files


def navigation(files: Files) -> List[Any]:
    """Return the pages by section, in the order in which the first page links to them."""
    first = (ROOT / "docs" / "index.md").read_text("utf-8").partition("\n## Pages")[2]
    order = [links.place(path) for path in links.rewritten(first, "docs/index.md")[1]]
    names = [file.src_uri for file in files.documentation_pages()]
    names.sort(key=lambda name: (order.index(name) if name in order else len(order), name))
    return ["index.md", *({title: _inside(names, of)} for title, of in SECTIONS.items())]


def _inside(names: List[str], folders: Tuple[str, ...]) -> List[Any]:
    return [name for name in names if name.startswith(folders)]


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead links to where the site has their files."""
    path = page.file.src_uri
    if path in map(links.place, AT_THE_ROOT):
        return links.rewritten(markdown, path[len(links.PROJECT) :])[0]
    if path == "reference/python.md":
        markdown = api.linked(markdown)
    if path == "benchmarks/report.md":
        head, line, rest = markdown.partition("\n## ")
        markdown = f"{head}\n[The same tables with charts](charts.html).\n{line}{rest}"
    return links.rewritten(markdown, f"docs/{path}")[0]


def on_post_page(output: str, **_: Any) -> str:
    """Name the search's dialog, and let the keyboard scroll wide code."""
    output = output.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    return output.replace("<pre>", '<pre tabindex="0">')
