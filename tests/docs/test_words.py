"""Whether people who know the field can read the documents: words, sentences, headings, pictures.

`prose.FORBIDDEN` has the private words and the standard term for each. Python's docstrings, private
ones too, comments, error texts and the help of the command line are checked as the documents are.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
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
FOLDERS = ("python/popsnn", "emulator/python", "bench", "tests", "docs")
SOURCES = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if path.parent != Path(__file__).parent  # which names the private words
)


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


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of a file, private ones too, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if text is not None:
            yield node.body[0].lineno, text  # type: ignore[attr-defined]


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the comments of a file with their lines."""
    text = io.StringIO(path.read_text(encoding="utf-8"))
    for token in tokenize.generate_tokens(text.readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def errors(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of the errors that a file raises with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for child in ast.walk(node) if isinstance(node, ast.Raise) else ():
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                yield child.lineno, re.sub(r"^\S*: \w+: ", "", child.value)  # names of arguments


def unreadable(text: str) -> list[str]:
    """Return the private words of a docstring, and its first word where that is a question's."""
    question = prose.QUESTION.match(text)
    return prose.private_words(text) + ([question.group()] if question else [])


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_docstrings_have_standard_terms(path: Path) -> None:
    assert [(line, words) for line, text in docstrings(path) if (words := unreadable(text))] == []


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_comments_and_errors_have_standard_terms(path: Path) -> None:
    texts = [*comments(path), *errors(path)]
    found = [(line, prose.private_words(text)) for line, text in texts]
    assert [(line, words) for line, words in found if words] == []


def helps(command: argparse.ArgumentParser, called: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text of the help of a command and its subcommands."""
    yield called, " ".join(filter(None, (command.description, command.epilog)))
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield f"{called} {choice.dest}".strip(), choice.help or ""
            for word, subcommand in action.choices.items():
                yield from helps(subcommand, f"{called} {word}".strip())
        elif action.help != argparse.SUPPRESS:
            yield called, action.help or ""


def test_help_has_standard_terms() -> None:
    found: dict[str, list[str]] = {}
    for command, text in helps(parser()):
        found.setdefault(command, []).extend(prose.private_words(text))
    assert {key: value for key, value in found.items() if value} == {}


def test_every_argument_has_a_help() -> None:
    assert [command for command, text in helps(parser()) if not text.strip()] == []


def test_an_argument_without_a_help_is_found() -> None:
    command = argparse.ArgumentParser(description="Measure.")
    command.add_argument("file")
    assert list(helps(command)) == [
        ("", "Measure."),
        ("", "show this help message and exit"),
        ("", ""),
    ]


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
