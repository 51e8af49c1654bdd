"""The networks that `bench.resnet` trains, each in the variants that its library offers."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any, Callable, Iterator

import torch
from torch import Tensor, nn

from bench.lif.subjects import Float32State, spikingjelly_build, version_of
from popsnn import models
from popsnn.surrogate import Sigmoid

NEURON: dict[str, Any] = {"beta": 0.5, "threshold": 0.5, "surrogate": Sigmoid(4.0)}


@dataclass(frozen=True)
class Subject:
    """A network: made from a stem, a number of classes and popsnn's state_dict."""

    name: str
    make: Callable[[str, int, dict[str, Tensor]], nn.Module]
    channels_last: bool = False
    graph: bool = False
    one_thread: bool = False  # backward in the caller's thread, not in one of autograd's own

    def lay_out(self, frames: Tensor) -> Tensor:
        """Return frames [T, B, C, H, W] in this subject's order of memory."""
        if not self.channels_last:
            return frames
        return frames.permute(0, 1, 3, 4, 2).contiguous().permute(0, 1, 4, 2, 3)


class Autocast(nn.Module):
    """A network whose forward pass runs under autocast to bfloat16."""

    def __init__(self, net: nn.Module, prepare: Callable[[], None] | None = None) -> None:
        super().__init__()
        self.net = net
        self.prepare = prepare

    def forward(self, x: Tensor) -> Tensor:
        """Return the logits [T, B, classes]."""
        if self.prepare is not None:
            self.prepare()
        with torch.autocast("cuda", torch.bfloat16):
            logits: Tensor = self.net(x)
        return logits


def subjects() -> Iterator[Subject]:
    """Yield ours, the reference in torch, and SpikingJelly in its variants."""
    for last in (True, False):
        order = "channels-last" if last else "contiguous"
        yield Subject(f"popsnn-cuda-{order}", _popsnn("cuda", last), last)
    ours = "popsnn-cuda-channels-last"
    yield Subject(f"{ours}-one-thread", _popsnn("cuda", True), True, one_thread=True)
    yield Subject(f"{ours}-graph", _popsnn("cuda", True), True, graph=True)
    yield Subject("popsnn-torch-channels-last", _popsnn("torch", True), True)
    version = version_of("spikingjelly")
    if version is None:
        return
    name = f"spikingjelly-{version}{spikingjelly_build()}"
    # The variants of `precision` and `autocast` wait for the GPU, which a graph cannot hold.
    for precision in ("float32-state", "float32-neurons"):
        named = f"{name}-{precision}-channels-last"
        make = _spikingjelly(precision, True)
        yield Subject(named, make, True)
        yield Subject(f"{named}-one-thread", make, True, one_thread=True)
        yield Subject(f"{named}-graph", make, True, graph=True)
        yield Subject(f"{name}-{precision}-contiguous", _spikingjelly(precision, False))
    for precision in ("autocast", "precision"):
        yield Subject(f"{name}-{precision}-channels-last", _spikingjelly(precision, True), True)


def _popsnn(backend: str, last: bool) -> Callable[[str, int, dict[str, Tensor]], nn.Module]:
    def make(stem: str, classes: int, weights: dict[str, Tensor]) -> nn.Module:
        net = models.spiking_resnet18(classes, stem=stem, backend=backend, **NEURON)
        net.load_state_dict(weights)
        net = net.cuda()
        return Autocast(net.to(memory_format=torch.channels_last) if last else net)  # type: ignore[call-overload]

    return make


def _spikingjelly(way: str, last: bool) -> Callable[[str, int, dict[str, Tensor]], nn.Module]:
    def make(stem: str, classes: int, weights: dict[str, Tensor]) -> nn.Module:
        base = "spikingjelly.activation_based"
        functional = importlib.import_module(f"{base}.functional")
        layer = importlib.import_module(f"{base}.layer")
        neuron = importlib.import_module(f"{base}.neuron")
        surrogate = importlib.import_module(f"{base}.surrogate")
        resnet = importlib.import_module(f"{base}.model.spiking_resnet")
        net = resnet.spiking_resnet18(
            spiking_neuron=Float32State if way == "float32-state" else neuron.LIFNode,
            num_classes=classes,
            tau=1 / (1 - NEURON["beta"]),
            decay_input=False,
            v_threshold=NEURON["threshold"],
            surrogate_function=surrogate.Sigmoid(alpha=4.0),
            detach_reset=True,
        )
        if stem == "cifar":
            net.conv1 = layer.Conv2d(3, 64, 3, 1, 1, bias=False)
            net.maxpool = nn.Identity()
        _copy(weights, net)
        functional.set_step_mode(net, "m")
        net = net.cuda()
        if way == "precision":
            precision = importlib.import_module(f"{base}.precision")
            settings = precision.PrecisionConfig(mode="bf16", neuron_storage="bf16")
            net = precision.prepare_model_for_precision(net, "cuda", settings).model
        if way == "float32-neurons":
            for module in net.modules():
                if isinstance(module, neuron.LIFNode):
                    module.register_forward_pre_hook(lambda _, x: (x[0].float(),))
        if last:
            net = net.to(memory_format=torch.channels_last)
        return Autocast(net, lambda: functional.reset_net(net))

    return make


@torch.no_grad()
def _copy(weights: dict[str, Tensor], net: nn.Module) -> None:
    """Give `net` the values of a popsnn network, whose layers stand in the same order."""
    source = [value for value in weights.values() if value.is_floating_point()]
    target = [value for value in net.state_dict().values() if value.is_floating_point()]
    if [tensor.shape for tensor in source] != [tensor.shape for tensor in target]:
        raise ValueError("_copy: net: expected the layers of popsnn's network, got others")
    for taken, other in zip(source, target):
        other.copy_(taken)
