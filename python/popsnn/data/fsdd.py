"""Free Spoken Digit Dataset: 3,000 recordings of spoken digits, as the spikes of 700 channels."""

from __future__ import annotations

import hashlib
import http.client
import io
import os
import re
import urllib.request
import wave
import zipfile
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import torch
from tqdm import tqdm

from .._internal.files import whole_file
from .._internal.paths import cache_folder
from .binning import Binning
from .cache import Cache, Compacted, cached
from .cochlea import CHANNELS, cochlea, constants
from .compact import compact_named, stamp
from .dataset import SpikeDataset, Splits, split

COMMIT = "26eb9aaf76e81b692f806f9140c2d2777410d7a1"
URL = f"https://github.com/Jakobovski/free-spoken-digit-dataset/archive/{COMMIT}.zip"
# Of all names and contents: the archive itself is packed anew by its server.
SHA256 = "a2e8a660492f28d9eed6270b290d26cbc5c81d6077ce87d3c0ad5adf4d4ee696"
CLASSES = 10
MOST_PACKED = 100  # bytes of recordings that a byte of an archive stands for; sound gives 2
MOST_BYTES = 1 << 30  # of recordings that are packed tighter
MOST_THREADS = 16  # that filter; more wait for Python's lock
TEST_NUMBERS = 5  # of each digit and speaker the recordings 0 to 4 are for the test

_NAME = re.compile(r"(\d)_([^_]+)_(\d+)\.wav")


class Recording(NamedTuple):
    """Content of a recording's name, and its path."""

    digit: int
    speaker: str
    number: int
    member: str


def fsdd(
    path: Union[str, Path, None] = None,
    *,
    held_out: Optional[str] = None,
    steps: int = 100,
    dt: Optional[float] = 0.01,
    downsample: float = 1,
    capacity: Optional[int] = None,
    cache: Cache = None,
    workers: int = 0,
) -> Splits:
    """Return the Free Spoken Digit Dataset as training and test set, 10 classes.

    The official split has recordings 0 to 4 of each digit and speaker in the test set (300) and the
    others in the training set (2,700). Spikes are those of `data.cochlea`; the first call makes
    them, in up to 16 threads or, where there are, in `workers`, and the next calls map the cached
    result.

    Parameters
    ----------
    path : str or Path, optional
        Folder or zip archive with recordings named as 7_jackson_32.wav, at any depth. Default: the
        archive of 26eb9aaf, downloaded once (16 MB) to the user's cache, its content compared with
        a checksum.
    held_out : str, optional
        A speaker: all recordings of this speaker are the test set, all others the training set.
    steps, dt, downsample
        As in `data.Binning`; by default 1 s, which 20 of the 3,000 recordings exceed.
    capacity : int, optional
        As in `SpikeDataset`; by default the longest list of all recordings.
    cache, workers
        As in `data.compact`.

    Raises
    ------
    FileNotFoundError
        Where there is nothing at `path`.
    ValueError
        Where a recording is not as expected, the message names it; or the speaker is unknown.
    ConnectionError
        Where the download fails.

    Source
    ------
    Jackson et al., https://github.com/Jakobovski/free-spoken-digit-dataset, CC BY-SA 4.0.
    """
    where = _downloaded() if path is None else Path(path).expanduser()
    recordings = _recordings(where)
    speakers = [recording.speaker for recording in recordings]
    if held_out is not None and held_out not in speakers:
        known = ", ".join(sorted(set(speakers)))
        raise ValueError(f"data.fsdd: held_out: expected one of {known}, got {held_out!r}")
    binning = Binning(steps, dt, downsample)

    def build() -> Compacted:
        source = _Encoded(where, recordings)
        threads = min(MOST_THREADS, _processors())
        return compact_named(source, (CHANNELS, 1, 1), CLASSES, binning, workers, "fsdd", threads)

    key = {"files": _stamps(where, recordings), "cochlea": constants(), **binning.__dict__}
    lists, labels = cached(cache, "fsdd", key, build)
    whole = SpikeDataset(lists, torch.from_numpy(labels), CLASSES, capacity=capacity)
    if held_out is None:
        in_test = np.array([recording.number < TEST_NUMBERS for recording in recordings])
    else:
        in_test = np.array([speaker == held_out for speaker in speakers])
    return split(whole, in_test)


class _Encoded:
    """The recordings as events of the cochlea; held in memory, where every worker finds them."""

    def __init__(self, where: Path, recordings: List[Recording]) -> None:
        self.where = where
        self.recordings = recordings
        self.contents = _contents(where, recordings)

    def __len__(self) -> int:
        return len(self.recordings)

    def __getitem__(self, index: int) -> Tuple[np.ndarray, int]:
        waveform, rate = _decoded(self.contents[index])
        return cochlea(waveform, rate), self.recordings[index].digit

    def name(self, index: int) -> str:
        """Return the name of a recording, with its file."""
        return f"data.fsdd: {self.where / self.recordings[index].member}"


def _decoded(content: bytes) -> Tuple[np.ndarray, int]:
    """Return the samples [L] and the rate of a wav file, mono with 16 bits."""
    try:
        with wave.open(io.BytesIO(content)) as file:
            form = (file.getnchannels(), file.getsampwidth())
            frames, rate = file.readframes(file.getnframes()), file.getframerate()
            expected = file.getnframes() * form[0] * form[1]
    except (wave.Error, EOFError) as error:
        raise ValueError(f"no whole wav file ({str(error) or 'it ends too early'})") from None
    if form != (1, 2):
        raise ValueError(f"{form[0]} channels of {8 * form[1]} bits in place of 1 of 16")
    if len(frames) != expected:
        raise ValueError(f"{len(frames)} of {expected} bytes of samples")
    return np.frombuffer(frames, "<i2"), rate


def _recordings(where: Path) -> List[Recording]:
    """Return the recordings in a folder or an archive, by digit, speaker and number."""
    if where.is_dir():
        members = [str(file.relative_to(where)) for file in where.rglob("*.wav")]
    elif where.is_file():
        with _archive(where) as archive:
            members = [name for name in archive.namelist() if name.endswith(".wav")]
    else:
        raise FileNotFoundError(f"data.fsdd: path: expected a folder or a zip archive at {where}")
    recordings = []
    for member in members:
        named = _NAME.fullmatch(member.rsplit("/", 1)[-1])
        if named is None:
            raise ValueError(
                f"data.fsdd: {where / member}: expected a name such as 7_jackson_32.wav"
            )
        recordings.append(Recording(int(named[1]), named[2], int(named[3]), member))
    if not recordings:
        raise ValueError(f"data.fsdd: {where}: expected recordings (.wav) in it, got none")
    return sorted(recordings)


def _contents(where: Path, recordings: List[Recording]) -> List[bytes]:
    if where.is_dir():
        return [(where / recording.member).read_bytes() for recording in recordings]
    with _archive(where) as archive:
        size = sum(archive.getinfo(recording.member).file_size for recording in recordings)
        if size > max(MOST_BYTES, MOST_PACKED * where.stat().st_size):
            raise ValueError(
                f"data.fsdd: {where}: expected recordings of at most {MOST_PACKED} times the bytes "
                f"of their archive, got {size} bytes from {where.stat().st_size}"
            )
        return [_member(archive, where, recording.member) for recording in recordings]


def _member(archive: zipfile.ZipFile, where: Path, member: str) -> bytes:
    try:
        return archive.read(member)
    except (zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        raise ValueError(
            f"data.fsdd: {where / member}: expected a whole member, got {error}"
        ) from None


def _archive(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError) as error:
        raise ValueError(f"data.fsdd: {path}: expected a whole zip archive, got {error}") from None


def _stamps(where: Path, recordings: List[Recording]) -> Dict[str, Any]:
    if where.is_file():
        return stamp(where)
    digest = hashlib.sha256()
    for recording in recordings:
        status = (where / recording.member).stat()
        digest.update(f"{recording.member} {status.st_size} {status.st_mtime_ns}\n".encode())
    return {"path": str(where.resolve()), "recordings": digest.hexdigest()}


def _downloaded() -> Path:
    """Return the archive in the user's cache; download it where it is not there."""
    path = cache_folder("data") / f"fsdd-{COMMIT[:8]}.zip"
    if path.is_file():
        return path
    with whole_file("data.fsdd", path) as partial:
        with open(partial, "wb") as file:
            _fetch(file.write)
        digest = _digest(partial)
        if digest != SHA256:
            raise ValueError(
                f"data.fsdd: {URL}: expected recordings with SHA-256 {SHA256}, got {digest}"
            )
    return path


def _fetch(write: Callable[[bytes], Any]) -> None:
    with _connection(lambda: urllib.request.urlopen(URL, timeout=60)) as response:
        size = int(response.headers.get("Content-Length") or 0) or None
        with tqdm(total=size, unit="B", unit_scale=True, desc="fsdd", disable=None) as bar:
            for block in iter(lambda: _connection(lambda: response.read(1 << 16)), b""):
                write(block)  # whose errors are of the disk, not of the connection
                bar.update(len(block))


def _connection(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except (OSError, http.client.HTTPException) as error:
        raise ConnectionError(
            f"data.fsdd: expected to download {URL}, got {error}: pass the path of a copy"
        ) from None


def _digest(archive: Path) -> str:
    """Return a SHA-256 over the names and contents of all recordings, whatever their packing."""
    recordings = _recordings(archive)
    by_name = {
        recording.member.rsplit("/", 1)[-1]: content
        for recording, content in zip(recordings, _contents(archive, recordings))
    }
    digest = hashlib.sha256()
    for name in sorted(by_name):
        digest.update(name.encode() + b"\0" + hashlib.sha256(by_name[name]).digest())
    return digest.hexdigest()


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
