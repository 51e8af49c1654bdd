"""Results of a run: whether they are whole, and equal to another run's, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterator, List, Tuple

import numpy as np
import torch

from popsnn import training
from popsnn.training import checkpoint

# Times are measured; what is free changes no number, as the folder does not.
MEASURED = ("seconds", "samples_per_second", "train_seconds")
FREE = ("out", "workers", "save_seconds", "tensorboard", "pictures")


def leaves(value: Any, name: str = "") -> Iterator[Tuple[str, Any]]:
    """Yield the plain values of a tree with their names; tensors and numbers as their bits."""
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            if key not in MEASURED and key not in FREE:
                yield from leaves(value[key], f"{name}.{key}")
    elif isinstance(value, (list, tuple)):
        yield f"{name} length", len(value)
        for index, item in enumerate(value):
            yield from leaves(item, f"{name}.{index}")
    elif isinstance(value, torch.Tensor):
        bits = value.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
        yield name, (str(value.dtype), tuple(value.shape), bits)
    elif isinstance(value, float):
        yield name, np.float64(value).tobytes()
    else:
        yield name, value


def contents(path: Path) -> Any:
    """Return what a file of a run holds; raises where it is not whole."""
    if path.suffix == ".pt":
        return checkpoint.read(path, "compare: expected a whole file")
    if path.suffix == ".json":
        return json.loads(path.read_text())
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    if path.suffix == ".yaml":
        return training.read(path)
    if path.suffix == ".csv":
        head, *rows = (line.split(",") for line in path.read_text().splitlines() or [""])
        return [dict(zip(head, row)) for row in rows]
    assert path.suffix == ".png", path
    assert path.read_bytes().startswith(b"\x89PNG"), path
    return None  # of a picture the pixels are no result


def unsound(folder: Path) -> List[str]:
    """Return which files of a run that was killed are not whole."""
    wrong = []
    for path in sorted(folder.glob("[!.]*")):
        try:
            contents(path)
        except (ValueError, AssertionError, KeyError) as error:
            wrong.append(f"{path.name} is not whole: {error}")
    return wrong


def differences(got: Path, wanted: Path) -> List[str]:
    """Return how the folder of a finished run differs from that of another one."""
    names = [sorted(path.name for path in folder.iterdir()) for folder in (got, wanted)]
    if names[0] != names[1]:
        return [f"files {names[0]} in place of {names[1]}"]
    result = unsound(got)
    for name in [] if result else names[1]:
        mine, other = (dict(leaves(contents(folder / name), name)) for folder in (got, wanted))
        result += [key for key in sorted({*mine, *other}) if mine.get(key) != other.get(key)][:5]
    return result
