"""From the calls of one run to what happens at every step: a graph in which time is one tensor."""

from __future__ import annotations

from typing import Any, Mapping

import torch
from torch import Tensor, nn

from .graph import At, Chain, Expression, Layer, Partial, Plan, SizeOf, Value, Whole, changes
from .record import Call, Quotient, Recorder, Size, flat, mapped

SUMS = ("add", "__add__", "__radd__", "__iadd__", "add_")


class Roller:
    """Makes expressions of the calls of a recorder.

    Parameters
    ----------
    recorder : Recorder
    plans : mapping of torch.nn.Module to Plan
        Of the neurons.
    layers : mapping of torch.nn.Module to Layer
        Of other layers of the library.
    known : mapping of int to str
        Ids of the model's parameters, buffers and other tensors, and their names.
    """

    def __init__(
        self,
        recorder: Recorder,
        plans: Mapping[nn.Module, Plan],
        layers: Mapping[nn.Module, Layer],
        known: Mapping[int, str],
    ) -> None:
        self.operation = recorder.operation
        self.recorder = recorder
        self.plans = plans
        self.layers = layers
        self.known = known
        self.values: dict[int, Value] = {}
        self.chains: list[Chain] = []
        self.expressions: dict[Any, Expression] = {}
        self.owners: dict[int, Chain] = {}  # ids of states that a neuron returned
        counts: dict[Any, int] = {}
        for call in recorder.calls:
            if call.is_module:
                counts[call.target] = counts.get(call.target, 0) + 1
        self.counts = counts
        single = [module for module, plan in plans.items() if not plan.sequence]
        self.longest = max((counts.get(module, 0) for module in single), default=0)
        self.device: torch.device | None = None  # of the inputs
        self.taken: dict[Any, set[int]] = {}  # indices by tensor and dimension
        for call in recorder.calls:
            found = None if call.is_module else _selected(call, call.args, call.kwargs)
            if found is not None:
                self.taken.setdefault((id(call.args[0]), found[0]), set()).add(found[1])

    def refuse(self, name: str, expected: str, got: str) -> ValueError:
        """Return an error with the sentence of a module or function."""
        return ValueError(f"{self.operation}: {name}: expected {expected}, got {got}")

    def takes_steps(self, tensor: Tensor) -> bool:
        """Return whether the model takes single entries of a tensor."""
        return any(key == id(tensor) for key, _ in self.taken) or any(
            call.name == "unbind" and call.args[0] is tensor for call in self.recorder.calls
        )

    def take(self, inputs: list[tuple[str, Any]], one_step: bool) -> None:
        """Name the inputs, tensors or other values; of one step, they come at each step."""
        for name, value in inputs:
            if isinstance(value, Tensor):
                self.device = value.device
                made = Expression("input", None, name, example=value, over_time=one_step)
                made.seen.add(0)
                self.values[id(value)] = At(made, 0) if one_step else Whole(made)

    def roll(self) -> None:
        """Go through the calls."""
        for call in self.recorder.calls:
            args, kwargs = (self.resolved(call, each) for each in (call.args, call.kwargs))
            if call.is_module and call.target in self.plans:
                self._neuron(call, args, kwargs)
                continue
            value = None if call.is_module else self._of_time(call, args, kwargs)
            if value is None:
                self._plain(call, args, kwargs)

    def ours(self, module: nn.Module) -> nn.Module:
        """Return the module that stands for one of the library, or the module itself."""
        return self.layers[module].module if module in self.layers else module

    def resolved(self, call: Any, nested: Any) -> Any:
        """Return arguments with values in place of tensors and sizes."""

        def one(leaf: Any) -> Any:
            if isinstance(leaf, (Size, Quotient)):
                first, *rest = leaf.formula
                return SizeOf((one(first) if isinstance(first, Tensor) else first, *map(one, rest)))
            return self.value(leaf, call.name) if isinstance(leaf, Tensor) else leaf

        return mapped(one, nested)

    def value(self, tensor: Tensor, user: str) -> Value:
        """Return what a tensor is."""
        found = self.values.get(id(tensor))
        if found is not None:
            return found
        name = self.known.get(id(tensor))
        kind = "unknown" if name is None else "attribute"
        made = Whole(Expression(kind, name, user if name is None else name, example=tensor))
        self.values[id(tensor)] = made
        return made

    def expression(self, over_time: bool, kind: str, target: Any, name: str, args: Any,
                   kwargs: Any, example: Any) -> Expression:  # fmt: skip
        """Return the expression of a call, the same one for the same call."""
        key = (over_time, kind, target, _key(args, over_time), _key(kwargs, over_time))
        if key not in self.expressions:
            self.expressions[key] = Expression(
                kind, target, name, args, kwargs, example, over_time=over_time
            )
        return self.expressions[key]

    def _keep(self, tensor: Any, value: Value) -> None:
        if isinstance(value, At):
            value.of.seen.add(value.step)
        self.values[id(tensor)] = value

    def _plain(self, call: Call, args: Any, kwargs: Any) -> None:
        """Keep the result of a call that computes something of one step, or without steps."""
        values = [each for each in flat((args, kwargs)) if isinstance(each, (At, Partial))]
        steps = {each.step for each in values if isinstance(each, At)}
        over = len(steps) == 1 and not any(isinstance(each, Partial) for each in values)
        step = steps.pop() if over else 0
        again = call.is_module and self.counts[call.target] > 1 and changes(self.ours(call.target))
        if again and not values:  # other random numbers at each step, of the same input
            over, step = True, self.counts.setdefault((call.target, "so far"), 0)
            self.counts[call.target, "so far"] += 1
        kind, target = "module" if call.is_module else "function", call.target
        if call.is_module and target in self.layers:
            kind = "sequence" if self.layers[target].sequence else kind
            target = self.layers[target].module
        made = self.expression(over, kind, target, call.name, args, kwargs, call.result)
        if isinstance(call.result, Tensor):
            self._keep(call.result, At(made, step) if over else Whole(made))
            return
        for index, each in enumerate(call.result if isinstance(call.result, (tuple, list)) else ()):
            if isinstance(each, Tensor):
                source = At(made, step) if over else Whole(made)
                made.seen.add(step)
                part = self.expression(over, "function", "[]", call.name, (source, index), {}, each)
                self._keep(each, At(part, step) if over else Whole(part))

    def _of_time(self, call: Call, args: Any, kwargs: Any) -> Value | None:
        """Keep and return the value of a call that takes steps apart or together, or None."""
        first = args[0] if args else None
        value: Value | None = None
        if isinstance(first, Whole):
            if call.name == "unbind":
                dim = _argument(args, kwargs, 1, "dim", 0)
                self.recorder.sized.add(id(call.args[0]))
                for step, each in enumerate(call.result):
                    self._keep(each, self._step(first, dim, step, each, True))
                return first
            found = _selected(call, args, kwargs)
            if found is not None and (
                self.longest == 1 or len(self.taken[id(call.args[0]), found[0]]) > 1
            ):
                read = id(call.args[0]) in self.recorder.sized
                value = self._step(first, *found, call.result, read)
        elif call.name in ("stack", "cat", "concat", "concatenate") and isinstance(first, list):
            value = self._joined(call, first, _argument(args, kwargs, 1, "dim", 0))
        elif call.name in SUMS and len(args) == 2 and not kwargs:
            value = _summed(*args) or _summed(*reversed(args))
        if value is not None:
            self._keep(call.result, value)
        return value

    def _step(self, whole: Whole, dim: int, step: int, example: Tensor, read: bool) -> Value:
        source = whole.of.example
        assert source is not None
        dim = dim % source.dim()
        made = self.expression(True, "steps", None, whole.of.name, (whole, dim), {}, example)
        made.kwargs["read"] = made.kwargs.get("read", False) or read
        number = step % source.shape[dim]
        made.kwargs.setdefault("indices", {})[number] = step  # from the end, where it is negative
        return At(made, number)

    def _joined(self, call: Call, parts: list[Any], dim: int) -> Value | None:
        """Return steps in one tensor, where a list has those of one expression in order."""
        if not all(isinstance(part, At) for part in parts):
            return None
        of, begin = parts[0].of, parts[0].step
        for count, part in enumerate(parts):
            if part.of is not of or part.step != begin + count:
                return None
        if len(parts) == 1 and begin == 0 and call.name != "stack":
            return None
        args = (of, begin, begin + len(parts), dim, call.name == "stack")
        made = self.expression(False, "whole", of, of.name, args, {}, call.result)
        return Whole(made)

    def _neuron(self, call: Call, args: Any, kwargs: Any) -> None:
        plan, x = self.plans[call.target], args[0]
        if not isinstance(x, (Whole, At)):
            raise self.refuse(call.name, "an input of one step", "a sum of some")
        tensors = [each for each in flat(call.result) if isinstance(each, Tensor)]
        rank = call.args[0].dim()
        if rank < 2 + plan.sequence:
            raise self.refuse(
                call.name, "steps of a batch, [B, ...]", f"{rank - plan.sequence} dimensions"
            )
        states = [each for each in flat((call.args[1:], call.kwargs)) if isinstance(each, Tensor)]
        chain = self._chain(call, plan, states)
        step = len(chain.inputs)
        neuron = chain.neuron
        if step == 0:
            neuron.args = (x,)
        if plan.sequence and (step or not isinstance(x, Whole)):
            raise self.refuse(call.name, "one call with all steps", "several")
        self._same_input(call, neuron, x, step, plan)
        chain.inputs.append(call.copies[0])
        chain.results.append(call.copies[1:])
        chain.last = {id(each) for each in tensors}
        seen: set[int] = set()
        for role, tensor in zip(plan.roles, tensors):
            self.owners[id(tensor)] = chain
            if id(tensor) in seen:
                continue
            seen.add(id(tensor))
            made = self.expression(
                not plan.sequence, "output", neuron, call.name, (role, len(seen)), {}, tensor
            )
            self._keep(tensor, Whole(made) if plan.sequence else At(made, step))

    def _same_input(self, call: Call, neuron: Expression, x: Any, step: int, plan: Plan) -> None:
        (first,) = neuron.args
        if isinstance(x, At) and x.step != step and not plan.sequence:
            raise self.refuse(
                call.name, f"an input of step {step} at its call {step}",
                f"one of step {x.step}: connections from step to step are those of its state",
            )  # fmt: skip
        if type(x) is type(first) and x.of is first.of:
            return
        raise self.refuse(
            call.name, "the same computation of its input at all steps",
            f"{x.of.name!r} at step {step} after {first.of.name!r} at step 0",
        )  # fmt: skip

    def _chain(self, call: Call, plan: Plan, states: list[Tensor]) -> Chain:
        """Return the chain that a call of a neuron goes on with, or a new one."""
        for chain in self.chains:
            if chain.module is not call.target:
                continue
            if plan.hidden or any(self.owners.get(id(state)) is chain for state in states):
                if not plan.hidden and not all(id(state) in chain.last for state in states):
                    raise self.refuse(
                        call.name, "the state that its last call returned", "another one"
                    )
                return chain
        for state in states:
            if state.requires_grad or bool(state.detach().count_nonzero()):
                raise self.refuse(
                    call.name, "a first state of zeros, or none", "one that is learnt or not zero"
                )
        neuron = Expression("neuron", call.target, call.name, over_time=not plan.sequence)
        self.chains.append(Chain(call.name, call.target, plan, neuron))
        return self.chains[-1]


def _summed(one: Any, other: Any) -> Value | None:
    if not isinstance(other, At):
        return None
    if isinstance(one, Partial) and one.of is other.of and one.step + 1 == other.step:
        return Partial(other.of, other.step, one.start)
    if isinstance(one, At) and one.step == 0 and other.step == 1:
        if one.of is other.of:
            return Partial(other.of, 1)
        first = one.of
        if first.kind == "function" and first.name in SUMS and len(first.args) == 2:
            for start, added in (first.args, first.args[::-1]):
                if isinstance(added, At) and added.of is other.of and not isinstance(start, At):
                    return Partial(other.of, 1, start)
    return None


def _selected(call: Call, args: Any, kwargs: Any) -> tuple[int, int] | None:
    """Return the dimension and the index of a call that takes one step out of a tensor."""
    if call.name == "select":
        return _argument(args, kwargs, 1, "dim", 0), _argument(args, kwargs, 2, "index", 0)
    if call.name != "__getitem__":
        return None
    index = args[1] if isinstance(args[1], tuple) else (args[1],)
    found = [dim for dim, each in enumerate(index) if type(each) is int]
    rest = [each for dim, each in enumerate(index) if dim not in found]
    if len(found) != 1 or not all(each is Ellipsis or each == slice(None) for each in rest):
        return None
    (dim,) = found
    if Ellipsis in index[:dim]:
        dim -= len(index)
    return dim, index[found[0]]


def _argument(args: Any, kwargs: Any, place: int, name: str, default: Any) -> Any:
    return args[place] if len(args) > place else kwargs.get(name, default)


def _key(value: Any, over_time: bool) -> Any:
    """Return what is the same for the same arguments; a step counts where there is no other."""
    if isinstance(value, Whole):
        return "whole", id(value.of)
    if isinstance(value, At):
        return "at", id(value.of), None if over_time else value.step
    if isinstance(value, Partial):
        return "sum", id(value.of), value.step, _key(value.start, over_time)
    if isinstance(value, SizeOf):  # the same at all steps
        return "size", _key(value.formula, True)
    if isinstance(value, Expression):
        return "expression", id(value)
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, *(_key(each, over_time) for each in value))
    if isinstance(value, dict):
        return tuple((name, _key(each, over_time)) for name, each in value.items())
    if isinstance(value, slice):
        return "slice", _key((value.start, value.stop, value.step), over_time)
    if value is None or isinstance(value, (bool, int, float, str, torch.dtype, torch.device)):
        return type(value).__name__, str(value)
    return "object", id(value)
