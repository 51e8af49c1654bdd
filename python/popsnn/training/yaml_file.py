"""YAML files that are mappings of plain values, and no traps."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Optional, Set

LARGEST = 1 << 16  # bytes
DEEPEST = 10  # lists and mappings in each other


def read_mapping(path: Path, where: str) -> Dict[Any, Any]:
    """Return the mapping in a file.

    Aliases are refused: some of them in each other stand for more values than memory holds.

    Parameters
    ----------
    path : Path
    where : str
        What messages begin with.

    Raises
    ------
    ValueError
        Where it is too large, no YAML, no mapping, or has an alias or a key twice.
    """
    import yaml

    size = path.stat().st_size
    if size > LARGEST:
        raise ValueError(f"{where}: expected at most {LARGEST} bytes, got {size}")
    try:
        text = path.read_text(encoding="utf-8")
        problem = _problem(yaml, text)
        content = None if problem else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:  # a date that there is not is a ValueError
        reason = " ".join(str(error).split())
        raise ValueError(f"{where}: expected YAML, got {shown(reason, False)}") from None
    if problem:
        raise ValueError(f"{where}: {problem}")
    if not isinstance(content, dict):
        raise ValueError(f"{where}: expected a mapping of options, got {shown(content)}")
    return content


def _problem(yaml: Any, text: str) -> Optional[str]:
    """Return what is wrong with the events of a text, which the parser gives before any value."""
    levels: List[Any] = []
    names: Set[str] = set()
    is_name = True  # of an option; what follows it is the value
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            return f"expected no alias, got *{event.anchor} in line {line}"
        if isinstance(event, yaml.CollectionEndEvent):
            levels.pop()
        elif isinstance(event, yaml.NodeEvent):
            if len(levels) == 1 and isinstance(levels[0], yaml.MappingStartEvent):
                if is_name and isinstance(event, yaml.ScalarEvent):
                    if event.value in names:
                        name = shown(event.value)
                        return f"expected each option once, got {name} again in line {line}"
                    names.add(event.value)
                is_name = not is_name
            if isinstance(event, yaml.CollectionStartEvent):
                levels.append(event)
        if len(levels) > DEEPEST:
            return f"expected at most {DEEPEST} levels, got more in line {line}"
    return None


def shown(value: Any, quoted: bool = True) -> str:
    """Return a value for a message, cut where it is long."""
    try:
        text = repr(value) if quoted else str(value)
    except ValueError:  # Python writes no numbers of more than 4,300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= 200 else f"{text[:200]}..."
