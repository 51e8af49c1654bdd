"""Check pages of the built site in a browser: accessibility, and their width on small screens.

make site && python tools/check_site.py [--pictures FOLDER] [PAGE ...]

Needs npx, which fetches Lighthouse, and chromium. Lighthouse gives each page points for
accessibility, of 100. In windows of 400 and of 1,300 pixels no page may be wider than its window.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Iterator, List, Optional

SITE = Path(__file__).resolve().parents[1] / "build" / "site"
PAGES = ("index.html", "reference/python.html", "benchmarks/index.html")
LIGHTHOUSE = "lighthouse@12"
LEAST_POINTS = 95
WIDTHS = (400, 1300)
HEIGHT = 1600
BROWSER = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
# Chromium's own windows are at least 500 pixels wide: narrow ones are a frame in a page.
FRAME = """<!doctype html><title></title><body style="margin:0">
<iframe src="/{page}" style="border:0;width:{width}px;height:{height}px"></iframe>
<script>
addEventListener("load", () => {{
  const seen = document.querySelector("iframe").contentDocument.documentElement;
  document.title = `width ${{seen.scrollWidth}}`;
}});
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: object) -> None:
        """Keep requests out of the output."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine while the context lasts; yield its address."""
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def points(address: str) -> float:
    """Return Lighthouse's points for the accessibility of a page, of 100."""
    command = ["npx", "--yes", LIGHTHOUSE, address, "--quiet", "--output=json"]
    command += ["--only-categories=accessibility", "--chrome-flags=--headless --no-sandbox"]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return 100 * float(json.loads(report)["categories"]["accessibility"]["score"])


def width_in(root: str, page: str, width: int, picture: Optional[Path]) -> int:
    """Return how wide a page is in a window of a width; keep a picture of it where asked."""
    frame = SITE / f"frame-{width}.html"
    frame.write_text(FRAME.format(page=page, width=width, height=HEIGHT))
    try:
        command = [*BROWSER, f"--window-size={max(width, 500)},{HEIGHT}"]
        command += ["--virtual-time-budget=8000"]
        address = f"{root}/{frame.name}"
        if picture is not None:
            subprocess.run(
                [*command, f"--screenshot={picture}", address], check=True, capture_output=True
            )
        dumped = subprocess.run(
            [*command, "--dump-dom", address], check=True, capture_output=True, text=True
        ).stdout
    finally:
        frame.unlink()
    found = re.search(r"<title>width (\d+)</title>", dumped)
    if found is None:
        raise RuntimeError(f"check_site: {page}: expected its width from the browser, got none")
    return int(found[1])


def main(arguments: Optional[List[str]] = None) -> int:
    """Check the pages; return 1 where one fails."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("pages", nargs="*", metavar="PAGE", default=list(PAGES))
    parser.add_argument("--pictures", type=Path, help="folder for a picture of each window")
    options = parser.parse_args(arguments)
    for tool in ("npx", "chromium"):
        if shutil.which(tool) is None:
            print(f"check_site: expected the program {tool}, found none", file=sys.stderr)
            return 2
    if options.pictures is not None:
        options.pictures.mkdir(parents=True, exist_ok=True)
    failed = False
    with served(SITE) as root, tempfile.TemporaryDirectory() as scratch:
        folder = options.pictures or Path(scratch)
        for page in options.pages:
            score = points(f"{root}/{page}")
            failed |= score < LEAST_POINTS
            name = page.replace("/", "-").replace(".html", "")
            widths = []
            for width in WIDTHS:
                picture = folder / f"{name}-{width}.png" if options.pictures else None
                widths.append(width_in(root, page, width, picture))
                failed |= widths[-1] > width
            shown = ", ".join(f"{got} in {width} px" for got, width in zip(widths, WIDTHS))
            print(f"{page}: accessibility {score:.0f} of 100; width {shown}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
