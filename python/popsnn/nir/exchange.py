"""Functions that read and write networks as NIR graphs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

import torch
from torch import nn

from .._internal import checks
from .._internal.extras import extra
from ..functional import BACKENDS
from ..functional._scan import state_dtype
from ..surrogate import Surrogate, resolve
from ._discretization import Discretization
from ._files import load, save
from ._import import graph_module
from ._import_neurons import Importing
from ._trace import nir_graph
from .graph import Graph

if TYPE_CHECKING:
    import nir

InputShape = Union[int, Sequence[int], Mapping[str, Sequence[int]]]


def from_nir(
    graph: nir.NIRGraph,
    *,
    dt: float,
    method: str = "euler",
    strict: bool = True,
    dtype: torch.dtype | None = None,
    surrogate: Surrogate | str | None = None,
    backend: str = "auto",
) -> Graph:
    """Return the network of a NIR graph, over x [T, B, ...].

    Neurons become `nn.LIF`, `nn.IF`, `nn.LeakyIntegrator` and `nn.SynapticLIF` where the graph's
    numbers mean these, else neurons with a gain and voltages. Linear, Affine, Conv1d, Conv2d,
    SumPool2d, AvgPool2d and Flatten become modules of torch. Scale, Threshold, Delay of whole time
    steps, graphs within graphs, and loops of one spiking neuron and a Linear, an Affine or nothing
    are taken too, with a Delay or without. A loop carries the spikes of the time step before, which
    are 0 at the first; the bias of its Affine is added there too. A Delay comes in addition: before
    the weights it is that of the neurons that fire, behind them that of those that receive.

    Parameters
    ----------
    graph : nir.NIRGraph
        It stays as it is.
    dt : float
        Seconds per time step.
    method : {"euler", "exponential"}
        How decay factors follow from time constants; see `popsnn.nir`.
    strict : bool
        Whether a membrane that equals its threshold stays silent, as NIR defines it and as snnTorch
        and norse do. SpikingJelly's fire: False.
    dtype : torch.dtype, optional
        Of parameters: torch.float32 or torch.float64. Default: torch's default dtype.
    surrogate : Surrogate or str, optional
        Of all neurons; default `SuperSpike()`.
    backend : {"auto", "torch", "cuda"}
        Of all neurons, as in `functional.scan`.

    Returns
    -------
    Graph

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range, or a node has no equal; the sentence names the node.
    ImportError
        Where the package nir is not installed.
    """
    return _network("from_nir", graph, dt, method, strict, dtype, surrogate, backend)


def read(
    path: str | os.PathLike[str],
    *,
    dt: float,
    method: str = "euler",
    strict: bool = True,
    dtype: torch.dtype | None = None,
    surrogate: Surrogate | str | None = None,
    backend: str = "auto",
) -> Graph:
    """Return the network of a NIR file, over x [T, B, ...].

    Parameters
    ----------
    path : str or PathLike
    dt, method, strict, dtype, surrogate, backend
        As in `from_nir`.

    Returns
    -------
    Graph

    Raises
    ------
    TypeError, ValueError
        As `from_nir`, and where the file is none of NIR.
    OSError
        Where the file cannot be read.
    ImportError
        Where the package nir is not installed.
    """
    return _network("read", load(path), dt, method, strict, dtype, surrogate, backend)


def to_nir(
    model: nn.Module,
    *,
    dt: float,
    input_shape: InputShape | None = None,
    method: str = "euler",
    strict: bool = True,
    unit_resistance: bool = False,
    dtype: torch.dtype | None = None,
) -> nir.NIRGraph:
    """Return the NIR graph of a network.

    Neurons are `nn.LIF`, `nn.IF`, `nn.PLIF`, `nn.SynapticLIF`, `nn.LeakyIntegrator`, and
    `nn.Spiking`, `nn.RecurrentSpiking`, `nn.SparseLIF`, `nn.SparseNeurons` and `nn.SparseLI` of the
    same, all with the reset "zero". Torch's Linear, Conv1d, Conv2d, AvgPool2d, LPPool2d with the
    norm 1, Flatten and, for the sum of a window, AvgPool2d with `divisor_override=1` are taken,
    within `nn.TimeDistributed` or where they take [T, B, ...]; so are `nn.SNN`,
    `torch.nn.Sequential`, and custom modules of these, of sums and of flatten. Dropout is left out.
    Modules with forward hooks, and classes that derive from these with a forward of their own, are
    refused. NIR has no surrogates, gradient thresholds and engines; a capacity (`max_activity`) is
    refused.

    Numbers of a `Graph` that nothing has changed since it was read come back as they were.

    Parameters
    ----------
    model : nn.Module
    dt : float
        Seconds per time step.
    input_shape : int, sequence of int, or mapping of str to sequence of int, optional
        [...] of x [T, B, ...], by name where forward takes several. Default: what the first module
        tells.
    method : {"euler", "exponential"}
        How time constants follow from decay factors; see `popsnn.nir`.
    strict : bool
        Whether readers of the graph take a membrane that equals its threshold for silent, as NIR
        defines it. popsnn's neurons fire there, so that the threshold in the graph is the next
        lower number. False: thresholds as they are, for SpikingJelly.
    unit_resistance : bool
        Whether LIF and CubaLIF are written with the resistance 1, and with voltages in the unit in
        which the spikes stay the same. Rounding may change those of a membrane that comes to lie at
        its threshold. norse reads every LIF as if R was 1.
    dtype : torch.dtype, optional
        Of numbers that are Python floats in the model. Default: that of its first parameter, or
        torch's default dtype; float32 of types that are shorter.

    Returns
    -------
    nir.NIRGraph

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range, or a module has no equal; the sentence names the module.
    ImportError
        Where the package nir is not installed.
    """
    return _graph("to_nir", model, dt, input_shape, method, strict, unit_resistance, dtype)


def write(
    path: str | os.PathLike[str],
    model: nn.Module,
    *,
    dt: float,
    input_shape: InputShape | None = None,
    method: str = "euler",
    strict: bool = True,
    unit_resistance: bool = False,
    dtype: torch.dtype | None = None,
) -> None:
    """Write a network as a NIR file, whole or not at all.

    Parameters
    ----------
    path : str or PathLike
        A file that is there is replaced.
    model, dt, input_shape, method, strict, unit_resistance, dtype
        As in `to_nir`.

    Raises
    ------
    TypeError, ValueError, ImportError
        As `to_nir`, and where HDF5 does not keep a name or the metadata.
    OSError
        Where the file cannot be written.
    """
    graph = _graph("write", model, dt, input_shape, method, strict, unit_resistance, dtype)
    save(path, graph)


def _network(
    operation: str,
    graph: Any,
    dt: float,
    method: str,
    strict: bool,
    dtype: torch.dtype | None,
    surrogate: Surrogate | str | None,
    backend: str,
) -> Graph:
    with extra(operation, "nir", "nir"):
        import nir
    dtype = torch.get_default_dtype() if dtype is None else dtype
    options = Importing(
        Discretization(operation, dt, method, strict, dtype),
        resolve(surrogate),
        checks.choice(operation, "backend", backend, BACKENDS),
    )
    if not isinstance(graph, nir.NIRGraph):
        raise TypeError(f"{operation}: graph: expected a nir.NIRGraph, got {type(graph).__name__}")
    return graph_module(operation, graph, options)


def _graph(
    operation: str,
    model: nn.Module,
    dt: float,
    input_shape: InputShape | None,
    method: str,
    strict: bool,
    unit_resistance: bool,
    dtype: torch.dtype | None,
) -> Any:
    with extra(operation, "nir", "nir"):
        import nir  # noqa: F401  # the modules of this package use it
    if dtype is None:
        first = next(model.parameters(), None) if isinstance(model, nn.Module) else None
        dtype = state_dtype(torch.get_default_dtype() if first is None else first.dtype)
    options = Discretization(operation, dt, method, strict, dtype, unit_resistance)
    return nir_graph(model, options, input_shape)
