"""Run the example of README.md with the installed popsnn.

python tools/readme_example.py

An installation without the native part runs it on the reference.
"""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
ENGINE = 'backend="ipu"'


def example(native: bool) -> str:
    """Return the example, for the ipu engine as it is printed or for the torch engine.

    Raises
    ------
    ValueError
        Where the README has no such example.
    """
    (text,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    if ENGINE not in text:
        raise ValueError(f"{README}: expected {ENGINE} in the example, got none")
    return text if native else text.replace(ENGINE, 'backend="torch"')


if __name__ == "__main__":
    import popsnn

    exec(example(popsnn.backends()["ipu"].available))
