"""Whether people who know the field can read the documents: words, sentences, headings, pictures.

`prose.FORBIDDEN` has the private words and the standard term for each. Python's docstrings, private
ones too, comments, error texts and the help of the command line are checked as the documents are.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs import prose

from popsnn.cli.main import parser

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(ROOT.glob("docs/explanation/*.md"))
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])
GENERATED = ROOT / "docs" / "reference" / "python.md"  # from docstrings, which have a test
MOST_WORDS, MEAN_SENTENCE, LONGEST_SENTENCE = 1200, 15.0, 35
WITHOUT_PICTURE = ("what-did-not-pay.md",)  # one table

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
PACKAGES = {"popsnn": ROOT / "python" / "popsnn", "emulator": ROOT / "emulator" / "python"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_explanation_pages_are_short(page: Path) -> None:
    total, mean, longest = prose.measure(page.read_text(encoding="utf-8"))
    assert total <= MOST_WORDS
    assert mean <= MEAN_SENTENCE
    assert longest <= LONGEST_SENTENCE


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_explanation_pages_have_a_picture(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    drawn = re.search(r"!\[[^\]]+\]\([^)]+\.svg\)|^```mermaid$", text, re.MULTILINE)
    assert (drawn is None) == (page.name in WITHOUT_PICTURE)


@pytest.mark.parametrize("page", DOCUMENTS, ids=name)
def test_documents_have_standard_terms(page: Path) -> None:
    if page != GENERATED:
        assert prose.private_words(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", DOCUMENTS, ids=name)
def test_headings_are_nouns(page: Path) -> None:
    found = prose.headings(page.read_text(encoding="utf-8"))
    assert [heading for heading in found if prose.QUESTION.match(heading)] == []


@pytest.mark.parametrize("page", [*DOCUMENTS, ROOT / "CHANGELOG.md"], ids=name)
def test_links_lead_to_headings(page: Path) -> None:
    links = re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    missing = [
        f"{path}#{anchor}"
        for path, anchor in links
        if anchor
        not in prose.anchors((page.parent / path if path else page).read_text(encoding="utf-8"))
    ]
    assert missing == []


def docstrings(package: str) -> Iterator[tuple[str, str]]:
    """Yield the public docstrings below a package with where they are: ``file:name``."""
    for path in sorted(PACKAGES[package].rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        stack: list[tuple[str, ast.AST]] = [("", tree)]
        while stack:
            at, node = stack.pop()
            text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
            if text is not None:
                yield f"{path.relative_to(PACKAGES[package])}:{at}", text
            stack += [
                (f"{at}.{child.name}".strip("."), child)
                for child in ast.iter_child_nodes(node)
                if isinstance(child, DOCUMENTED) and child.name[0] != "_"
            ]


def unreadable(text: str) -> list[str]:
    """Return the private words of a docstring, and its first word where that is a question's."""
    question = prose.QUESTION.match(text)
    return prose.private_words(text) + ([question.group()] if question else [])


def by_folder() -> dict[str, list[str]]:
    """Return the faults in docstrings, by package and its folder or file."""
    found: dict[str, list[str]] = {}
    for package in PACKAGES:
        for at, text in docstrings(package):
            folder = f"{package}/{re.split('[/.]', at)[0]}"
            faults = found.setdefault(folder, [])
            faults += [f"{at}: {word}" for word in unreadable(text)]
    return found


def test_docstrings_have_standard_terms() -> None:
    found = by_folder()
    assert {key: value for key, value in found.items() if value} == {}


def helps(command: argparse.ArgumentParser, called: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text of the help of a command and its subcommands."""
    yield called, " ".join(filter(None, (command.description, command.epilog)))
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield f"{called} {choice.dest}".strip(), choice.help or ""
            for word, subcommand in action.choices.items():
                yield from helps(subcommand, f"{called} {word}".strip())
        elif action.help not in (None, argparse.SUPPRESS):
            yield called, str(action.help)


def test_help_has_standard_terms() -> None:
    found: dict[str, list[str]] = {}
    for command, text in helps(parser()):
        found.setdefault(command, []).extend(prose.private_words(text))
    assert {key: value for key, value in found.items() if value} == {}


def test_measures_of_a_page() -> None:
    page = """# What a heading is

One sentence, with `code` in it. Another
one over two lines!

- An item is a sentence
- [A link](to/a/place.md) counts its text (alone).

| a table | has none |
| --- | --- |
| of. the. words | of sentences |

```text
Code. Has. None.
```
![A picture. Has none](x.svg)
"""
    assert [prose.words(sentence) for sentence in prose.sentences(page)] == [6, 5, 5, 6]
    assert prose.measure(page) == (len(page.split()), 5.5, 6)
    assert prose.anchors(page) == {"what-a-heading-is"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Neurons of\nyour own lie beside it.", ["of your own", "beside"]),
        ("The leak rate is 1 - decay, the `leak` is code.", []),
        ("A leak. | cell | with listed ids |", ["leak", "listed"]),
        ("```\nslots\n```\nShares of [places](a/way.md)", ["Shares", "places"]),
        ("![the definition](pieces.svg)", ["the definition"]),
    ],
)
def test_private_words_are_found(text: str, expected: list[str]) -> None:
    assert prose.private_words(text) == expected
