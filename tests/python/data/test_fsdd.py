from __future__ import annotations

import hashlib
import http.server
import importlib
import io
import os
import re
import threading
import wave
import zipfile
from pathlib import Path
from typing import Any, Dict, Iterator

import numpy as np
import pytest
import torch
from tests.full_disk import full_disk

from popsnn import data

fsdd: Any = importlib.import_module("popsnn.data.fsdd")

ROOT = Path(__file__).resolve().parents[3]
ARCHIVE = Path(os.environ.get("POPSNN_TEST_FSDD", ROOT.parent / "shared" / "data" / "fsdd.zip"))
needs_archive = pytest.mark.skipif(
    not ARCHIVE.is_file(), reason=f"no archive at {ARCHIVE} (POPSNN_TEST_FSDD names another)"
)
NAMES = [
    f"{digit}_{speaker}_{number}.wav"
    for digit in (3, 8)
    for speaker in ("ann", "bob", "cy")
    for number in (0, 4, 5, 12)
]


def wav(frequency: float, channels: int = 1, rate: int = 8000) -> bytes:
    sound = 9000 * np.sin(2 * np.pi * frequency * np.arange(1600) / rate)
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.repeat(sound.astype("<i2"), channels).tobytes())
    return buffer.getvalue()


def contents() -> Dict[str, bytes]:
    return {name: wav(100 * (1 + index)) for index, name in enumerate(NAMES)}


def write_folder(folder: Path) -> Path:
    (folder / "recordings").mkdir(parents=True)
    for name, content in contents().items():
        (folder / "recordings" / name).write_bytes(content)
    (folder / "README.md").write_text("read me")
    return folder


def write_archive(path: Path, prefix: str = "top/recordings/") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in reversed(list(contents().items())):
            archive.writestr(prefix + name, content)
        archive.writestr("top/metadata.py", "")
    return path


def test_folder_and_archive_give_the_same(tmp_path: Path) -> None:
    folder, archive = write_folder(tmp_path / "a"), write_archive(tmp_path / "b.zip")
    of_folder = data.fsdd(folder, cache=tmp_path / "cache")
    of_archive = data.fsdd(archive, cache=tmp_path / "cache", workers=1)
    for got, expected in zip(of_archive, of_folder):
        assert torch.equal(got.spikes.ids, expected.spikes.ids)
        assert torch.equal(got.labels, expected.labels)
    train, test = of_folder
    assert repr(train) == "SpikeDataset(12 samples, 100 steps, 700 neurons, 10 classes)"
    assert test.labels.tolist() == [3] * 6 + [8] * 6
    assert train.capacity == test.capacity
    # Recording 5 of ann's 3 is the third of all; its spikes are the cochlea's, in 10 ms steps.
    events = data.cochlea(np.frombuffer(contents()[NAMES[2]][44:], "<i2"), 8000)
    expected = torch.zeros(100, 700)
    expected[events["t"] // 10_000, events["x"].astype(int)] = 1
    assert torch.equal(train[0][0].to_dense()[:, 0], expected)


def test_a_speaker_held_out(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "a")
    train, test = data.fsdd(folder, cache=tmp_path / "cache", held_out="bob")
    assert (len(train), len(test)) == (16, 8)
    official, _ = data.fsdd(folder, cache=tmp_path / "cache")
    assert official.lists.path == train.lists.path  # one file serves every split
    with pytest.raises(
        ValueError, match=r"^data.fsdd: held_out: expected one of ann, bob, cy, got"
    ):
        data.fsdd(folder, held_out="dan")


def test_the_cache_sees_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_folder(tmp_path / "a")
    first, _ = data.fsdd(folder, cache=tmp_path / "cache")
    with monkeypatch.context() as patch:
        patch.setattr(fsdd, "cochlea", None)  # nothing is encoded again
        again, _ = data.fsdd(folder, cache=tmp_path / "cache")
    assert torch.equal(again.spikes.ids, first.spikes.ids)
    (folder / "recordings" / NAMES[2]).write_bytes(wav(1234))
    changed, _ = data.fsdd(folder, cache=tmp_path / "cache")
    assert not torch.equal(changed[0][0].to_dense(), first[0][0].to_dense())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no whole wav file (it ends too early)"),
        (b"RIFF and nothing else", "no whole wav file"),
        (wav(100)[:-10], "3190 of 3200 bytes of samples"),
        (wav(100, channels=2), "2 channels of 16 bits in place of 1 of 16"),
        (wav(100, rate=4000), "data.cochlea: rate: expected at least 7201, got 4000"),
    ],
)
def test_bad_recordings_name_the_file(tmp_path: Path, content: bytes, sentence: str) -> None:
    folder = write_folder(tmp_path / "a")
    path = folder / "recordings" / NAMES[7]
    path.write_bytes(content)
    start = f"data.fsdd: {path}: expected a recording that can be read, got {sentence}"
    with pytest.raises(ValueError, match=f"^{re.escape(start)}"):
        data.fsdd(folder, cache=tmp_path / "cache")


def test_bad_folders_and_archives_get_one_sentence(tmp_path: Path) -> None:
    def refused(path: Path, sentence: str, kind: Any = ValueError) -> None:
        with pytest.raises(kind, match=f"^{re.escape('data.fsdd: ' + sentence)}"):
            data.fsdd(path, cache=tmp_path / "cache")

    missing = tmp_path / "none.zip"
    refused(missing, f"path: expected a folder or a zip archive at {missing}", FileNotFoundError)
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", f"{tmp_path / 'empty'}: expected recordings (.wav) in it, got none")
    named = write_folder(tmp_path / "named")
    (named / "x.wav").write_bytes(b"")
    refused(named, f"{named / 'x.wav'}: expected a name such as 7_jackson_32.wav")
    archive = write_archive(tmp_path / "a.zip")
    whole = archive.read_bytes()
    archive.write_bytes(whole[:-500])
    refused(archive, f"{archive}: expected a whole zip archive, got ")
    archive.write_bytes(whole[:100] + bytes(40) + whole[140:])
    refused(archive, f"{archive}/top/recordings/{NAMES[-1]}: expected a whole member, got ")


def test_an_archive_that_unpacks_to_more_than_memory_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(NAMES[0], wav(100))
    packed = path.read_bytes()
    # The directory says four gigabytes; another archive may really hold them.
    at = packed.index(b"PK\1\2") + 24
    path.write_bytes(packed[:at] + (2**32 - 2).to_bytes(4, "little") + packed[at + 4 :])
    with pytest.raises(
        ValueError,
        match=rf"^data.fsdd: {path}: expected recordings of at most 100 times the bytes of their "
        rf"archive, got 4294967294 bytes from {len(packed)}$",
    ):
        data.fsdd(path, cache=tmp_path / "cache")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    """Serve a folder on this machine; yields the folder and its address."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


def test_download(tmp_path: Path, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, address = server
    monkeypatch.setenv("POPSNN_CACHE_DIR", str(tmp_path / "user"))
    monkeypatch.setattr(fsdd, "URL", f"{address}/fsdd.zip")
    digest = hashlib.sha256()
    for name, content in sorted(contents().items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    with pytest.raises(ConnectionError, match=r"^data.fsdd: expected to download .* got .*404"):
        data.fsdd()
    write_archive(folder / "fsdd.zip")
    with pytest.raises(ValueError, match=r"^data.fsdd: .*: expected recordings with SHA-256 a2e8"):
        data.fsdd()
    assert list((tmp_path / "user" / "data").iterdir()) == []  # nothing that is wrong is kept
    monkeypatch.setattr(fsdd, "SHA256", digest.hexdigest())
    train, _ = data.fsdd()
    assert len(train) == 12
    (folder / "fsdd.zip").unlink()
    again, _ = data.fsdd()  # no second download
    assert torch.equal(again.spikes.ids, train.spikes.ids)


def test_a_disk_that_is_full_is_no_failing_download(
    tmp_path: Path, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, address = server
    monkeypatch.setenv("POPSNN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(fsdd, "URL", f"{address}/fsdd.zip")
    write_archive(folder / "fsdd.zip")
    path = tmp_path / "data" / f"fsdd-{fsdd.COMMIT[:8]}.zip"
    with full_disk(1000), pytest.raises(
        OSError, match=rf"^data.fsdd: expected to write {path}, got File too large$"
    ):
        data.fsdd()
    assert list(path.parent.iterdir()) == []


@needs_archive
def test_the_archive_is_the_one_that_is_downloaded() -> None:
    recordings = fsdd._recordings(ARCHIVE)
    assert len(recordings) == 3000
    assert sum(recording.number < fsdd.TEST_NUMBERS for recording in recordings) == 300
    assert fsdd._digest(ARCHIVE) == fsdd.SHA256


@needs_archive
def test_real_speech(tmp_path: Path) -> None:
    chosen = [r for r in fsdd._recordings(ARCHIVE) if r.speaker == "theo" and r.number in (1, 7)]
    with zipfile.ZipFile(ARCHIVE) as archive:
        for recording in chosen:
            archive.extract(recording.member, tmp_path)
    train, test = data.fsdd(tmp_path, cache=tmp_path / "cache")
    assert train.labels.tolist() == test.labels.tolist() == list(range(10))
    for part in (train, test):
        spikes_each = part.lists.lengths[part._numbers].sum(1)
        assert 1000 < spikes_each.min() < spikes_each.max() < 12000
        assert 0.02 < part.spikes.activity() < 0.1
