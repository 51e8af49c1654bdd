"""Random YAML as the options of a training: read as they are, or refused in one sentence."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Tuple

import yaml
from hypothesis import strategies as st

from popsnn.training import config

from ..outcome import BAD, OK, REFUSALS, Outcome, refused

NAMES = (
    "epochs", "batch_size", "dataset", "hidden", "lr", "beta", "max_activity", "recurrent", "out",
    "grad_threshold", "weight_dtype", "seed", "steps", "device", "bogus", "? [a, b]", "1", "'lr'",
    "<<", "null",
)  # fmt: skip
VALUES = (
    "1", "0", "-3", "0.5", "1e400", ".inf", ".nan", "-.inf", "true", "yes", "null", "~", "digits",
    "shd", "float16", "[1, 2]", "[]", "{}", "{a: 1}", "'text'", '"\\x00"', "2024-02-30", "0x10",
    "0o7", "1_000", "!!python/object:os.system x", "!!binary aGk=", "!!set {a}", "&a [1]", "*a",
    "[*a, *a, *a]", "|", ">-", "@", "`", "%", "\t", "- 1", "12:30:45", "9" * 400, "host:tiles=4",
    "[" * 40, "{" * 40, "[" * 9 + "]" * 9, "{a: " * 5 + "1" + "}" * 5, "é", "\ufeff", "#", "",
)  # fmt: skip
ENDS = ("\n", "\r\n", "\n\n", " # comment\n", "\n...\n", "\n---\n", "\x85", "\u2028", "\0")


@dataclass(frozen=True)
class Configuration:
    """The lines of a file, each a name, a value and what ends it."""

    lines: Tuple[Tuple[str, str, str], ...]
    indented: int = 0  # the first of the indented lines; 0: none
    encoding: str = "utf-8"

    def text(self) -> str:
        """Return the file's text."""
        text = ""
        for number, (name, value, end) in enumerate(self.lines):
            text += "  " * (0 < self.indented <= number) + f"{name}: {value}{end}"
        return text


@st.composite
def configurations(draw: Any) -> Configuration:
    """Draw a file of a few lines."""
    ends = st.sampled_from(("\n", "\n", "\n", *ENDS))
    line = st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES), ends)
    lines = draw(st.lists(line, max_size=6))
    encoding = draw(st.sampled_from(("utf-8", "utf-8", "utf-8", "utf-16", "latin-1")))
    return Configuration(tuple(lines), draw(st.sampled_from((0, 0, 0, 1, 2))), encoding)


def check_configuration(case: Configuration) -> Outcome:
    """Read the options, make a configuration of them, and write and read that."""
    data = case.text().encode(case.encoding, "replace")
    with tempfile.TemporaryDirectory(prefix="popsnn-fuzz-") as folder:
        path = Path(folder) / "config.yaml"
        path.write_bytes(data)
        try:
            stored = config.read(path)
            made = config.merged(None, path, {})
        except Exception as error:
            return refused(error, REFUSALS)
        if repr(stored) != repr(yaml.safe_load(data.decode("utf-8"))):  # NaN is not NaN
            return Outcome(BAD, f"read {stored!r}")
        for name, value in stored.items():
            if value is not None and getattr(made, name, None) is None:
                return Outcome(BAD, f"{name}: lost, of {stored!r}")
        again = Path(folder) / "again.yaml"
        config.write(made, again)
        if repr(config.merged(None, again, {})) != repr(made):
            return Outcome(BAD, f"written and read again: {made!r}")
    return Outcome(OK)
