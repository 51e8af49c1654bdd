"""Graph: the network that a NIR graph describes."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Union

from torch import Tensor, nn

from ..nn import LIF, LeakyIntegrator, Spiking, SynapticLIF
from ..spikes import SpikeTensor
from ._layers import Delay
from ._structure import Structure
from ._values import Shape

Values = Union[Tensor, Dict[str, Tensor]]
GraphState = Dict[str, Any]
"""The states of neurons, delays and subgraphs after a time step, by the names of their nodes."""


class Graph(nn.Module):
    """A network of the nodes and edges of a NIR graph, over x [T, B, ...].

    `from_nir` and `read` make it. A node that several edges enter takes their sum. `graph[name]` is
    the module of a node.

    Attributes
    ----------
    edges : tuple of (str, str)
        Names of nodes, without the edges within loops.
    inputs, outputs : dict of str to tuple of int
        Shapes [...] of the nodes Input and Output.
    loops : dict of str to str or None
        The node that feeds back the spikes of a neuron, by the neuron; None: the neuron itself.
        Both are one module, `graph[neuron]`, with the delay of the loop.
    loop_delays : dict of str to (str, bool)
        The node Delay of a loop, by the neuron, and whether it comes before the weights.
    metadata : dict
        Of the NIR graph.

    Raises
    ------
    TypeError, ValueError
        Where x does not fit the nodes Input.
    """

    def __init__(
        self,
        modules: Mapping[str, nn.Module],
        structure: Structure,
        inputs: Mapping[str, Shape],
        outputs: Mapping[str, Shape],
        metadata: Mapping[str, Any],
    ) -> None:
        super().__init__()
        self.edges = structure.edges
        self.order = structure.order
        self.loops = dict(structure.loops)
        self.loop_delays = dict(structure.loop_delays)
        self.inputs = dict(inputs)
        self.outputs = dict(outputs)
        self.metadata = dict(metadata)
        self._entering: dict[str, list[str]] = {name: [] for name in structure.order}
        for start, end in structure.edges:
            self._entering[end].append(start)
        self._keys: dict[str, str] = {}
        self.nodes = nn.ModuleDict()
        for name, module in modules.items():
            key = name.replace(".", "_") or "_"
            while key in self.nodes or hasattr(self.nodes, key):
                key += "_"
            self._keys[name] = key
            self.nodes[key] = module

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a graph, of a time before delays of loops too."""
        super().__setstate__(state)
        vars(self).setdefault("loop_delays", {})

    def __getitem__(self, name: str) -> nn.Module:
        if name not in self._keys:
            raise KeyError(f"Graph: expected a name among {tuple(self._keys)}, got {name!r}")
        return self.nodes[self._keys[name]]

    def modules_by_name(self) -> dict[str, nn.Module]:
        """Return the modules by the names of their nodes."""
        return {name: self.nodes[key] for name, key in self._keys.items()}

    def forward(
        self,
        x: Tensor | SpikeTensor | Mapping[str, Tensor],
        state: Optional[GraphState] = None,
        return_state: bool = False,
    ) -> Values | tuple[Values, GraphState]:
        """Run the network.

        Parameters
        ----------
        x : Tensor [T, B, ...], SpikeTensor, or mapping of str to Tensor
            The input; of several nodes Input by their names.
        state : dict, optional
            What an earlier pass returned, to go on with its sequence; default: at rest.
        return_state : bool

        Returns
        -------
        Tensor [T, B, ...], or by the names of several nodes Output a dict of them. With
        `return_state` also the state after the last time step.
        """
        values = self._inputs(x)
        before = self._state(state)
        after: GraphState = {}
        for name in self.order:
            if name in self.inputs:
                continue
            first, *others = self._entering[name]
            current = values[first]
            for other in others:
                current = current + values[other]
            if name in self.outputs:
                values[name] = current
                continue
            module = self[name]
            if return_state and isinstance(module, STATEFUL):
                values[name], after[name] = module(current, before.get(name), return_state=True)
            elif name in before:
                values[name] = module(current, before[name])
            else:
                values[name] = module(current)
        results = {name: values[name] for name in self.outputs}
        result: Values = results if len(results) > 1 else next(iter(results.values()))
        return (result, after) if return_state else result

    def _inputs(self, x: Tensor | SpikeTensor | Mapping[str, Tensor]) -> dict[str, Tensor]:
        named: Mapping[str, Any]
        if len(self.inputs) == 1 and not isinstance(x, Mapping):
            named = dict.fromkeys(self.inputs, x)
        elif not isinstance(x, Mapping) or set(x) != set(self.inputs):
            got = tuple(x) if isinstance(x, Mapping) else type(x).__name__
            raise TypeError(
                f"Graph: x: expected a mapping of {tuple(self.inputs)} to tensors, got {got}"
            )
        else:
            named = x
        values = {}
        for name, shape in self.inputs.items():
            value = named[name]
            if isinstance(value, SpikeTensor):
                value = value.to_dense()
            if not isinstance(value, Tensor):
                raise TypeError(f"Graph: x: expected a tensor, got {type(value).__name__}")
            if value.dim() < 2 or tuple(value.shape[2:]) != shape:
                sizes = ", ".join(map(str, shape))
                raise ValueError(
                    f"Graph: x: expected shape [T, B, {sizes}], got {tuple(value.shape)}"
                )
            values[name] = value
        given = {name: tuple(value.shape[:2]) for name, value in values.items()}
        if len(set(given.values())) > 1:
            raise ValueError(f"Graph: x: expected inputs of one [T, B], got {given}")
        return values

    def _state(self, state: Optional[GraphState]) -> GraphState:
        if state is None:
            return {}
        names = [n for n, module in self.modules_by_name().items() if isinstance(module, STATEFUL)]
        if not isinstance(state, dict) or set(state) != set(names):
            got = tuple(state) if isinstance(state, dict) else type(state).__name__
            raise ValueError(f"Graph: state: expected a dict of {tuple(names)}, got {got}")
        return state

    def extra_repr(self) -> str:
        """Return the edges, which `print` shows."""
        return "\n".join(f"{start} -> {end}" for start, end in self.edges)


STATEFUL = (LIF, SynapticLIF, LeakyIntegrator, Spiking, Delay, Graph)
