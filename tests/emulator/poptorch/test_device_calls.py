"""Calls into torch that a device computes differently, or refuses as it compiles."""

from __future__ import annotations

from typing import Any, Callable

import pytest
import torch
from torch import Tensor, nn


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_groups_of_a_group_norm_may_be_channels_apart(poptorch: Any, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    net = nn.GroupNorm(2, 6).requires_grad_(False)
    net.weight.normal_(), net.bias.normal_()
    x = torch.randn(3, 6, 4)  # [B, C, N]
    options = poptorch.Options()
    options._Popart.set("groupNormStridedChannelGrouping", True)
    groups = x.double().reshape(3, 3, 2, 4)  # channel c is of group c % 2
    mean = groups.mean((1, 3), keepdim=True)
    deviation = (groups.var((1, 3), unbiased=False, keepdim=True) + net.eps).sqrt()
    expected = ((groups - mean) / deviation).reshape(3, 6, 4)
    expected = expected * net.weight.double()[:, None] + net.bias.double()[:, None]
    got = poptorch.inferenceModel(net, options)(x.to(dtype))
    assert got.dtype == dtype
    error = 1e-5 if dtype == torch.float32 else 1e-2
    torch.testing.assert_close(got.double(), expected, rtol=error, atol=error)
    plain = poptorch.inferenceModel(nn.GroupNorm(2, 6))(x)
    torch.testing.assert_close(plain, nn.GroupNorm(2, 6)(x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_running_statistics_move_in_training_alone(poptorch: Any, dtype: torch.dtype) -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.BatchNorm1d(3).to(dtype)

        def forward(self, x: Tensor) -> Any:
            y = self.norm(x)
            return y, poptorch.identity_loss(y.sum(), reduction="sum")

    net, x = Net(), torch.arange(12.0).reshape(4, 3).to(dtype)
    expected = nn.BatchNorm1d(3)(x.float())  # by the statistics of the batch
    inference = poptorch.inferenceModel(net)
    torch.testing.assert_close(inference(x)[0].float(), expected, rtol=2e-3, atol=2e-3)
    inference.copyWeightsToHost()
    assert net.norm.running_mean.tolist() == [0.0, 0.0, 0.0]
    training = poptorch.trainingModel(net)
    torch.testing.assert_close(training(x)[0].float(), expected, rtol=2e-3, atol=2e-3)
    moved = torch.tensor([0.45, 0.55, 0.65])
    torch.testing.assert_close(net.norm.running_mean.float(), moved, rtol=1e-3, atol=1e-3)


def test_running_statistics_of_instance_norms(poptorch: Any) -> None:
    net = nn.InstanceNorm1d(2, track_running_stats=True)
    net.running_mean += 1
    x = torch.randn(2, 2, 5)
    by_input = nn.InstanceNorm1d(2)(x)
    model = poptorch.inferenceModel(net)
    torch.testing.assert_close(model(x), by_input)  # a module in training mode
    model.copyWeightsToHost()
    assert net.running_mean.tolist() == [1.0, 1.0]
    net.eval()
    torch.testing.assert_close(
        poptorch.inferenceModel(net)(x.half()).float(), net(x), atol=1e-2, rtol=1e-2
    )


def test_norms_take_parameters_of_another_type(poptorch: Any) -> None:
    x = torch.randn(3, 4, 2)
    for net in (nn.GroupNorm(2, 4), nn.LayerNorm(2), nn.BatchNorm1d(4), nn.InstanceNorm1d(4)):
        got = poptorch.inferenceModel(net)(x.half())
        assert got.dtype == torch.float16
        torch.testing.assert_close(got.float(), net(x), rtol=1e-2, atol=1e-2)


def test_numbers_of_no_class_are_left_out(poptorch: Any) -> None:
    def forward(x: Tensor) -> Any:
        return nn.functional.one_hot(x, num_classes=3), torch.bincount(x, minlength=3)

    hot, counts = poptorch.inferenceModel(forward)(torch.tensor([0, 2, 2, 4]))
    assert hot.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert counts.tolist() == [1, 0, 2]


def test_shapes_that_depend_on_values_are_refused(poptorch: Any) -> None:
    from torch._subclasses.fake_tensor import DynamicOutputShapeException

    upsampled = nn.Upsample(scale_factor=2, mode="linear")
    x = torch.ones(1, 2, 3)
    calls: list[tuple[Callable[..., Any], Tensor, Any, str]] = [
        (nn.functional.one_hot, torch.tensor([1]), poptorch.Error, "OneHot num classes must be"),
        (torch.bincount, torch.tensor([1]), poptorch.Error, "Bincount `minlength` must be"),
        (upsampled, x, poptorch.Error, "aten::upsample_linear1d: currently only 'nearest'"),
        (torch.nonzero, x, poptorch.Error, "aten::nonzero are unsupported"),
        (lambda v: torch.masked_select(v, v > 0), x, DynamicOutputShapeException, "masked_select"),
    ]
    if tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 1):  # 2.0 hides indexing from modes
        calls.append((lambda v: v[v > 0], x, DynamicOutputShapeException, "index"))
    for call, value, kind, message in calls:
        with pytest.raises(kind, match=message):
            poptorch.inferenceModel(call)(value)
    mask = torch.tensor([[[True, False, True]] * 2])
    assert poptorch.inferenceModel(lambda v: v[mask])(x).shape == (4,)  # a mask of the host's


def test_the_host_s_random_numbers_stay(poptorch: Any) -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    poptorch.inferenceModel(torch.rand_like)(torch.ones(2))
    assert torch.rand(2).tolist() == expected.tolist()


def test_marks_of_overlapped_copies_are_checked(poptorch: Any) -> None:
    mode = poptorch.OverlapMode.OverlapAccumulationLoop

    def at_input(x: Tensor) -> Any:
        return poptorch.set_overlap_for_input(x, mode)

    def at_output(x: Tensor) -> Any:
        return poptorch.set_overlap_for_output(x, mode)

    def twice(x: Tensor) -> Any:
        y = x + 1
        return y, at_output(y)

    sharded = poptorch.Options().setExecutionStrategy(poptorch.ShardedExecution())
    ready = sharded.clone()
    ready.TensorLocations.numIOTiles(32)
    good = poptorch.inferenceModel(lambda x: at_output(at_input(x) + 1), ready)
    assert good(torch.ones(1)).tolist() == [2.0]
    for forward, options, message in (
        (lambda x: at_input(x + 1), ready, "not a tensor input to the model"),
        (lambda x: (x + 1, at_input(x)), ready, "must be the only op applied to an input"),
        (lambda x: at_output(x) + 1, ready, "not a tensor output to the model"),
        (twice, ready, "returned twice"),
        (lambda x: at_input(x) + 1, poptorch.Options(), "not supported with poptorch.Pipelined"),
        (lambda x: at_input(x) + 1, sharded, "No IO tiles allocated"),
    ):
        with pytest.raises(poptorch.Error, match=message):
            poptorch.inferenceModel(forward, options)(torch.ones(1))
    with pytest.raises(poptorch.Error, match="You may only set overlap for"):
        poptorch.set_overlap_for_input(1, mode)
