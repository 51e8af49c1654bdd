"""Expressions of containers whose forward is known, without a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from torch import nn

from .graph import At, Chain, Expression, Layer, Plan, Value, Whole, changes
from .library import Library, Parts, is_torch
from .record import Recorder
from .roll import Roller


class NeedsExample(Exception):
    """Raised where a module has a forward of its own; the argument is its name."""


class Walker:
    """Goes through containers of leaves.

    Parameters
    ----------
    library : Library
    model : torch.nn.Module
    parts : Parts
        Its leaves.
    """

    def __init__(self, library: Library, model: nn.Module, parts: Parts) -> None:
        self.model = model
        self.library = library
        self.parts = parts
        self.roller = Roller(Recorder(library.operation, {}), parts.plans, parts.layers, {})
        leaves: list[Plan | Layer] = [*parts.plans.values(), *parts.layers.values()]
        ways = [library.container(module) for module in model.modules()]
        self.sequence = any(each.sequence for each in leaves) or any(
            way in ("at each step", "folded") for way in ways
        )

    def walk(self) -> Any:
        """Return the value, or the values, of the model of one input `x`."""
        made = Expression("input", None, "x", over_time=not self.sequence, seen={0})
        value: Value = Whole(made) if self.sequence else At(made, 0)
        out = self._module(self.model, "", value, None)
        plan = self.parts.plans.get(self.model)
        if self.library.pairs(self.model) or (plan is not None and plan.returns_state):
            return out, self._final(self.model)
        return out

    def _final(self, module: nn.Module) -> Any:
        """Return the states after the last step: of a neuron, or of a container's children."""
        if self.library.pairs(module):
            children = module._modules.values()
            return [None if each is None else self._final(each) for each in children]
        for chain in self.roller.chains:
            if chain.module is module:
                return self._output(chain.neuron, chain.name, "final", 0, True)
        return None

    def _module(self, module: nn.Module, name: str, value: Any, loop: str | None) -> Any:
        """Return the result of a module; `loop` is how a container around it goes over time."""
        title = name or "layer"
        if not isinstance(value, (Whole, At)):
            raise self.library.refuse(
                title, "one tensor from the layer before", "several: spikes and states"
            )
        way = self.library.container(module)
        if way is None and type(module).forward is nn.Sequential.forward:
            way = "in order"
        if module in self.parts.plans:
            return self._neuron(module, title, value, loop)
        if module in self.parts.layers:
            layer = self.parts.layers[module]
            self._check_steps(title, layer.sequence, value, loop)
            kind = "sequence" if layer.sequence or loop else "module"
            return self._made(kind, layer.module, title, value)
        if is_torch(module):
            if loop == "at each step" and changes(module):
                raise NeedsExample(title)
            return self._made("sequence" if loop else "module", module, title, value)
        if way is None or (loop and way != "in order"):
            raise NeedsExample(name or type(module).__name__)
        if way != "in order" and isinstance(value, At):
            raise self.library.refuse(title, "one step as its input", "a sequence")
        for child, each in module._modules.items():  # named_children has each module once
            path = f"{name}.{child}" if name else child
            assert each is not None
            value = self._module(each, path, value, loop if way == "in order" else way)
        return value

    def _check_steps(self, name: str, sequence: bool, value: Any, loop: str | None) -> None:
        if sequence != (isinstance(value, Whole) and loop is None):
            raise self.library.refuse(
                name, "layers that all take one step, or all take a sequence", "both"
            )

    def _neuron(self, module: nn.Module, name: str, value: Any, loop: str | None) -> Any:
        plan = self.parts.plans[module]
        if not plan.hidden and not plan.returns_state:
            raise self.library.refuse(name, "init_hidden=True in a container", "init_hidden=False")
        self._check_steps(name, plan.sequence, value, loop)
        if loop == "folded":
            raise self.library.refuse(name, "layers without neurons", type(module).__name__)
        if any(chain.module is module for chain in self.roller.chains):
            raise self.library.refuse(name, "one place in the network for a neuron", "several")
        sequence = isinstance(value, Whole)
        plan = replace(plan, sequence=sequence)
        neuron = Expression("neuron", module, name, (value,), over_time=not sequence)
        self.roller.chains.append(Chain(name, module, plan, neuron, inputs=[None]))  # type: ignore[list-item]
        outputs = [
            self._output(neuron, name, role, index, sequence)
            for index, role in enumerate(plan.roles)
        ]
        return outputs[0] if plan.returns_state or len(outputs) == 1 else tuple(outputs)

    def _output(
        self, neuron: Expression, name: str, role: str, index: int, sequence: bool
    ) -> Value:
        made = self.roller.expression(not sequence, "output", neuron, name, (role, index), {}, None)
        made.seen.add(0)
        return Whole(made) if sequence else At(made, 0)

    def _made(self, kind: str, module: nn.Module, name: str, value: Any) -> Value:
        over = isinstance(value, At)
        made = self.roller.expression(over, kind, module, name, (value,), {}, None)
        made.seen.add(0)
        return At(made, 0) if over else Whole(made)
