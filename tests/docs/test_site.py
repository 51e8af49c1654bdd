"""The site: links, docstrings and outputs as `docs/site` rewrites them, and its first page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.python_names import MODULES
from docs.site import api, links
from tests.docs import prose

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.py"))


@pytest.mark.parametrize(
    ("document", "text", "expected", "found"),
    [
        ("docs/index.md", "[a](how-to/b.md#c)", "[a](how-to/b.md#c)", "docs/how-to/b.md"),
        ("docs/index.md", "[a](notebooks/b.py)", "[a](notebooks/b.md)", "docs/notebooks/b.py"),
        ("docs/how-to/a.md", "[a](../../README.md#b)", "[a](../project/README.md#b)", "README.md"),
        ("docs/a/b.md", "[a](../../bench/c.jsonl)", "[a](../files/bench/c.jsonl)", "bench/c.jsonl"),
        ("README.md", "![a](docs/images/b.svg)", "![a](../images/b.svg)", "docs/images/b.svg"),
    ],
)
def test_links_lead_to_files_of_the_site(
    document: str, text: str, expected: str, found: str
) -> None:
    assert links.rewritten(text, document) == (expected, [found])


@pytest.mark.parametrize("text", ["`[a](b.md)`", "```\n[a](../b.md)\n```", "[a](https://b.org/c)"])
def test_code_and_addresses_stay(text: str) -> None:
    assert links.rewritten(text, "docs/a/b.md") == (text, [])


def test_linked_files_that_are_no_documents() -> None:
    paths = ["docs/a.md", "README.md", "bench/b.jsonl", "LICENSE", "docs/images/c.svg"]
    assert links.others(paths) == ["LICENSE", "bench/b.jsonl"]


def test_the_first_page_links_to_every_page() -> None:
    linked = set(links.rewritten((ROOT / "docs/index.md").read_text("utf-8"), "docs/index.md")[1])
    pages = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/notebooks/*.py")]
    names = {str(path.relative_to(ROOT)) for path in pages} - {"docs/index.md"}
    assert names - linked == set()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_have_standard_terms_and_alternative_texts(path: Path) -> None:
    source = path.read_text("utf-8")
    cells = re.split(r"^# %%", source, flags=re.MULTILINE)
    text = "\n".join(cell for cell in cells if cell.startswith(" [markdown]"))
    text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
    assert prose.private_words(text) == []
    assert [heading for heading in prose.headings(text) if prose.QUESTION.match(heading)] == []
    assert max(map(prose.words, prose.sentences(text))) <= 35
    for cell in cells:
        if re.search(r"^(?:.*plot\.(?!figure)\w+\(|figure$)", cell, re.MULTILINE):
            assert ' alt="' in cell.splitlines()[0]


def test_api_pages_have_every_name() -> None:
    pages = api.pages()
    assert sorted(pages) == sorted(f"reference/api/{module}.md" for module in MODULES)
    assert "::: popsnn.nn.SNN\n" in pages["reference/api/popsnn.nn.md"]
    assert "::: popsnn.devices.Device\n" in pages["reference/api/popsnn.devices.md"]
    overview = (ROOT / "docs/reference/python.md").read_text("utf-8")
    rows = re.findall(r"^\| `\w+[(`]", overview, re.MULTILINE)
    assert len(rows) == sum(page.count("::: ") for page in pages.values())
    assert "| [`SNN`][popsnn.nn.SNN]`(*layers, backend=..." in api.linked(overview)
    assert "| [`States`][popsnn.neurons.neuron.States] |" in api.linked(overview)


def test_parameters_have_an_entry_each() -> None:
    docstrings = pytest.importorskip("docs.site.docstrings", reason="needs the extra `docs`")
    text = """Head.

Parameters
----------
beta, rho : float
    Decay
    factors.
reset : {"zero", "none"}

Raises
------
ValueError
    Where."""
    assert (
        docstrings.apart(text)
        == """Head.

Parameters
----------
beta : float
    Decay
    factors.
rho : float
    Decay
    factors.
reset : "zero", "none"

Raises
------
ValueError
    Where."""
    )


def test_outputs_of_a_notebook() -> None:
    notebooks = pytest.importorskip("docs.site.notebooks", reason="needs the extra `docs`")
    import nbformat

    text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    output = nbformat.v4.new_output
    shown = code("b", metadata={"alt": "A picture"})
    shown.outputs = [output("display_data", {"image/png": "aGk=", "text/plain": "<Figure>"})]
    printed = code("a")
    printed.outputs = [output("stream", text="1\n"), output("execute_result", {"text/plain": "2"})]
    made = notebooks.written("n", nbformat.v4.new_notebook(cells=[text("# T"), printed, shown]))
    assert made["notebooks/n-2-0.png"] == b"hi"
    page = made["notebooks/n.md"]
    assert page.startswith("# T\n\n[Download this notebook](n.ipynb)")
    assert "```python\na\n```\n\n```text\n1\n2\n```\n\n" in page
    assert page.endswith("```python\nb\n```\n\n![A picture](n-2-0.png)\n")
