"""Models of snnTorch, SpikingJelly and norse with popsnn's neurons: the same spikes and gradients.

A converted model runs over time: where the original is called once for each step, it takes all
steps at once, [T, B, ...], and where the original loops over time itself, it takes and returns what
the original does. Each neuron computes what the library's does, in the same order. What has no
equal is refused by its name in the model.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from .modules import Neurons, RecurrentNeurons

__all__ = [
    "Neurons",
    "RecurrentNeurons",
    "from_norse",
    "from_snntorch",
    "from_spikingjelly",
]


def from_snntorch(model: nn.Module, example: Any = None, *, copy: bool = True) -> nn.Module:
    """Return a snnTorch model with popsnn's neurons over time.

    Parameters
    ----------
    model : torch.nn.Module
        A `torch.nn.Sequential` of layers of torch and neurons with `init_hidden`, which becomes a
        module of x [T, B, ...], or a module with a forward of its own.
    example : Tensor or tuple of Tensor, optional
        What the model takes, for one with a forward of its own. It runs once, in evaluation, and
        the result is compared with the converted model's. Hidden states are as before then.
    copy : bool
        Whether the result has parameters of its own, else the model's.

    Returns
    -------
    torch.nn.Module
        Takes and returns what the model does where the model loops over time, and else inputs and
        outputs of all steps, [T, B, ...]. It needs no package but popsnn and torch, and starts each
        call at rest.

    Raises
    ------
    TypeError, ValueError
        Where something has no equal: connections from step to step but the neurons' own, states
        that are returned, neurons and surrogates without an equal, hooks, random numbers.

    Examples
    --------
    >>> class Net(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.fc1 = torch.nn.Linear(784, 1000)
    ...         self.lif1 = snntorch.Leaky(beta=0.95)
    ...         self.fc2 = torch.nn.Linear(1000, 10)
    ...         self.lif2 = snntorch.Leaky(beta=0.95)
    ...
    ...     def forward(self, x):
    ...         mem1, mem2 = self.lif1.reset_mem(), self.lif2.reset_mem()
    ...         spikes, membranes = [], []
    ...         for step in range(25):
    ...             spk1, mem1 = self.lif1(self.fc1(x), mem1)
    ...             spk2, mem2 = self.lif2(self.fc2(spk1), mem2)
    ...             spikes.append(spk2)
    ...             membranes.append(mem2)
    ...         return torch.stack(spikes), torch.stack(membranes)
    >>> net = popsnn.convert.from_snntorch(Net(), torch.rand(128, 784))
    >>> spikes, membranes = net(images)
    """
    from .network import converted
    from .snntorch import LIBRARY

    return converted(LIBRARY, model, example, copy)


def from_spikingjelly(model: nn.Module, example: Any = None, *, copy: bool = True) -> nn.Module:
    """Return a SpikingJelly model with popsnn's neurons over time.

    Parameters
    ----------
    model : torch.nn.Module
        Containers of layers of one step or of several, or a module with a forward of its own.
    example, copy
        As of `from_snntorch`.

    Returns
    -------
    torch.nn.Module
        Takes and returns what the model does where that takes all steps, and else inputs and
        outputs of all steps, [T, B, ...]. It starts each call at rest, as after `reset_net`.

    Raises
    ------
    TypeError, ValueError
        As `from_snntorch`.

    Examples
    --------
    >>> model = torch.nn.Sequential(
    ...     layer.Flatten(), layer.Linear(784, 10, bias=False), neuron.LIFNode(tau=2.0)
    ... )
    >>> net = popsnn.convert.from_spikingjelly(model)
    >>> rates = net(x).mean(0)  # x [T, B, 1, 28, 28]
    """
    from .network import converted
    from .spikingjelly import LIBRARY

    return converted(LIBRARY, model, example, copy)


def from_norse(model: nn.Module, example: Any = None, *, copy: bool = True) -> nn.Module:
    """Return a norse model with popsnn's neurons over time.

    Parameters
    ----------
    model : torch.nn.Module
        A cell or a module over time, a `SequentialState` of either, which return a pair of the
        output and the states after the last step, or a module with a forward of its own.
    example, copy
        As of `from_snntorch`.

    Returns
    -------
    torch.nn.Module
        As of `from_snntorch`.

    Raises
    ------
    TypeError, ValueError
        As `from_snntorch`.

    Examples
    --------
    >>> model = norse.torch.SequentialState(
    ...     torch.nn.Linear(784, 100), norse.torch.LIFCell(), torch.nn.Linear(100, 10)
    ... )
    >>> net = popsnn.convert.from_norse(model)
    >>> out, states = net(x)  # [T, B, 10] of x [T, B, 784]
    """
    from .network import converted
    from .norse import LIBRARY

    return converted(LIBRARY, model, example, copy)
