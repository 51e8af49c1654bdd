"""The conversion itself: leaves, a run or a walk, the graph, and the check."""

from __future__ import annotations

import copy as copies
import inspect
from typing import Any, Callable

from torch import Tensor, fx, nn

from .check import Checked
from .emit import Emitter
from .library import Library, Parts, parts_of
from .record import mapped, recorded
from .roll import Plan, Roller
from .walk import NeedsExample, Walker


def converted(library: Library, model: nn.Module, example: Any, copy: bool) -> nn.Module:
    """Return a model with our neurons.

    Parameters
    ----------
    library : Library
        Of the model.
    model : torch.nn.Module
    example : Tensor or tuple, optional
        What the model takes, for models with a forward of their own.
    copy : bool
        Whether parameters are copied, else shared.

    Raises
    ------
    TypeError, ValueError
        Where something has no equal, by its name in the model.
    """
    operation = library.operation
    if not isinstance(model, nn.Module):
        raise TypeError(
            f"{operation}: model: expected a torch.nn.Module, got {type(model).__name__}"
        )
    if not isinstance(copy, bool):
        raise TypeError(f"{operation}: copy: expected a bool, got {type(copy).__name__}")
    parts = parts_of(library, model)
    if not parts.plans:
        raise ValueError(
            f"{operation}: model: expected neurons of {library.package}, got a "
            f"{type(model).__name__} without any"
        )
    network = _walked(library, model, parts)
    if isinstance(network, str) and example is None:
        raise ValueError(
            f"{operation}: example: expected what the model takes, as {network!r} has a forward of "
            "its own, got none"
        )
    if isinstance(network, str):
        network = _recorded(library, model, parts, example)
    network.train(model.training)
    return copies.deepcopy(network) if copy else network


def _walked(library: Library, model: nn.Module, parts: Parts) -> fx.GraphModule | str:
    """Return the network of containers, or the name of a module with a forward of its own."""
    walker = Walker(library, model, parts)
    try:
        result = walker.walk()
    except NeedsExample as reason:
        return str(reason)
    return Emitter(walker.roller, ["x"], not walker.sequence).network(result, type(model).__name__)


def _recorded(
    library: Library, model: nn.Module, parts: Parts, example: Any
) -> fx.GraphModule:
    operation = library.operation
    given = example if isinstance(example, tuple) else (example,)
    for each in given:
        if not isinstance(each, Tensor):
            raise TypeError(
                f"{operation}: example: expected tensors, got {type(each).__name__}"
            )
    given = tuple(each.detach() for each in given)
    restores = [library.reset(module) for module in parts.plans]
    restores += [library.reset(module) for module in parts.layers]
    names = _tensors(model)
    try:
        recorder, result = recorded(operation, model, parts.leaves, given)
    finally:
        for restore in restores:
            restore()
    one_step = _is_one_step(recorder.calls, parts.plans)
    known = {id(tensor): name for name, tensor in names.items()}
    roller = Roller(recorder, parts.plans, parts.layers, known)
    inputs = _input_names(model, len(given))
    roller.take(list(zip(inputs, given)), one_step)
    roller.roll()
    values = mapped(
        lambda leaf: roller.value(leaf, "forward") if isinstance(leaf, Tensor) else leaf, result
    )
    emitter = Emitter(roller, inputs, one_step)
    network = emitter.network(values, type(model).__name__)
    network.eval()
    Checked(operation, network, emitter.targets, one_step).against(given, result)
    return network


def _is_one_step(calls: list[Any], plans: dict[nn.Module, Plan]) -> bool:
    """Return whether every neuron keeps its state itself and was called once, with one step."""
    neurons = [call.target for call in calls if call.is_module and call.target in plans]
    return len(set(neurons)) == len(neurons) and all(
        plans[each].hidden and not plans[each].sequence for each in neurons
    )


def _tensors(model: nn.Module) -> dict[str, Tensor]:
    """Return a model's parameters, buffers and tensors among its attributes, by their names."""
    named: dict[str, Tensor] = {}
    for prefix, module in model.named_modules():
        plain = {k: v for k, v in vars(module).items() if isinstance(v, Tensor)}
        for group in (plain, module._buffers, module._parameters):
            for name, tensor in group.items():
                if isinstance(tensor, Tensor):
                    named[f"{prefix}.{name}" if prefix else name] = tensor
    return named


def _input_names(model: nn.Module, count: int) -> list[str]:
    forward: Callable[..., Any] = type(model).forward
    names = list(inspect.signature(forward).parameters)[1 : count + 1]
    return names if len(names) == count else [f"x{index}" for index in range(count)]

