from __future__ import annotations

import pytest

from popsnn.profiling.presets import PRESETS


@pytest.mark.parametrize(
    ("name", "sizes", "weights"),
    [
        ("nmnist-h2", (2312, 1466, 1466, 10), 5.55e6),
        ("nmnist-h3", (2312, 978, 978, 976, 10), 4.18e6),
        ("nmnist-h4", (2312, 734, 734, 732, 732, 10), 3.32e6),
        ("nmnist-h5", (2312, 588, 586, 586, 586, 586, 10), 2.74e6),
        ("shd-h2", (700, 1462, 1460, 20), 3.19e6),
        ("shd-h3", (700, 974, 974, 974, 20), 2.60e6),
        ("shd-h4", (700, 732, 730, 730, 730, 20), 2.13e6),
        ("shd-h5", (700, 586, 584, 584, 584, 584, 20), 1.79e6),
        ("dvsgesture-h2", (4608, 1466, 1464, 11), 8.92e6),
    ],
)
def test_sizes_are_the_published(name: str, sizes: tuple[int, ...], weights: float) -> None:
    assert PRESETS[name].sizes == sizes
    assert sum(a * b for a, b in zip(sizes, sizes[1:])) == pytest.approx(weights, abs=0.006e6)


def test_capacities_are_the_published() -> None:
    # S of the log at caps of 1, 5 and 10 %: 14, 72, 146; the output layer has 2 at least
    capacities = [PRESETS["nmnist-h2"].capacities(cap) for cap in (0.01, 0.05, 0.1)]
    assert capacities == [(14, 14, 2), (72, 72, 2), (146, 146, 2)]
    assert PRESETS["nmnist-h5"].capacities(0.05) == (28, 28, 28, 28, 28, 2)


def test_the_log_has_twelve_configurations() -> None:
    logged = [
        (name, cap)
        for name, preset in PRESETS.items()
        for cap in (0.01, 0.05, 0.1, 0.2)
        if preset.published_ms(cap) is not None
    ]
    assert len(logged) == 12
    assert PRESETS["nmnist-h2"].published_ms(0.05) == 8.54
    assert PRESETS["shd-h2"].published_ms(0.05) is None
