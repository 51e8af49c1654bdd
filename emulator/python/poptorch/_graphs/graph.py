"""The graph of forward() on the device: the operations of its first run, by name and block.

PopTorch compiles such a graph. Here it decides nothing that is computed: it serves the checks of
blocks, the names of tensors, the log, and scripts that look at the operations.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable

import torch

from .._errors import Error
from .._logging import logger
from .._structure import tensors
from .op_names import popart_type, updates
from .overlaps import check_overlaps
from .stages import Placement, StageManager


@dataclass(eq=False)
class Operation:
    """One operation, with the names of its tensors.

    Attributes
    ----------
    kind : str
        PopART's type of it, or the name of torch's function.
    place : Placement or None
        None outside of every block.
    """

    name: str
    kind: str
    inputs: list[str]
    outputs: list[str]
    place: Placement | None
    attributes: dict[str, str] = field(default_factory=dict)


class Graph:
    """Takes down the operations of one run of forward().

    Parameters
    ----------
    stages : StageManager
    log : bool
    """

    def __init__(self, stages: StageManager, log: bool = True) -> None:
        self.stages = stages
        self._to_log = log
        self.scopes: list[str] = []
        self.attributes: dict[str, str] = {}
        self.operations: list[Operation] = []
        self.inputs: set[int] = set()  # ids of the tensors of the model's inputs
        self.overlaps: list[Any] = []
        self.merged: list[Operation] | None = None  # convolutions that are to become one
        self._names: dict[int, str] = {}
        self._kept: list[torch.Tensor] = []  # so that no other tensor gets the id of one of these
        self._makers: dict[str, Operation] = {}
        self._used: dict[str, int] = {}

    def named(self, name: str, tensor: torch.Tensor) -> str:
        """Give a tensor a name, with a number where another has it."""
        count = self._used.get(name, 0)
        self._used[name] = count + 1
        chosen = f"{name}/{count}" if count else name
        self._names[id(tensor)] = chosen
        self._kept.append(tensor)
        return chosen

    def alias(self, tensor: torch.Tensor, other: torch.Tensor) -> None:
        """Give `other` the name of `tensor`, whose values it has."""
        self._names[id(other)] = self._names[id(tensor)]
        self._kept.append(other)

    def follow(self, tensor: torch.Tensor, other: torch.Tensor) -> None:
        """Name `other`, which an operation without a kind makes of `tensor`."""
        name = self.name_of(tensor)
        maker = self._makers.get(name or "")
        made = self.named(name or "constant", other)
        if maker is not None:
            self._makers[made] = maker

    def name_of(self, tensor: torch.Tensor) -> str | None:
        """Return the name of a tensor; None of one that nothing here has made."""
        return self._names.get(id(tensor))

    def names(self) -> list[str]:
        """Return the names of all tensors."""
        return list(dict.fromkeys(self._names.values()))

    def find(self, name: str) -> torch.Tensor | None:
        """Return the tensor of a name."""
        return next((value for value in self._kept if self._names[id(value)] == name), None)

    def add(self, kind: str, arguments: Any, result: Any) -> Operation | None:
        """Take down an operation; one that makes no new tensor is none."""
        made = [value for value in tensors(result) if isinstance(value, torch.Tensor)]
        if not made:
            return None
        read = [name for value in tensors(arguments) for name in [self.name_of(value)] if name]
        name = "/".join([*self.scopes, kind])
        operation = Operation(name, kind, read, [], self.stages.current, dict(self.attributes))
        for i, value in enumerate(made):
            operation.outputs.append(self.named(f"{name}:{i}", value))
            self._makers[operation.outputs[-1]] = operation
        self.operations.append(operation)
        if self.merged is not None and kind == "Conv":
            self.merged.append(operation)
        if self._to_log:
            self._log(operation, made)
        return operation

    def merge(self, kind: str, parts: list[Operation]) -> None:
        """Put one operation in the place of several that are independent of each other."""
        last = parts[-1]
        names = [name for part in parts for name in part.inputs]
        made = [name for part in parts for name in part.outputs]
        merged = Operation("/".join([*self.scopes, kind]), kind, names, made, last.place)
        at = self.operations.index(last)
        self.operations[at] = merged
        self.operations = [op for op in self.operations if op not in parts]
        self._makers.update(dict.fromkeys(made, merged))

    def _log(self, operation: Operation, made: list[torch.Tensor]) -> None:
        strategy = self.stages.strategy
        word = "phase" if strategy.mode == "Phased" else "stage"
        for name, value in zip(operation.outputs, made):
            place = "no block"
            if operation.place is not None:
                place = f"ipu({operation.place.ipu}), {word}({operation.place.number})"
            logger.debug(
                "%s was lowered to %s [%s(%s), mode(%s), %s]",
                operation.kind,
                name,
                str(value.dtype).split(".")[1],
                ", ".join(map(str, value.shape)),
                strategy.mode,
                place,
            )

    def add_updates(self, optimizer: Any) -> None:
        """Take down the updates of the weights, which follow the backward pass."""
        if optimizer is None:
            return
        chosen = optimizer.settings
        kinds = updates(chosen.kind, chosen.has_velocity, chosen.options["use_combined_accum"])
        for name in (name for names in chosen.names for name in names):
            for kind in kinds:
                made = [f"UpdatedVar___{name}"] if kind == kinds[-1] else [f"Updater___{name}"]
                operation = Operation(f"{name}/{kind}", kind, [name], made, self.stages.current)
                self.operations.append(operation)

    def finish(self, results: Iterable[torch.Tensor]) -> None:
        """Check the blocks of all operations that the results need.

        Raises
        ------
        Error
            Where one is in no block, though there are blocks.
        """
        rest = [name for value in results for name in [self.name_of(value)] if name]
        seen: set[str] = set()
        while rest:
            operation = self._makers.get(rest.pop())
            if operation is None or operation.outputs[0] in seen:
                continue
            if operation.place is None:
                raise Error(
                    "No active Block, all the ops must belong to a Block: "
                    f"{operation.outputs[0]} does not."
                )
            self.stages.used_ipus.add(operation.place.ipu)
            seen.add(operation.outputs[0])
            rest += [name for name in operation.inputs if name not in seen]
        if self._to_log:
            logger.debug("%d operations lowered to PopART", len(self.operations))
        for name, value in self.stages.settings().items() if self._to_log else ():
            logger.debug("%s set to value %s", name, value)

    def as_json(self) -> str:
        """Return the operations as PopART writes its graph, in the fields that there are here."""
        entries = [
            {
                "type": operation.kind,
                "name": operation.name,
                "inputs": [{"name": name} for name in operation.inputs],
                "outputs": [{"name": name} for name in operation.outputs],
                "attributes": operation.attributes,
            }
            for operation in self.operations
        ]
        return json.dumps({"maingraph": entries}, separators=(",", ":"))


class _Scopes:
    """Puts the names of a model's modules around what they do, as long as it is entered.

    Parameters
    ----------
    model : Module or callable
    graph : Graph
    """

    def __init__(self, model: Any, graph: Graph) -> None:
        modules = model.named_modules() if isinstance(model, torch.nn.Module) else ()
        self._modules = [(name.split(".")[-1], module) for name, module in modules if name]
        self._graph = graph
        self._handles: list[Any] = []

    def __enter__(self) -> None:
        for name, module in self._modules:
            before = module.register_forward_pre_hook(self._enter(name))
            self._handles += [before, module.register_forward_hook(self._leave)]

    def _enter(self, name: str) -> Callable[..., None]:
        return lambda module, inputs: self._graph.scopes.append(name)

    def _leave(self, module: Any, inputs: Any, outputs: Any) -> None:
        self._graph.scopes.pop()

    def __exit__(self, *error: object) -> None:
        for handle in self._handles:
            handle.remove()


def new_graph(
    options: Any, weights: Any, inputs: Iterable[torch.Tensor], log: bool = True
) -> Graph:
    """Return a graph with the names of inputs and weights in it."""
    graph = Graph(StageManager(options._execution_strategy), log)
    for value in inputs:
        graph.named("input", value)
        graph.inputs.add(id(value))
    for name, value in weights.first.items():
        graph.named(name, value)
    return graph


def module_names(model: Any, graph: Graph | None, options: Any) -> Any:
    """Return a context in which operations are named by the modules that they are in."""
    if graph is None or not options.exists("module_namescope") or not options.module_namescope:
        return nullcontext()
    return _Scopes(model, graph)


def finish_graph(run: Any, results: Iterable[torch.Tensor], options: Any) -> None:
    """Check the graph of a run.

    Raises
    ------
    Error
        Where an operation is in no block, there are fewer micro-batches than stages, or an input
        or output cannot be copied while the device computes.
    """
    graph = run.graph
    results = list(results)
    graph.finish([*results, *run.losses])
    check_overlaps(graph, results, options)
    graph.stages.check_depth(
        run.training, options.Training.gradient_accumulation, options.device_iterations
    )


def recorded(graph: Graph | None, function: Any, arguments: Any, result: Any) -> None:
    """Take down a call into torch, where there is a graph."""
    if graph is None:
        return
    kind = popart_type(function)
    if kind is not None:
        graph.add(kind, arguments, result)
    elif isinstance(result, torch.Tensor) and graph.name_of(result) is None:
        source = next((v for v in tensors(arguments) if graph.name_of(v) is not None), None)
        if source is not None:
            graph.alias(source, result)
