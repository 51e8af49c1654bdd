"""Expressions of containers whose forward is known, without a run."""

from __future__ import annotations

from typing import Any

from torch import nn

from .library import Library, Parts, is_torch
from .record import Recorder
from .roll import At, Chain, Expression, Roller, Value, Whole


class NeedsExample(Exception):
    """Raised where a module has a forward of its own; the argument is its name."""


class Walker:
    """Goes through containers of leaves.

    Parameters
    ----------
    library : Library
    parts : Parts
    """

    def __init__(self, library: Library, parts: Parts) -> None:
        self.library = library
        self.parts = parts
        self.roller = Roller(
            Recorder(library.operation, {}), parts.plans, parts.layers, {}
        )
        sequences = [each.sequence for each in (*parts.plans.values(), *parts.layers.values())]
        self.sequence = any(sequences)

    def walk(self, model: nn.Module) -> Any:
        """Return the value, or the values, of a model of one input `x`."""
        made = Expression("input", None, "x", over_time=not self.sequence, seen={0})
        value: Value = Whole(made) if self.sequence else At(made, 0)
        result = self._module(model, "", value, self.sequence)
        return result

    def _module(self, module: nn.Module, name: str, value: Any, sequence: bool) -> Any:
        title = name or "layer"
        if not isinstance(value, (Whole, At)):
            raise self.library.refuse(
                title, "one tensor from the layer before", "several: spikes and states"
            )
        leaf = self.parts.plans.get(module) or self.parts.layers.get(module)
        if leaf is not None and leaf.sequence != sequence and sequence:
            raise self.library.refuse(
                title, "layers that all take one step, or all take a sequence", "both"
            )
        if module in self.parts.plans:
            return self._neuron(module, title, value)
        if module in self.parts.layers:
            layer = self.parts.layers[module]
            kind = "sequence" if layer.sequence else "module"
            return self._made(kind, layer.module, title, value)
        if is_torch(module):
            return self._made("module", module, title, value)
        way = self.library.container(module)
        if way is None and type(module).forward is nn.Sequential.forward:
            way = "in order"
        if way is None:
            raise NeedsExample(name or type(module).__name__)
        return self._children(module, name, value, sequence, way)

    def _children(
        self, module: nn.Module, name: str, value: Any, sequence: bool, way: str
    ) -> Any:
        if way == "at each step":
            if not sequence:
                raise self.library.refuse(name, "a sequence as its input", "one step")
            raise NeedsExample(name or type(module).__name__)
        for child, each in module.named_children():
            value = self._module(each, f"{name}.{child}" if name else child, value, sequence)
        return value

    def _neuron(self, module: nn.Module, name: str, value: Any) -> Any:
        plan = self.parts.plans[module]
        if not plan.hidden and not plan.returns_state:
            raise self.library.refuse(name, "init_hidden=True in a container", "init_hidden=False")
        neuron = Expression("neuron", module, name, (value,), over_time=not plan.sequence)
        self.roller.chains.append(Chain(name, module, plan, neuron, inputs=[None]))  # type: ignore[list-item]
        outputs = [
            self._output(neuron, name, role, index, plan.sequence)
            for index, role in enumerate(plan.roles)
        ]
        return outputs[0] if plan.returns_state or len(outputs) == 1 else tuple(outputs)

    def _output(
        self, neuron: Expression, name: str, role: str, index: int, sequence: bool
    ) -> Value:
        made = self.roller.expression(
            not sequence, "output", neuron, name, (role, index), {}, None
        )
        made.seen.add(0)
        return Whole(made) if sequence else At(made, 0)

    def _made(self, kind: str, module: nn.Module, name: str, value: Any) -> Value:
        over = isinstance(value, At)
        made = self.roller.expression(over, kind, module, name, (value,), {}, None)
        made.seen.add(0)
        return At(made, 0) if over else Whole(made)
