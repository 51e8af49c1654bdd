"""poplin: convolutions and their gradients, against torch in double precision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np
import pytest
import torch
from tests.emulator.library_tool import Results, run_program

Params = Dict[str, Any]
Transform = Dict[str, Sequence[int]]


def convolution(field: Sequence[int], kernel: Sequence[int], **more: Any) -> Params:
    """Describe a convolution of one channel, as ConvParams are read from JSON."""
    return {
        "dataType": "float",
        "batchSize": 1,
        "numConvGroups": 1,
        "inputChannelsPerConvGroup": 1,
        "outputChannelsPerConvGroup": 1,
        "inputFieldShape": list(field),
        "kernelShape": list(kernel),
        **more,
    }


def channels(batch: int, groups: int, into: int, out: int) -> Params:
    return {
        "batchSize": batch,
        "numConvGroups": groups,
        "inputChannelsPerConvGroup": into,
        "outputChannelsPerConvGroup": out,
    }


FIXED: List[Tuple[int, Params]] = [
    (1, convolution([5], [3])),
    (4, convolution([8, 8], [3, 3], **channels(2, 1, 3, 4))),
    (64, convolution([8, 8], [3, 3], **channels(2, 1, 3, 4))),
    (16, convolution([8, 7], [3, 2], **channels(2, 3, 2, 4), dataType="half")),
    (16, convolution([6, 6], [3, 3], **channels(2, 1, 8, 4), inputType="half")),
    (8, convolution([9, 8], [3, 3], outputTransform={"stride": [2, 3]})),
    (8, convolution([4, 5, 3], [2, 1, 2], **channels(1, 2, 2, 2))),
    (8, convolution([3, 2, 3, 2], [2, 1, 2, 2], **channels(2, 1, 1, 2))),
    (8, convolution([7, 7], [3, 3], inputTransform={"paddingLower": [1, 2], "flip": [1, 0]})),
    (8, convolution([4, 4], [3, 2], inputTransform={"dilation": [2, 3], "paddingUpper": [1, 1]})),
    (8, convolution([9, 9], [2, 3], kernelTransform={"dilation": [3, 2], "flip": [1, 1]})),
    (8, convolution([6], [4], kernelTransform={"truncationLower": [1], "paddingUpper": [2]})),
    (
        8,
        convolution(
            [9, 9],
            [3, 3],
            outputTransform={
                "truncationLower": [1, 0],
                "truncationUpper": [0, 2],
                "stride": [2, 1],
                "paddingLower": [0, 1],
                "paddingUpper": [3, 0],
            },
        ),
    ),
    # Wide: tiles divide the columns.
    (32, convolution([1, 50], [1, 7], outputTransform={"stride": [1, 2]})),
    # Nothing of the input is used.
    (
        4,
        convolution(
            [3], [1], inputTransform={"truncationLower": [3], "paddingLower": [2]}, batchSize=2
        ),
    ),
    # No field: a fully connected layer of groups.
    (6, convolution([1], [1], **channels(3, 2, 5, 4))),
    (6, convolution([], [], **channels(3, 2, 5, 4))),
]


def transform(rng: np.random.Generator, size: int) -> Dict[str, int]:
    lower = int(rng.integers(0, 2)) if size > 2 else 0
    return {
        "truncationLower": lower,
        "truncationUpper": int(rng.integers(0, 2)) if size - lower > 2 else 0,
        "dilation": int(rng.integers(1, 4)),
        "paddingLower": int(rng.integers(0, 3)),
        "paddingUpper": int(rng.integers(0, 3)),
        "flip": int(rng.integers(0, 2)),
    }


def transformed_size(size: int, t: Dict[str, int]) -> int:
    left = size - t["truncationLower"] - t["truncationUpper"]
    return t["paddingLower"] + 1 + (left - 1) * t["dilation"] + t["paddingUpper"]


def random_convolution(seed: int) -> Tuple[int, Params]:
    """A convolution with all transforms at once."""
    rng = np.random.default_rng(seed)
    inputs, kernels, outputs, field, kernel = [], [], [], [], []
    while len(field) < 1 + seed % 3:
        size, of_kernel = int(rng.integers(1, 7)), int(rng.integers(1, 5))
        a, b = transform(rng, size), transform(rng, of_kernel)
        out = transformed_size(size, a) - transformed_size(of_kernel, b) + 1
        if out < 1:
            continue
        lower = int(rng.integers(0, min(out, 3)))
        outputs.append(
            {
                "truncationLower": lower,
                "truncationUpper": int(rng.integers(0, min(out - lower, 3))),
                "stride": int(rng.integers(1, 4)),
                "paddingLower": int(rng.integers(0, 2)),
                "paddingUpper": int(rng.integers(0, 2)),
            }
        )
        inputs.append(a)
        kernels.append(b)
        field.append(size)
        kernel.append(of_kernel)
    numbers = channels(*(int(n) for n in rng.integers(1, 4, 4)))
    return int(rng.choice([1, 5, 32])), convolution(
        field,
        kernel,
        **numbers,
        inputTransform={key: [t[key] for t in inputs] for key in inputs[0]},
        kernelTransform={key: [t[key] for t in kernels] for key in kernels[0]},
        outputTransform={key: [t[key] for t in outputs] for key in outputs[0]},
    )


CONVOLUTIONS = FIXED + [random_convolution(seed) for seed in range(40)]


TEXT = "".join(f"{tiles} {json.dumps(params)}\n" for tiles, params in CONVOLUTIONS)


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("poplin/convolution", program_folder, TEXT)


def cut(x: torch.Tensor, dim: int, t: Transform, i: int) -> torch.Tensor:
    lower = t.get("truncationLower", {i: 0})[i]
    return x.narrow(dim, lower, x.shape[dim] - lower - t.get("truncationUpper", {i: 0})[i])


def pad(x: torch.Tensor, dim: int, t: Transform, i: int) -> torch.Tensor:
    def zeros(name: str) -> torch.Tensor:
        shape = list(x.shape)
        shape[dim] = t.get(name, {i: 0})[i]
        return torch.zeros(shape, dtype=x.dtype)

    return torch.cat([zeros("paddingLower"), x, zeros("paddingUpper")], dim)


def apply(x: torch.Tensor, first: int, t: Transform) -> torch.Tensor:
    for i, dim in enumerate(range(first, x.dim())):
        x = cut(x, dim, t, i)
        step = t.get("dilation", {i: 1})[i]
        shape = list(x.shape)
        shape[dim] = (shape[dim] - 1) * step + 1 if shape[dim] else 0
        at = torch.arange(x.shape[dim]) * step
        x = torch.zeros(shape, dtype=x.dtype).index_add(dim, at, x)
        x = pad(x, dim, t, i)
        if t.get("flip", {i: 0})[i]:
            x = x.flip(dim)
    return x


def forward(x: torch.Tensor, w: torch.Tensor, params: Params) -> torch.Tensor:
    """Correlate the transformed input and kernel, one element of the kernel after the other."""
    groups = params["numConvGroups"]
    x = apply(x.unflatten(1, (groups, -1)), 3, params.get("inputTransform", {}))
    w = apply(w, 3, params.get("kernelTransform", {}))
    dims = w.dim() - 3
    size = [x.shape[3 + d] - w.shape[3 + d] + 1 for d in range(dims)]
    out = torch.zeros([x.shape[0], groups, w.shape[1], *size], dtype=x.dtype)
    for at in np.ndindex(*w.shape[3:]):
        window = x
        for d in range(dims):
            window = window.narrow(3 + d, at[d], size[d])
        out = out + torch.einsum("ngi...,goi->ngo...", window, w[(slice(None),) * 3 + at])
    out = out.flatten(1, 2)
    t = params.get("outputTransform", {})
    for i, dim in enumerate(range(2, out.dim())):
        out = cut(out, dim, t, i)
        step = t.get("stride", {i: 1})[i]
        out = out.index_select(dim, torch.arange(0, out.shape[dim], step))
        out = pad(out, dim, t, i)
    return out


@pytest.mark.parametrize("number", range(len(CONVOLUTIONS)))
def test_convolution_and_its_gradients(results: Results, number: int) -> None:
    params = CONVOLUTIONS[number][1]
    got = results[str(number)]
    half = "half" in (params.get("dataType"), params.get("inputType"))
    tolerance = 4e-3 if half else 2e-5

    def close(name: str, expected: torch.Tensor) -> None:
        assert got[name].shape == tuple(expected.shape)
        np.testing.assert_allclose(
            got[name], expected.detach().numpy(), rtol=tolerance, atol=tolerance * 4
        )

    x = torch.tensor(got["in"].astype(np.float64), requires_grad=True)
    w = torch.tensor(got["weights"].astype(np.float64), requires_grad=True)
    z = torch.tensor(got["z"].astype(np.float64))
    out = forward(x, w, params)
    assert z.shape == out.shape
    by_x, by_w = torch.autograd.grad((out * z).sum(), [x, w])
    close("out", out + torch.tensor(got["biases"]).reshape([-1] + [1] * (out.dim() - 2)))
    close("whole", out)
    close("in_gradient", by_x)
    close("weights_gradient", by_w)
    close("updated", w - 0.25 * by_w)
    over = [d for d in range(z.dim()) if d != 1]
    close("biases_updated", torch.tensor(got["biases"]) + 2 * z.sum(over))


def test_types(results: Results) -> None:
    """The output has its type; a weight's gradient has the output's, too."""
    half, mixed = results["3"], results["4"]
    assert half["out"].dtype == half["weights_gradient"].dtype == np.float16
    assert mixed["in"].dtype == np.float16
    assert mixed["out"].dtype == mixed["in_gradient"].dtype == np.float32


def test_vertices_keep_to_the_rules(
    results: Results, program_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POPSNN_STRICT", "1")
    strict = run_program("poplin/convolution", program_folder, TEXT)
    for name, case in results.cases.items():
        for key, values in case.items():
            np.testing.assert_array_equal(strict[name][key], values)
