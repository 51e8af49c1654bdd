from __future__ import annotations

import re
from typing import Any

import pytest

from popsnn import devices
from popsnn.devices import Device
from popsnn.nn import LI, SNN


def test_presets_and_changes() -> None:
    assert devices.parse("ipu2") == Device()
    assert devices.parse("bow").model == "ipu21"
    assert devices.parse("ipu2:tiles=16,bytes_per_tile=4096") == Device("ipu2", 1, 16, 4096)
    assert devices.parse(Device(tiles=3)) == Device(tiles=3)
    assert devices.parse("bow:dense=always,tiles=3") == Device("ipu21", tiles=3, dense=True)
    assert devices.parse("bow:dense=never").dense is False
    assert not devices.parse("bow:remote_partials=never").remote_partials
    assert devices.parse("host:tiles=8,remote_partials=auto").remote_partials
    # Its cores have common caches: copies of weights on other tiles cost processor time there.
    remote = {name: preset.remote_partials for name, preset in devices.PRESETS.items()}
    assert remote == {"host": False, "ipu2": True, "bow": True, "hardware": True}
    assert devices.parse("bow:rows_ahead=always").rows_ahead is True
    assert devices.parse("host:rows_ahead=auto").rows_ahead == "auto"
    # Nor do its loops add rows of later time steps as fast as they sum a list.
    ahead = {name: preset.rows_ahead for name, preset in devices.PRESETS.items()}
    assert ahead == {"host": False, "ipu2": "auto", "bow": "auto", "hardware": "auto"}


def test_words() -> None:
    assert str(Device()) == "ipu2"
    assert str(devices.parse("bow:tiles=4,ipus=2")) == "ipu21, 2 IPUs, 4 tiles"
    assert str(Device(bytes_per_tile=9)) == "ipu2, 9 bytes a tile"
    assert (
        str(Device(tiles=4, checkpoint_interval=5))
        == "ipu2, 4 tiles, 5 steps a checkpoint interval"
    )
    assert str(Device(sizes=3)) == "ipu2, 3 sizes of lists"
    assert str(Device(dense=False)) == "ipu2, dense weight gradients never"
    assert str(Device(dense=("auto", True))) == "ipu2, dense weight gradients auto always"
    assert str(Device(remote_partials=False)) == "ipu2, no remote partial sums"
    assert str(Device(rows_ahead=False)) == "ipu2, no rows ahead"
    assert str(Device(rows_ahead=True)) == "ipu2, rows ahead"


def test_bad_rows_ahead() -> None:
    sentence = "device: rows_ahead: expected True, False or \"auto\", got 'some'"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Device(rows_ahead="some")


def test_network_refuses_a_bad_device() -> None:
    with pytest.raises(
        ValueError, match="device: expected one of host, ipu2, bow, hardware, got 'gpu'"
    ):
        SNN(LI(2, 2), device="gpu")


@pytest.mark.parametrize(
    ("device", "sentence"),
    [
        ("gpu", "device: expected one of host, ipu2, bow, hardware, got 'gpu'"),
        (
            "host:tiles=0",
            "KEY one of ipus, tiles, bytes_per_tile, replicas, checkpoint_interval, sizes, "
            r"or dense=auto\|always\|never or remote_partials=auto\|never or "
            r"rows_ahead=auto\|always\|never, got 'tiles=0'",
        ),
        ("host:model=x", "got 'model=x'"),
        ("host:dense=2", "got 'dense=2'"),
        ("host:remote_partials=always", "got 'remote_partials=always'"),
        ("host:remote_partials=1", "got 'remote_partials=1'"),
        ("host:rows_ahead=1", "got 'rows_ahead=1'"),
    ],
)
def test_bad_names(device: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        devices.parse(device)


def test_bad_type() -> None:
    with pytest.raises(TypeError, match="device: expected a name or a Device, got int"):
        devices.parse(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "error", "sentence"),
    [
        ({"tiles": 4.0}, TypeError, "device: tiles: expected an integer, got float"),
        ({"ipus": "2"}, TypeError, "device: ipus: expected an integer, got str"),
        ({"ipus": 0}, ValueError, "device: ipus: expected 1..256, got 0"),
    ],
)
def test_bad_counts(count: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=f"^{sentence}$"):
        Device(**count)


@pytest.mark.parametrize("dense", ["always", 1, (), (True, "never")])
def test_bad_choices_of_dense_gradients(dense: Any) -> None:
    sentence = re.escape(
        'device: dense: expected True, False, "auto" or a tuple of them, got ' + repr(dense)
    )
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Device(dense=dense)
