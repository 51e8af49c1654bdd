"""Files of the Heidelberg spiking datasets, SHD and SSC, as tonic reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Tuple, Union

import numpy as np

from .compact import Numbered
from .tonic_splits import TonicSplit, tonic_dataset, tonic_module

SENSOR_SIZE = (700, 1, 1)
EVENTS = ("spikes/times", "spikes/units")
KEYS = (*EVENTS, "labels", "extra/keys", "extra/speaker")


def recordings(name: str, path: Union[str, Path], split: str, /, **arguments: Any) -> TonicSplit:
    """Return a set of recordings of `data.shd` or `data.ssc`.

    Parameters
    ----------
    name : {"shd", "ssc"}
    path : str or Path
        Folder in which tonic keeps them.
    split : str
        As the file's name has it.
    **arguments
        Which of the sets it is, for tonic.
    """
    folder = Path(path).expanduser() / name.upper()
    file = folder / f"{name}_{split}.h5"

    def read() -> _Recordings:
        tonic_module(name)  # which brings h5py
        if file.exists():
            _check_file(file)  # h5py does not say what it misses
        source = tonic_dataset(name, name.upper(), path, **arguments)
        return _Recordings(source, f"data.{name}: {file}", file)

    return TonicSplit(name, read, [folder / f"{name}_{split}.h5.zip", file])


class _Recordings(Numbered):
    """Recordings that tonic reads of a file. They have a channel for each time."""

    def __init__(self, source: Any, name: str, file: Path) -> None:
        super().__init__(source, name)
        self._file = file

    def __getitem__(self, index: int) -> Tuple[np.ndarray, int]:
        with _opened(self._file) as file:
            times, units = (len(file[key][index]) for key in EVENTS)
        if times != units:  # of a single unit tonic makes as many as there are times
            raise ValueError(f"{units} units of {times} times")
        return super().__getitem__(index)


def _opened(file: Path) -> Any:
    import h5py  # which tonic brings

    return h5py.File(file, "r")


def _check_file(file: Path) -> None:
    with _opened(file) as hdf5:
        for key in KEYS:
            if key not in hdf5:
                raise ValueError(f"no {key}")
        counts = {key: len(hdf5[key]) for key in (*EVENTS, "labels")}
        if len(set(counts.values())) > 1:  # tonic reads as many as there are labels
            raise ValueError(", ".join(f"{n} {key}" for key, n in counts.items()))
        if hdf5["labels"].dtype.kind not in "iu":
            raise ValueError(f"labels of {hdf5['labels'].dtype}, which are no integers")
