"""poplin: parameters, options and plans; what programs are told of misuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.emulator.library_tool import Results, run_program


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    """Run the program, which checks parameters and plans itself."""
    return run_program("poplin/plans", program_folder)


def test_multi_convolutions(results: Results) -> None:
    got = results["together"]
    for i in "01":
        np.testing.assert_array_equal(got[f"out {i}"], got[f"single {i}"])
        expected = got[f"before {i}"] + 2 * got[f"gradient {i}"]
        np.testing.assert_allclose(got[f"updated {i}"], expected, rtol=1e-5)


def test_parameters_are_validated(results: Results) -> None:
    errors = results.errors
    assert errors["stride"] == "Stride must be non zero"
    assert errors["dilation"] == (
        "Kernel dilation must be non zero. Dilation = 1 results in no dilation"
    )
    assert errors["dimensions"] == (
        "Number of input flip dimensions (3) does not match the number of field dimensions (2)"
    )
    assert errors["kernel"] == (
        "Number of kernel field dimensions (1) does not match the number of input field "
        "dimensions (2)"
    )
    assert errors["truncation"] == (
        "Truncation for dimension 0 (9) truncates by more than the size of the field (8)"
    )
    assert errors["size"] == (
        "Transformed input size for dimension 0 (2) is less than the transformed kernel size (3)"
    )
    assert errors["output"] == (
        "Output truncation for dimension 1 (7) truncates by more than the size of the "
        "convolution output (6)"
    )
    assert errors["json"] == "ConvParams: expected JSON with a colon after a name"


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    errors = results.errors
    no_match = "does not match convolution parameters, got"
    assert errors["rank"] == "Input tensor does not have the expected rank, got {8,8,8}"
    assert errors["height"] == f"Height of input tensor {no_match} {{2,8,7,8}}"
    assert errors["batch"] == f"Batchsize of input tensor {no_match} {{1,8,8,8}}"
    assert errors["channels"] == f"Number of channels of input tensor {no_match} {{2,6,8,8}}"
    assert errors["kernel width"] == f"Width of kernel {no_match} {{2,5,4,3,2}}"
    assert errors["weights"] == f"Kernel output channel size {no_match} {{2,4,5,3,3}}"
    assert errors["type"] == f"Type half of input tensor {no_match} {{2,8,8,8}}"
    assert errors["quarter"] == "Convolution: the type quarter is not emulated"
    assert errors["whole"] == (
        "Unsupported Convolution input element type (must be float, half or quarter), got int"
    )
    assert errors["deltas"] == (
        "calculateWeightDeltas: zDeltas: expected the shape of the output, got {2,8,8,8}"
    )
    assert errors["bias"] == "addBias: expected biases of {8}, got {3}"
    assert errors["transpose"] == (
        "The sizes of the input and output channels of the two weight tensors must be opposite "
        "each other, got {2,5,4,3,3} and {2,5,4,3,3}"
    )
    assert errors["connected"] == (
        "fullyConnectedWeightTranspose() expects a 1-d convolution, got 2 dimensions"
    )
    assert errors["scale"] == (
        "matMulAcc: k: expected one element of the type of A, got {2} of float"
    )
    assert errors["grouped"] == "transposeGroupedMatrix: expected [G,M,N], got {3,3}"
    assert "Unrecognised option 'partials'" in str(errors["option"])
    assert "Invalid value 'SIDEWAYS' for option 'pass'" in str(errors["pass"])
    assert "Unrecognised option 'pass'" in str(errors["product"])
    assert errors["multi options"] == (
        "Parallel multi-plans require to have same value for "
        "<insertTransformsCycleCountProgs> option"
    )
    assert errors["multi index"] == "multiconv::createInput: expected an index below 2, got 2"
