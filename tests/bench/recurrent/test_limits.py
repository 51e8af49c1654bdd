from __future__ import annotations

import pytest
import torch
from bench.recurrent.limits import HOP, Ceilings, Unions, seconds, sentence, unions

MOST = Ceilings(bandwidth=4e12, products=8e14)


def test_unions_are_over_the_samples_of_steps_that_another_step_reads() -> None:
    v = torch.zeros(3, 2, 4)  # [T, B, N]
    v[0, 0, 0] = v[0, 1, 1] = v[1, 0, 2] = v[1, 1, 2] = v[2, 0, 3] = 1.5
    v[1, 1, 0] = 0.95  # has a gradient, and does not fire
    counted = unions((v >= 1).float(), v)
    assert counted == Unions(forward=[2, 1], backward=[2, 2])


def test_parts_of_the_limit() -> None:
    neurons, counted = 1000, Unions([10] * 4, [20] * 4)
    matrix = 2e6  # bytes
    parts = seconds(neurons, 1, counted, MOST)
    assert parts == pytest.approx(
        {
            "transposed copy": 2 * matrix / 4e12,
            "forward rows": 40 * 2000 / 4e12,
            "forward hops": 4 * HOP,
            "backward rows": 80 * 2000 / 4e12,
            "backward hops": 4 * HOP,
            "weights' gradient": matrix / 4e12,  # 8e6 operations take less
        }
    )
    alone = seconds(neurons, 1, counted, MOST, backward=False)
    assert alone == {name: parts[name] for name in list(parts)[:3]}


def test_the_product_bounds_the_weights_gradient_of_many_samples() -> None:
    parts = seconds(1000, 1000, Unions([10] * 4, [20] * 4), MOST)
    assert parts["weights' gradient"] == pytest.approx(2 * 4 * 1000 * 1000**2 / 8e14)


def test_the_sentence_has_the_unions_and_the_sum() -> None:
    counted = Unions([10] * 4, [20] * 4)
    text = sentence(1000, counted, MOST, {"forward rows": 1e-3, "forward hops": 5e-4})
    assert text == (
        "unions of the samples forward 1.0 %, backward 2.0 %; 4.00 TB/s, 800 TFLOP/s, 3 us a hop: "
        "forward rows 1.000 + forward hops 0.500 = 1.500 ms"
    )
