"""`popsnn view`: a run as one HTML page."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import webbrowser
from pathlib import Path
from typing import Any

from .._internal.files import whole_file

EXAMPLES = """examples:
  popsnn view runs/digits                      runs/digits/view.html, opened in a browser
  popsnn view runs/digits --profile bow        with what a training step would cost on an IPU
  popsnn view runs/digits --out digits.html    another file
"""


def add(subparsers: Any) -> None:
    """Add the subcommand."""
    command = subparsers.add_parser(
        "view",
        help="a run as one HTML page",
        description="Write one HTML page of a run: curves, rasters, activity, drops, confusion "
        "matrix, options. Open it in a browser where there is a display.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = command.add_argument
    option("run_folder", metavar="RUN", type=Path, help="folder of the run")
    option("--out", metavar="FILE", type=Path, help="the page (default: view.html in the folder)")
    option(
        "--profile",
        metavar="DEVICE",
        help="add the modelled profile of a training step on ipu2, bow or host",
    )
    option("--no-open", action="store_true", help="disable opening the page in a browser")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the page, print its path, and open it."""
    from ..training import view

    folder = arguments.run_folder
    out = folder / view.PAGE if arguments.out is None else arguments.out
    profile = None
    if arguments.profile is not None:
        from ..profiling import page as profile_page
        from .profile import profile_run

        profile = profile_page.body(profile_run(folder / "model.pt", arguments.profile))
    text = view.page(folder, profile)
    with whole_file("view", out) as partial:
        partial.write_text(text, encoding="utf-8")
    print(out)
    if not arguments.no_open and sys.stdout.isatty() and _has_display():
        webbrowser.open(out.resolve().as_uri())
    return 0


def _has_display() -> bool:
    """Return whether a browser with windows can be opened."""
    if platform.system() in ("Windows", "Darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
