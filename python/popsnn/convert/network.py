"""The conversion itself: leaves, a run or a walk, the graph, and the checks."""

from __future__ import annotations

import copy as copies
import inspect
from typing import Any, Callable

import torch
from torch import Tensor, fx, nn

from .check import Checked
from .emit import Emitter
from .graph import Plan
from .library import Library, Parts, parts_of
from .modules import of_size
from .record import Call, Recorder, mapped, recorded
from .roll import Roller
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
        network = _Conversion(library, model, parts).of_example(example)
    network.training = model.training
    if not copy:
        return network
    made = copies.deepcopy(network)
    type(made).__name__ = type(network).__name__  # each network has a class of its own
    return made


def _walked(library: Library, model: nn.Module, parts: Parts) -> fx.GraphModule | str:
    """Return the network of containers, or the name of a module with a forward of its own."""
    walker = Walker(library, model, parts)
    try:
        result = walker.walk()
    except NeedsExample as reason:
        return str(reason)
    return Emitter(walker.roller, ["x"], not walker.sequence).network(result, type(model).__name__)


class _Conversion:
    """Runs a model, and makes a network of the run."""

    def __init__(self, library: Library, model: nn.Module, parts: Parts) -> None:
        self.library = library
        self.model = model
        self.parts = parts
        self.one_step = False

    def of_example(self, example: Any) -> fx.GraphModule:
        """Return the network of a run, which is checked on the example and on larger inputs."""
        given = example if isinstance(example, tuple) else (example,)
        for each in given:
            if not isinstance(each, Tensor):
                raise TypeError(
                    f"{self.library.operation}: example: expected tensors, got "
                    f"{type(each).__name__}"
                )
        given = tuple(each.detach() for each in given)
        names = _input_names(self.model, len(given))
        roller, result = self._rolled(names, given)
        values = mapped(
            lambda leaf: roller.value(leaf, "forward") if isinstance(leaf, Tensor) else leaf,
            result,
        )
        emitter = Emitter(roller, names, self.one_step)
        network = emitter.network(values, type(self.model).__name__)
        targets = {name: roller.chains.index(chain) for name, chain in emitter.targets.items()}
        modes = {module: module.training for module in network.modules()}
        network.eval()
        self._check(network, targets, roller, given, result)
        for index, name in enumerate(names):
            of_input = (network, targets, names, given, index)
            fixed = [d for d in range(given[index].dim()) if self._is_fixed(*of_input, d)]
            if fixed:
                _fix(network, name, given[index], fixed, self.one_step)
        for module, training in modes.items():
            module.training = training
        return network

    def _rolled(self, names: list[str], given: tuple[Tensor, ...]) -> tuple[Roller, Any]:
        """Return the expressions of a run, and its result."""
        library, parts = self.library, self.parts
        stateful = (*parts.plans, *parts.layers)
        restores = [library.reset(module) for module in stateful]
        tensors = _tensors(self.model)

        def new_recorder() -> Recorder:
            return Recorder(library.operation, parts.leaves, parts.plans, library.states)

        # What a call leaves in attributes for the next one is then refused: it is no constant.
        before, recorder = new_recorder(), new_recorder()
        try:
            recorded(before, self.model, given)
            for module in stateful:
                library.reset(module)
            result = recorded(recorder, self.model, given)
        finally:
            for restore in restores:
                restore()
        known = {id(tensor): name for name, tensor in tensors.items()}
        roller = Roller(recorder, parts.plans, parts.layers, known)
        self.one_step = _is_one_step(recorder.calls, parts.plans)
        if self.one_step and any(roller.takes_steps(each) for each in given):
            raise ValueError(f"{library.operation}: example: expected at least two steps, got one")
        roller.take(list(zip(names, given)), self.one_step)
        roller.roll()
        return roller, result

    def _check(
        self, network: fx.GraphModule, targets: dict[str, int], roller: Roller,
        given: tuple[Tensor, ...], result: Any,
    ) -> None:  # fmt: skip
        chains = {name: roller.chains[index] for name, index in targets.items()}
        checked = Checked(self.library.operation, network, chains, self.one_step)
        try:
            checked.against(given, result)
        except (RuntimeError, TypeError, IndexError) as error:
            raise ValueError(
                f"{self.library.operation}: model: expected layers that run over time, got "
                f"{type(error).__name__}: {error}"
            ) from error

    def _is_fixed(
        self, network: fx.GraphModule, targets: dict[str, int], names: list[str],
        given: tuple[Tensor, ...], index: int, dim: int,
    ) -> bool:  # fmt: skip
        """Return whether the network is another than the model with a dimension twice as large.

        So it is where the model computes with a size as a number, as with that of `len`.
        """
        alone = tuple(_doubled(x, dim) if i == index else x for i, x in enumerate(given))
        size = given[index].shape[dim]
        together = []  # all dimensions of this size, which may be the same of several inputs
        for x in given:
            for d in range(x.dim()):
                x = _doubled(x, d) if x.shape[d] == size else x
            together.append(x)
        for larger in (alone, tuple(together)):
            try:
                roller, result = self._rolled(names, larger)
            except Exception:  # the model's own, which has a size of its own in this dimension
                continue
            try:
                self._check(network, targets, roller, larger, result)
            except (ValueError, IndexError):
                return True
            return False
        return False


def _doubled(x: Tensor, dim: int) -> Tensor:
    return torch.cat([x, x.flip(dim)], dim)


def _fix(
    network: fx.GraphModule, name: str, given: Tensor, dims: list[int], one_step: bool
) -> None:
    """Let the network refuse an input of another size in some dimensions than the example's."""
    inputs = [each for each in network.graph.nodes if each.op == "placeholder"]
    (node,) = [each for each in inputs if each.name == name]
    sizes = tuple((dim + one_step, given.shape[dim]) for dim in dims)
    with network.graph.inserting_after(node):
        checked = network.graph.call_function(of_size, (node, name, sizes))
    node.replace_all_uses_with(checked)
    checked.args = (node, name, sizes)
    network.recompile()


def _is_one_step(calls: list[Call], plans: dict[nn.Module, Plan]) -> bool:
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
