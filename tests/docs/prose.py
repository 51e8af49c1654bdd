"""Measures of prose: words and sentences of Markdown, and words with a standard term.

``python tests/docs/prose.py docs/explanation/*.md`` prints a line for each page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# A pattern of a private word, and the standard term that a reader of the field knows.
FORBIDDEN = {
    r"the definition": "the reference (implementation)",
    r"places|(?:no|a|its|their|lost|keeps?|kept|finds?|found) place": "capacity; kept, dropped",
    r"slots?": "capacity",
    r"leaks?(?! rate)": "decay (factor)",
    r"second threshold": "gradient threshold",
    r"listed|marks|gradient entr(?:y|ies)": "active set (fired, subthreshold-active)",
    r"lists? of (?:spikes?|(?:\w+ )?ids)|spike lists?": "compacted spikes, spike indices",
    r"segments?": "checkpoint interval, mask block, time chunk, time shard",
    r"ways?": "kernel variant, strategy, direction",
    r"watched": "traced",
    r"patience|(?:give|gives|gave|given) up": "timeout, abort",
    r"(?:go|goes|going|went) back|walks? back": "backward pass",
    r"(?:that|this|those|these) ones?|ones|one's": "the name of the thing",
    r"shares?|stretch(?:es)?|pieces?|zones?": "partial sum, range, shard, fraction",
    r"settles?|halvings?": "relayout, bucket sizes",
    r"drawn anew|draws? of drops?": "RNG state, drop seed",
    r"besides?": "next to, in addition to",
    r"the truth": "owner, source of truth",
    r"of your own": "custom",
    r"step alone": "time step",
    r"not so": "disable ...",
    r"at_most|power_of_two|hyperbolic_tangent|multiply_add|bits_set|wait_for_block|wait_for_warp"
    r"|first_from": "min, exp2, tanh, fma, popcount, sync_block, sync_warp, lower_bound",
}
PRIVATE = re.compile(r"\b(?:" + "|".join(FORBIDDEN) + r")\b", re.IGNORECASE)
# A heading is a noun. A docstring may say whether, as those of flags do.
QUESTION = re.compile(r"(?:What|How|Where|When|Why|Who|Which|Does|Is|Are|Can|Do)\b")

ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
NOT_PROSE = re.compile(r"^\s*(?:#|\||<|\[[\w-]+\]:)")
END = re.compile(r"(?<=[.!?])(?<!\bal\.)(?<!\be\.g\.)(?<!\bi\.e\.)[)*\"]*\s+")
FENCE = re.compile(r"^ *(```|~~~).*?^ *\1\s*$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"(`+)[^`]+\1")
IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def without_code(text: str) -> str:
    """Return Markdown without code blocks, its code spans replaced by a word each."""
    return CODE.sub("code", FENCE.sub("", text))


def headings(text: str) -> list[str]:
    """Return the headings of a page."""
    return re.findall(r"^#+\s+(.+?)\s*$", FENCE.sub("", text), re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return what a link may name behind its ``#``."""
    plain = (LINK.sub(r"\1", heading).lower() for heading in headings(text))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def private_words(text: str) -> list[str]:
    """Return the private words in prose: text, headings, tables, texts of links and images."""
    plain = LINK.sub(r"\1", IMAGE.sub(r"\1", without_code(text)))
    return [match.group() for match in PRIVATE.finditer(" ".join(plain.split()))]


def sentences(text: str) -> list[str]:
    """Return the sentences of a page; headings, tables, images and code blocks have none."""
    blocks: list[list[str]] = [[]]
    for line in LINK.sub(r"\1", IMAGE.sub("", without_code(text))).splitlines():
        if not line.strip() or NOT_PROSE.match(line):
            blocks.append([])
        elif ITEM.match(line):
            blocks.append([ITEM.sub("", line)])
        else:
            blocks[-1].append(line.strip())
    found = [part for block in blocks for part in END.split(" ".join(block))]
    return [sentence for sentence in found if words(sentence)]


def words(sentence: str) -> int:
    """Return the number of words: runs without white space that hold a letter or a digit."""
    return sum(any(c.isalnum() for c in run) for run in sentence.split())


def measure(text: str) -> tuple[int, float, int]:
    """Return a page's words, as ``wc -w`` counts, and the mean and maximum of its sentences."""
    lengths = [words(sentence) for sentence in sentences(text)]
    return len(text.split()), sum(lengths) / max(1, len(lengths)), max(lengths, default=0)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name).read_text(encoding="utf-8")
        total, mean, longest = measure(page)
        print(f"{name}: {total} words, sentences of {mean:.1f} on average, {longest} at most")
        for word in private_words(page):
            print(f"  {word}")
