"""Functions of a model: loops, branches, printing, blocks and hints."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import pytest
import torch
from torch import Tensor, nn


def test_for_loop(poptorch: Any) -> None:
    def body(x: Tensor, y: Tensor) -> Any:
        x += y  # seen by nobody else
        return x, y * 2

    def forward(x: Tensor) -> Any:
        return (*poptorch.for_loop(3, body, [x, x]), x)

    out = poptorch.inferenceModel(forward)(torch.ones(2))
    assert [value.tolist() for value in out] == [[8.0, 8.0], [8.0, 8.0], [1.0, 1.0]]


def test_for_loop_refuses(poptorch: Any) -> None:
    x = torch.ones(2)
    with pytest.raises(ValueError, match="Object is not list"):
        poptorch.for_loop(1, lambda x: x, x)
    with pytest.raises(ValueError, match=r"at index 1 is not torch\.tensor"):
        poptorch.for_loop(1, lambda x: x, [x, 3])
    with pytest.raises(poptorch.Error, match=re.escape("got torch.float32 [1]")):
        poptorch.for_loop(1, lambda x: x[:1], [x])

    def forward(x: Tensor) -> Any:
        return poptorch.identity_loss(poptorch.for_loop(2, lambda x: x, [x])[0], "sum")

    class Looped(nn.Linear):
        def forward(self, x: Tensor) -> Any:
            return forward(super().forward(x))

    with pytest.raises(poptorch.Error, match=r"for_loop\(\) is only supported in inference"):
        poptorch.trainingModel(Looped(2, 2))(x)


def test_cond(poptorch: Any) -> None:
    def forward(x: Tensor) -> Any:
        return poptorch.cond(x.sum() > 0, lambda x: x + 1, [x], lambda x: x - 1, [x])[0]

    model = poptorch.inferenceModel(forward)
    assert model(torch.ones(1)) == 2
    assert model(-torch.ones(1)) == -2


def test_print(poptorch: Any, capfd: pytest.CaptureFixture[str]) -> None:
    class Printed(nn.Linear):
        def forward(self, x: Tensor) -> Any:
            return poptorch.identity_loss(poptorch.ipu_print_tensor(super().forward(x), "y"), "sum")

    net = Printed(1, 1, bias=False)
    nn.init.ones_(net.weight)
    poptorch.trainingModel(net)(torch.full((1, 1), 2.0))
    lines = capfd.readouterr().err.splitlines()
    assert lines == ["y: (", " (2.000)", ")", "y_gradient: (", " (1.000)", ")"]
    with pytest.raises(poptorch.Error, match=r"must take a torch\.tensor argument"):
        poptorch.ipu_print_tensor(3)


def test_blocks_change_nothing(poptorch: Any) -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 2))
    x = torch.randn(4, 2)
    expected = net(x)
    poptorch.BeginBlock(net[1], "second", ipu_id=1)
    with pytest.raises(poptorch.Error, match="already been assigned to a block"):
        poptorch.BeginBlock(net[1])
    stages = poptorch.PipelinedExecution(poptorch.Stage("first").ipu(0), "second")
    assert stages.stage("second").blocks == ("second",)
    with pytest.raises(AssertionError, match="more than one stage"):
        poptorch.ShardedExecution("a", ["b", "a"])
    first = poptorch.Phase(poptorch.Stage("a"), poptorch.Stage("b"))
    phases = poptorch.SerialPhasedExecution(first, ["c"], [poptorch.Stage("d")])
    assert phases.phase(0).ipus(0, 1).stage(1).blocks == ("b",)
    assert poptorch.Phase("e", "f").stage(0).blocks == ("e", "f")
    with pytest.raises(AssertionError, match="contains 1 stages but you provided 2 ipus"):
        phases.phase(1).ipus(0, 1)
    assert [phases.phase(i).stage(0).blocks for i in (1, 2)] == [("c",), ("d",)]
    options = poptorch.Options().deviceIterations(2).setExecutionStrategy(stages)

    @poptorch.BlockFunction("first", ipu_id=0)
    def forward(x: Tensor) -> Tensor:
        with poptorch.NameScope("named"):
            return net(x)  # type: ignore[no-any-return]

    torch.testing.assert_close(poptorch.inferenceModel(forward, options)(x), expected)
    poptorch.removeBlocks(net)
    assert not net[1]._forward_pre_hooks
    with pytest.raises(AssertionError, match="NameScope must be a string"):
        poptorch.NameScope(1)


def test_hints_are_identities(poptorch: Any) -> None:
    def forward(x: Tensor) -> Any:
        x = poptorch.set_overlap_for_input(x, poptorch.OverlapMode.NoOverlap)
        x = poptorch.set_available_memory(poptorch.nop(x), 0.2)
        x = poptorch.recomputationCheckpoint(x)
        mode = poptorch.MatMulSerializationMode.Disabled
        product = poptorch.serializedMatMul(x, x.t(), mode)
        return poptorch.set_overlap_for_output(product, poptorch.OverlapMode.NoOverlap)

    x = torch.randn(3, 2)
    torch.testing.assert_close(poptorch.inferenceModel(forward)(x), x @ x.t())


def test_dynamic_slices(poptorch: Any) -> None:
    def forward(x: Tensor, start: Tensor) -> Any:
        part = poptorch.dynamic_slice(x, 0, start, 2, 1)
        return part, poptorch.dynamic_update(x, part * 10, 0, start, 2)

    x = torch.arange(4.0)
    part, whole = poptorch.inferenceModel(forward)(x, torch.tensor([1]))
    assert part.tolist() == [1.0, 2.0]
    assert whole.tolist() == [0.0, 10.0, 20.0, 3.0]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_dynamic_slices_compile_with_any_start(poptorch: Any, step: int) -> None:
    """As dynamic_slice_harness() and dynamic_update_harness() of PopTorch's tests/slice_test.py:
    they compile with a start beyond the end, and with integers of any shape of one element."""
    x, src = torch.arange(8.0), torch.full((4,), -1.0)

    def cut(t: Tensor, start: Tensor) -> Tensor:
        return poptorch.dynamic_slice(t, 0, start - 4, 4, step)

    def put(t: Tensor, s: Tensor, start: Tensor) -> Tensor:
        return poptorch.dynamic_update(t, s, 0, start - 4, 4)

    for start in (torch.tensor([5]), torch.tensor(5, dtype=torch.int32)):
        sliced, updated = poptorch.inferenceModel(cut), poptorch.inferenceModel(put)
        sliced.compile(torch.randn(8), start + 20)
        updated.compile(torch.randn(8), torch.randn(4), start + 20)
        assert sliced(x, start).tolist() == cut(x, start).tolist() == x[1:5:step].tolist()
        expected = [0.0, -1.0, -1.0, -1.0, -1.0, 5.0, 6.0, 7.0]
        assert updated(x, src, start).tolist() == put(x, src, start).tolist() == expected


def test_dynamic_slices_of_the_device_wrap_around(poptorch: Any) -> None:
    """As popops::dynamicSlice of poplibs, include/popops/DynamicSlice.hpp. A CPU stops at the end,
    as dynamicSlice() of PopTorch, source/dispatch_tracer/RegisterAtenOverloads.cpp."""

    def cut(t: Tensor, start: Tensor) -> Tensor:
        return poptorch.dynamic_slice(t, -1, start, 2, 1)

    x = torch.arange(8.0).reshape(2, 4)
    model = poptorch.inferenceModel(cut)
    for start, expected in ((3, [3, 0]), (4, [0, 1]), (-1, [0, 1])):
        assert model(x, torch.tensor([start]))[0].tolist() == expected
    assert cut(x, torch.tensor([3])).tolist() == [[3.0], [7.0]]


@pytest.mark.parametrize(
    ("size", "step", "text"),
    [
        (0, 1, "The start and end of a slice must be different."),
        (-2, 1, "Taking a slice of a tensor with the end less than the start is not supported."),
        (3, 1, r"The size of the slice \(3\) must be a factor of the slicing dimension \(4\)."),
        (2, 0, "Slicing step must be at least 1"),
        (2.0, 1, "Size must be an integer."),
    ],
)
def test_dynamic_slices_that_no_device_has(poptorch: Any, size: int, step: int, text: str) -> None:
    model = poptorch.inferenceModel(lambda t, s: poptorch.dynamic_slice(t, 0, s, size, step))
    with pytest.raises(poptorch.Error, match=text):
        model(torch.arange(4.0), torch.tensor([1]))


def test_arguments_of_dynamic_updates(poptorch: Any) -> None:
    x, one = torch.arange(4.0), torch.tensor([1])
    with pytest.raises(poptorch.Error, match=r"same dimensionality. \(1\) vs \(2\)"):
        poptorch.dynamic_update(x, x.reshape(2, 2), 0, one, 2)
    with pytest.raises(poptorch.Error, match="Expected integer typed start tensor"):
        poptorch.dynamic_update(x, x[:2], 0, one.float(), 2)
    with pytest.raises(poptorch.Error, match="Src argument to dynamic_update must be a torch"):
        poptorch.dynamic_update(x, 1, 0, one, 2)


def test_functions_on_the_host(poptorch: Any) -> None:
    host = poptorch.CPU(lambda x: torch.tensor(x.numpy() + 1), "add")
    assert poptorch.inferenceModel(lambda x: host(x) * 2)(torch.ones(1)) == 4


def test_hardware(poptorch: Any) -> None:
    assert not poptorch.ipuHardwareIsAvailable()
    with pytest.raises(AssertionError, match="No IPU hardware available"):
        poptorch.ipuHardwareVersion()


def _sums_over_alignments(logs: Tensor, blank: int) -> dict[tuple[int, ...], float]:
    """Return the probability of each labelling, by all alignments of steps to classes."""
    sums: dict[tuple[int, ...], float] = {}
    for path in itertools.product(range(logs.shape[1]), repeat=logs.shape[0]):
        merged = [label for label, _ in itertools.groupby(path)]
        labels = tuple(label for label in merged if label != blank)
        chance = sum(float(logs[step, label]) for step, label in enumerate(path))
        sums[labels] = sums.get(labels, 0.0) + math.exp(chance)
    return sums


@pytest.mark.parametrize("blank", [0, 2])
def test_ctc_beam_search_decoder(poptorch: Any, blank: int) -> None:
    torch.manual_seed(blank)
    logs = torch.randn(4, 2, 3, dtype=torch.float64).log_softmax(2)  # [T, B, classes]
    lengths = torch.tensor([4, 3], dtype=torch.int32)

    def forward(probs: Tensor, lengths: Tensor) -> Any:
        return poptorch.ctc_beam_search_decoder(probs, lengths, blank, 100, 3)

    scores, sizes, labels = poptorch.inferenceModel(forward)(logs.float(), lengths)
    assert labels.shape == (2, 3, 4)
    assert labels.dtype == sizes.dtype == torch.int32
    for sample, steps in enumerate(lengths.tolist()):
        chances = _sums_over_alignments(logs[:steps, sample], blank)
        likeliest = sorted(chances, key=lambda key: chances[key], reverse=True)[:3]
        got = [
            tuple(row[:size]) for row, size in zip(labels[sample].tolist(), sizes[sample].tolist())
        ]
        assert got == likeliest
        expected = torch.tensor([chances[key] for key in likeliest]).log()
        torch.testing.assert_close(scores[sample], expected.float())
    with pytest.raises(poptorch.Error, match="lengths must be a torch"):
        poptorch.ctc_beam_search_decoder(logs, [4, 3])


def test_printed_tensors_have_a_layout(poptorch: Any, capfd: Any) -> None:
    x = torch.tensor([[1.5, 2.25], [0.5, 10.0]])

    def printed(*layout: Any) -> str:
        poptorch.inferenceModel(lambda x: poptorch.ipu_print_tensor(x, "x", True, *layout))(x)
        return str(capfd.readouterr().err)

    assert printed() == "x: (\n ( 1.50, 2.25)\n ( 0.50,10.00)\n)\n"
    curly = printed(1000, 3, 75, 8, "auto", " ", "{", "}")
    assert curly == "x: {\n { 1.500000  2.250000}\n { 0.500000 10.000000}\n}\n"
    narrow = printed(500, 2, 12, 4, "scientific", ",", "[", "]")
    rows = ["[1.500e+00,", "  2.250e+00]", "[5.000e-01,", "  1.000e+01]"]
    assert narrow == "x: [\n " + "\n ".join(rows) + "\n]\n"
    with pytest.raises(poptorch.Error, match="expected one of"):
        printed(1000, 3, 75, 8, "hex")
