"""The first tutorials' networks of other libraries, as their authors write them.

snnTorch's tutorial 5, SpikingJelly's `lif_fc_mnist` and norse's MNIST notebook: sizes, options and
optimizers are theirs. Images are random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Callable, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from popsnn import convert


class Leaky(nn.Module):
    """snnTorch's tutorial 5: 784-1000-10, the same image at each of 25 steps."""

    def __init__(self) -> None:
        super().__init__()
        snntorch: Any = import_module("snntorch")
        self.fc1, self.lif1 = nn.Linear(784, 1000), snntorch.Leaky(beta=0.95)
        self.fc2, self.lif2 = nn.Linear(1000, 10), snntorch.Leaky(beta=0.95)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        mem1, mem2 = self.lif1.init_leaky(), self.lif2.init_leaky()
        spikes, membranes = [], []
        for _ in range(25):
            spk1, mem1 = self.lif1(self.fc1(x), mem1)
            spk2, mem2 = self.lif2(self.fc2(spk1), mem2)
            spikes.append(spk2)
            membranes.append(mem2)
        return torch.stack(spikes, dim=0), torch.stack(membranes, dim=0)


class Recurrent(nn.Module):
    """norse's MNIST notebook: an encoder, 100 recurrent neurons and a readout, 32 steps."""

    def __init__(self) -> None:
        super().__init__()
        norse: Any = import_module("norse.torch")
        p = norse.LIFParameters(alpha=torch.as_tensor(100.0), v_th=torch.as_tensor(0.5))
        self.encoder = norse.ConstantCurrentLIFEncoder(seq_length=32)
        self.l1 = norse.LIFRecurrentCell(784, 100, p=p)
        self.fc_out = nn.Linear(100, 10, bias=False)
        self.out = norse.LICell()

    def forward(self, x: Tensor) -> Tensor:
        x = self.encoder(x)
        s1 = so = None
        voltages = []
        for step in range(x.shape[0]):
            z = x[step, :, :, :].view(-1, 784)
            z, s1 = self.l1(z, s1)
            vo, so = self.out(self.fc_out(z), so)
            voltages += [vo]
        maximum, _ = torch.max(torch.stack(voltages), 0)
        return functional.log_softmax(maximum, dim=1)


def _spikingjelly() -> nn.Module:
    layer, neuron, surrogate = (
        import_module(f"spikingjelly.activation_based.{name}")
        for name in ("layer", "neuron", "surrogate")
    )
    made: nn.Module = nn.Sequential(
        layer.Flatten(),
        layer.Linear(784, 10, bias=False),
        neuron.LIFNode(tau=2.0, surrogate_function=surrogate.ATan()),
    )
    return made


def _looped(net: nn.Module, x: Tensor) -> Tensor:
    """Return the spikes [T, B, 10] of SpikingJelly's network, as the example's loop calls it."""
    functional_: Any = import_module("spikingjelly.activation_based.functional")
    out = torch.stack([net(step) for step in x])
    functional_.reset_net(net)
    return out


def _of_membranes(out: Any, labels: Tensor) -> Tensor:
    """Cross-entropy of the membrane, summed over steps."""
    membranes = out[1]
    each = labels.expand(len(membranes), -1).flatten()
    return len(membranes) * functional.cross_entropy(membranes.flatten(0, 1), each)


def _of_rates(out: Tensor, labels: Tensor) -> Tensor:
    return functional.mse_loss(out.mean(0), functional.one_hot(labels, 10).to(out.dtype))


def _call(net: nn.Module, x: Tensor) -> Any:
    return net(x)


@dataclass(frozen=True)
class Tutorial:
    """A network, how it is called, and its training step.

    Parameters
    ----------
    package : str
    make : Callable
        Returns the library's network.
    convert : Callable
        Takes that and an input.
    shape : tuple of int
        Of the input, whose batch is at `batch`.
    theirs : Callable
        Calls the library's network.
    loss : Callable
        Of its result and labels [B].
    rate : float
        Adam's.
    exact : torch.dtype
        In which results are compared: snnTorch's spikes are float32 whatever the weights are.
    """

    package: str
    title: str
    make: Callable[[], nn.Module]
    convert: Callable[[nn.Module, Tensor], nn.Module]
    shape: Tuple[int, ...]
    batch: int
    theirs: Callable[[nn.Module, Tensor], Any]
    loss: Callable[[Any, Tensor], Tensor]
    rate: float
    exact: torch.dtype

    def example(self, dtype: torch.dtype, device: str, samples: int) -> Tuple[Tensor, Tensor]:
        """Return an input of so many samples and their labels."""
        generator = torch.Generator().manual_seed(0)
        shape = list(self.shape)
        shape[self.batch] = samples
        x = torch.rand(shape, generator=generator, dtype=torch.float64)
        if self.package == "spikingjelly":  # its Poisson encoder
            x = (x > torch.rand(shape, generator=generator, dtype=torch.float64)).to(x)
        labels = torch.randint(10, (samples,), generator=generator)
        return x.to(device, dtype), labels.to(device)


TUTORIALS = (
    Tutorial(
        "snntorch", "tutorial 5", Leaky, convert.from_snntorch, (128, 784), 0, _call,
        _of_membranes, 5e-4, torch.float32,
    ),
    Tutorial(
        "spikingjelly", "lif_fc_mnist", _spikingjelly,
        lambda net, x: convert.from_spikingjelly(net), (100, 64, 1, 28, 28), 1, _looped,
        _of_rates, 1e-3, torch.float64,
    ),
    Tutorial(
        "norse", "MNIST notebook", Recurrent, convert.from_norse, (256, 1, 28, 28), 0, _call,
        functional.nll_loss, 2e-3, torch.float64,
    ),
)  # fmt: skip
