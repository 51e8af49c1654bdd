"""The Python on the documents' pages: it runs on a CPU, or another test runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Pages whose Python another test runs.
TESTED = {
    "README.md": "tests/test_house.py",
    "docs/how-to/label-every-step.md": "tests/python/training/test_label_every_step.py",
    "docs/how-to/exchange-networks.md": "tests/python/nir/test_how_to.py",
    "docs/how-to/coming-from-other-libraries.md": "tests/docs/test_coming_from.py",
    "docs/how-to/save-a-network.md": "tests/python/nn/test_how_to.py",
    "docs/how-to/train-on-a-dataset.md": "tests/python/training/test_how_to.py",
    "docs/how-to/use-your-own-data.md": "tests/python/data/test_how_to.py",
    "docs/tutorial/delays.md": "tests/python/nn/test_delays_tutorial.py",
    "docs/tutorial/poptorch.md": "tests/python/test_poptorch_tutorial.py",
    "docs/tutorial/your-own-neuron.md": "tests/python/extensions/test_tutorial.py",
}
# Packages that the Python of a page imports.
NEEDS = {"docs/how-to/train-with-lightning.md": "lightning"}
# Text of pages for GPUs, and what a CPU takes instead; and what such pages leave to the reader.
ON_A_CPU = {
    'backend="cuda"': 'backend="torch"',
    '.to("cuda")': ".cpu()",
    ".cuda()": ".cpu()",
    'torch.autocast("cuda"': 'torch.autocast("cpu"',
    "cuda.Adam(net.parameters(), lr=1e-3)": "torch.optim.Adam(net.parameters(), lr=1e-3)",
    ", fused=True": "",
    'torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))': "",
    'dist.init_process_group("nccl")': 'dist.init_process_group("gloo")',
}
GIVEN = {
    "docs/explanation/compacted-spikes.md": "import popsnn\n"
    "from popsnn import nn\n"
    "from torch.nn.functional import cross_entropy\n"
    "net = nn.SNN(nn.SparseLIF(4, 8), nn.LI(8, 2))\n"
    "x, labels = (torch.rand(5, 3, 4) < 0.5).float(), torch.arange(3) % 2\n",
    "docs/explanation/persistent-recurrent.md": "from popsnn import functional\n"
    "current, weight = torch.rand(5, 3, 8), torch.rand(8, 8)\n",
    "docs/how-to/split-time-over-gpus.md": "x, labels = torch.rand(6, 2, 700), torch.arange(2)\n",
    "docs/how-to/train-a-deep-network.md": "x = torch.rand(2, 2, 3, 32, 32)\n"
    "batches = [(x, torch.arange(2))]\n",
    "docs/how-to/train-on-a-gpu.md": "x = (torch.rand(2, 3, 2312) < 0.01).float()\n"
    "labels = torch.arange(3)\n",
}
RANK = {
    "MASTER_ADDR": "127.0.0.1",
    "MASTER_PORT": "0",
    "RANK": "0",
    "WORLD_SIZE": "1",
    "LOCAL_RANK": "0",
}
# Three lines about an engine that a program has built: tests/emulator has them whole.
FRAGMENTS = ("docs/explanation/cycle-model.md",)


def pages() -> list[str]:
    """Return the pages with Python."""
    paths = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    return [
        str(path.relative_to(ROOT)) for path in paths if EXAMPLE.search(path.read_text("utf-8"))
    ]


def script(page: str) -> str:
    """Return the Python of a page for a CPU."""
    examples = EXAMPLE.findall((ROOT / page).read_text(encoding="utf-8"))
    # A captured step is a CUDA graph, which no CPU has.
    text = "\n".join(example for example in examples if "CapturedStep(" not in example)
    for gpu, cpu in ON_A_CPU.items():
        text = text.replace(gpu, cpu)
    return "import torch\n" + GIVEN.get(page, "") + text


def test_every_tested_page_is_named_by_its_test() -> None:
    for page, test in TESTED.items():
        assert page in pages()
        assert page.rsplit("/", 1)[-1] in (ROOT / test).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page", [page for page in pages() if page not in TESTED and page not in FRAGMENTS]
)
def test_examples_run(page: str, tmp_path: Path) -> None:
    package = NEEDS.get(page)
    if package is not None and find_spec(package) is None:
        pytest.skip(f"{page} needs {package}")
    (tmp_path / "example.py").write_text(script(page), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"],
        cwd=tmp_path,
        env={**os.environ, **RANK},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
