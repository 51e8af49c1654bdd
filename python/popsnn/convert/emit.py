"""From expressions to a module: torch.fx writes its forward, in which time is a dimension."""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

import torch
from torch import Tensor, fx, nn

from ..nn import Dropout
from . import modules
from .graph import At, Chain, Expression, Partial, SizeOf, Whole, changes
from .record import IN_PLACE, mapped
from .roll import Roller
from .rules import ALONG, ANY_SHAPE, BY_SAMPLE, FOLDED, NORMS, POINTWISE, RESHAPES

# What a network has already, and the name of itself in its forward.
RESERVED = {*dir(fx.GraphModule(nn.Module(), fx.Graph())), "self"}


class Emitter:
    """Writes the graph of a network.

    Parameters
    ----------
    roller : Roller
        Whose calls have been gone through.
    inputs : list of str
        Names of the inputs, in order.
    one_step : bool
        Whether the model is one step, so that inputs and outputs get a time axis.
    """

    def __init__(self, roller: Roller, inputs: list[str], one_step: bool) -> None:
        self.roller = roller
        self.one_step = one_step
        self.graph = fx.Graph()
        self.root: dict[str, Any] = {}
        self.placeholders = {name: self.graph.placeholder(name) for name in inputs}
        self.nodes: dict[Any, Any] = {}
        self.roles: dict[Expression, set[str]] = {}
        self.targets: dict[str, Chain] = {}  # of the neurons' modules
        self.norms: dict[nn.Module, Expression] = {}
        self._steps: Any = None
        self.count = self._count()

    def _count(self) -> int:
        """Return how many steps the recorded run had."""
        chains = [chain for chain in self.roller.chains if not chain.plan.sequence]
        for chain in chains[1:]:
            if len(chain.inputs) != len(chains[0].inputs):
                raise self.roller.refuse(
                    chain.name,
                    f"as many steps as {chains[0].name} has, {len(chains[0].inputs)}",
                    str(len(chain.inputs)),
                )
        if chains:
            return len(chains[0].inputs)
        steps = [each.seen for each in self.roller.expressions.values() if each.over_time]
        return 1 + max((max(seen) for seen in steps if seen), default=0)

    def network(self, result: Any, name: str) -> fx.GraphModule:
        """Return the network that computes a nested result of values."""
        for value in _values(result):
            self._need(value.of)
        out = mapped(self._output, result)
        self.graph.output(out)
        return fx.GraphModule(self.root, self.graph, name)

    def _output(self, leaf: Any) -> Any:
        if isinstance(leaf, At) and self.one_step:
            return self.over(leaf.of)
        if isinstance(leaf, (Whole, At, Partial, SizeOf)):
            return self.node(leaf)
        if leaf is None or isinstance(leaf, (bool, int, float, str)):
            return leaf
        raise self.roller.refuse("forward", "tensors as results", type(leaf).__name__)

    def _need(self, expression: Expression) -> None:
        """Note which outputs of neurons the result needs, and refuse states."""
        todo, done = [expression], set()
        while todo:
            each = todo.pop()
            if each in done:
                continue
            done.add(each)
            if each.kind == "output":
                role = each.args[0]
                if role == "state":
                    raise self.roller.refuse(
                        each.name, "a forward that uses its spikes and its membrane", "its state"
                    )
                self.roles.setdefault(each.target, set()).add(role)
                todo.append(each.target)
            if isinstance(each.target, Expression):
                todo.append(each.target)
            todo += [value.of for value in _values((each.args, each.kwargs))]

    def node(self, value: Any) -> Any:
        """Return the node of a value that has no time axis."""
        if isinstance(value, Whole):
            return self._once(("whole", value.of), self._whole, value.of)
        if isinstance(value, At):
            return self._once(("at", value.of, value.step), self._at, value.of, value.step)
        if isinstance(value, Partial):
            steps = self.over(value.of)
            if value.step + 1 != self.count:
                steps = self.graph.call_method("narrow", (steps, 0, 0, value.step + 1))
            total = self.graph.call_method("sum", (steps, 0))
            if value.start is None:
                return total
            return self.graph.call_function(torch.add, (total, self.node(value.start)))
        if isinstance(value, SizeOf):
            return self._size(*value.formula)
        if isinstance(value, torch.device) and value == self.roller.device:
            return self._once("device", self._device)
        return value

    def _device(self) -> Any:
        """Return the node of the inputs' device, which need not be that of the recorded run."""
        first = next(iter(self.placeholders.values()))
        return self.graph.call_function(getattr, (first, "device"))

    def _size(self, first: Any, *rest: Any) -> Any:
        if isinstance(first, At):
            return self.graph.call_method("size", (self.over(first.of), rest[0] + 1))
        if isinstance(first, (Whole, Partial)):
            return self.graph.call_method("size", (self.node(first), rest[0]))
        return self.graph.call_function(first, tuple(self.node(each) for each in rest))

    def _once(self, key: Any, make: Any, *args: Any) -> Any:
        if key not in self.nodes:
            self.nodes[key] = make(*args)
        return self.nodes[key]

    def _whole(self, expression: Expression) -> Any:
        kind = expression.kind
        if kind == "input":
            return self.placeholders[expression.name]
        if kind == "attribute":
            name = _allowed(expression.name)
            self.root[name] = _kept(expression.example)
            return self.graph.get_attr(name)
        if kind == "unknown":
            raise self.roller.refuse(
                expression.name, "tensors that layers and functions of torch make of the input",
                f"one of shape {tuple(expression.sample.shape)} of another origin",
            )  # fmt: skip
        if kind == "whole":
            return self._steps_together(*expression.args)
        if kind == "output":
            return self._result(expression)
        if kind == "module":
            return self._module(expression, self._plain)
        if kind == "sequence":
            return self._layer(expression, self.node(expression.args[0]), expression.target)
        return self._function(expression, mapped(self.node, expression.args),
                              mapped(self.node, expression.kwargs))  # fmt: skip

    def _at(self, expression: Expression, step: int) -> Any:
        if self._complete(expression):
            index = -1 if step == self.count - 1 else step
            return self.graph.call_method("select", (self.over(expression), 0, index))

        def there(leaf: Any) -> Any:
            return self.node(At(leaf.of, step) if isinstance(leaf, At) else leaf)

        args, kwargs = mapped(there, expression.args), mapped(there, expression.kwargs)
        if expression.kind == "function":
            return self._function(expression, args, kwargs)
        once = len(expression.seen) == 1 or not changes(expression.target)
        if expression.kind == "module" and once:
            return self._called(expression, args, kwargs)
        if expression.kind == "steps":
            return self.graph.call_method("select", (args[0], args[1], kwargs["indices"][step]))
        raise self.roller.refuse(
            expression.name, "the same layers at all steps", f"some at step {step} alone"
        )

    def _complete(self, expression: Expression) -> bool:
        return len(expression.seen) == self.count or self.one_step

    def over(self, expression: Expression) -> Any:
        """Return the node of an expression's steps in one tensor, [T, ...]."""
        return self._once(("over", expression), self._over, expression)

    def _over(self, expression: Expression) -> Any:
        if not self._complete(expression):
            raise self.roller.refuse(
                expression.name, "the same graph at all steps",
                f"{expression.name!r} at {len(expression.seen)} of {self.count}",
            )  # fmt: skip
        if expression.kind == "input":
            return self.placeholders[expression.name]
        if expression.kind == "steps":
            return self._source(expression)
        if expression.kind == "output":
            return self._result(expression)
        if expression.kind == "module":
            return self._module(expression, self._over_modules)
        return self._function_over(expression)

    def _source(self, expression: Expression) -> Any:
        whole, dim = expression.args
        tensor = self.node(whole)
        if expression.kwargs["read"] and whole.of.sample.shape[dim] == self.count:
            return tensor if dim == 0 else self.graph.call_method("movedim", (tensor, dim, 0))
        return self.graph.call_function(modules.first_steps, (tensor, dim, self.steps()))

    def steps(self) -> Any:
        """Return the number of steps, a node where inputs decide about it."""
        if self._steps is None:
            self._steps = self._number_of_steps()
        return self._steps

    def _number_of_steps(self) -> Any:
        if self.one_step:
            first = next(iter(self.placeholders.values()))
            return self.graph.call_method("size", (first, 0))
        for each in self.roller.expressions.values():
            if each.kind == "steps" and each.kwargs["read"] and self._complete(each):
                whole, dim = each.args
                if whole.of.sample.shape[dim] == self.count:
                    return self.graph.call_method("size", (self.node(whole), dim))
        return self.count

    def moving(self, value: Any) -> Any:
        """Return the node of a value over time; one without steps is repeated."""
        if isinstance(value, At):
            return self.over(value.of)
        node = self.node(value)
        return self._once(
            ("repeated", node),
            lambda: self.graph.call_function(modules.repeated, (node, self.steps())),
        )

    def _steps_together(self, of: Expression, begin: int, end: int, dim: int, stacked: bool) -> Any:
        steps = self.over(of) if self._complete(of) else None
        if steps is None:
            parts = [self.node(At(of, step)) for step in range(begin, end)]
            return self.graph.call_function(torch.stack if stacked else torch.cat, (parts, dim))
        if begin or end != self.count:
            last = None if end == self.count else end
            steps = self.graph.call_function(modules.between, (steps, begin, last))
        if not stacked:
            return self.graph.call_function(modules.joined, (steps, dim))
        return steps if dim == 0 else self.graph.call_method("movedim", (steps, 0, dim))

    def _result(self, expression: Expression) -> Any:
        neuron: Expression = expression.target
        out = self._once(("neuron", neuron), self._neuron, neuron)
        if expression.args[0] == "final":
            return out["final"]
        if "both" not in out:
            return out[expression.args[0]]
        return self.graph.call_function(
            modules.item, (out["both"], 0 if expression.args[0] == "spikes" else 1)
        )

    def _neuron(self, neuron: Expression) -> dict[str, Any]:
        chain = next(each for each in self.roller.chains if each.neuron is neuron)
        plan, roles = chain.plan, self.roles[neuron] - {"final"}
        (value,) = neuron.args
        x = self.node(value) if plan.sequence else self.moving(value)
        if plan.before is not None:
            name = self._named(f"{chain.name}_input", plan.before)
            x = self.graph.call_module(name, (x,))
        both = "membrane" in roles and "spikes" in plan.roles
        name = self._named(chain.name, plan.make(both), chain)
        made: dict[str, Any] = {}
        if "final" in self.roles[neuron]:
            pair = self.graph.call_module(name, (x,), {"return_state": True})
            out, made["final"] = (
                self.graph.call_function(modules.item, (pair, index)) for index in (0, 1)
            )
        else:
            out = self.graph.call_module(name, (x,))
        if not both:
            made.update(dict.fromkeys(roles, out))
        elif roles == {"membrane"}:
            made["membrane"] = self.graph.call_function(modules.item, (out, 1))
        else:
            made["both"] = out
        return made

    def _named(self, name: str, module: nn.Module, chain: Chain | None = None) -> str:
        """Put a module under its name in the model, and return the name that is free for it."""
        name = _allowed(name or "layer")
        free, count = name, 1
        while free in self.root and self.root[free] is not module:
            count += 1
            free = f"{name}_{count}"
        self.root[free] = module
        if chain is not None:
            self.targets[free] = chain
        return free

    def _leaf(self, expression: Expression) -> str:
        """Return the name of a layer of torch, of which the model keeps its own module."""
        module = expression.target
        made = self._once(("leaf", module), modules.recast, module, type(module))
        return self._named(expression.name, made)

    def _module(self, expression: Expression, apply: Any) -> Any:
        module = expression.target
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            first = self.norms.setdefault(module, expression)
            if first is not expression:
                raise self.roller.refuse(
                    expression.name, "one place in the network for batch normalisation",
                    "several: their statistics depend on the order of steps",
                )  # fmt: skip
        return apply(expression, module)

    def _plain(self, expression: Expression, module: nn.Module) -> Any:
        args = mapped(self.node, expression.args)
        return self._called(expression, args, mapped(self.node, expression.kwargs))

    def _called(self, expression: Expression, args: Any, kwargs: Any) -> Any:
        """Return the node of a layer that is called without a time axis."""
        name = self._leaf(expression)
        if isinstance(expression.target, Dropout):
            one = self.graph.call_method("unsqueeze", (args[0], 0))
            return self.graph.call_method("squeeze", (self.graph.call_module(name, (one,)), 0))
        return self.graph.call_module(name, args, kwargs)

    def _over_modules(self, expression: Expression, module: nn.Module) -> Any:
        if len(expression.args) != 1 or expression.kwargs:
            raise self.roller.refuse(
                expression.name, "layers of one input", f"{len(expression.args)}"
            )
        x = self.moving(expression.args[0])
        if type(module) in NORMS:
            over = self._once(("norm", module), modules.recast, module, NORMS[type(module)])
            return self.graph.call_module(self._named(expression.name, over), (x,))
        return self._layer(expression, x, module)

    def _layer(self, expression: Expression, x: Any, module: nn.Module) -> Any:
        """Return the node of a layer over x [T, B, ...]."""
        if isinstance(module, (Dropout, modules.Voting, *ANY_SHAPE)):
            return self.graph.call_module(self._leaf(expression), (x,))
        rest = isinstance(module, nn.modules.batchnorm._BatchNorm)
        rest = rest or (isinstance(module, nn.Flatten) and module.start_dim >= 1)
        rest = rest or (isinstance(module, nn.Unflatten) and module.dim >= 1)
        if rest or isinstance(module, FOLDED):
            folded = self.graph.call_function(modules.fold, (x,))
            out = self.graph.call_module(self._leaf(expression), (folded,))
            return self.graph.call_function(modules.unfold, (out, x))
        each = self._once(("each", module), modules.EachStep, modules.recast(module, type(module)))
        name = self._named(expression.name, each)
        return self.graph.call_module(name, ((True,), x))

    def _function(self, expression: Expression, args: Any, kwargs: Any) -> Any:
        """Return the node of a call of a function, without a time axis."""
        func, name = expression.target, expression.name
        if func == "[]":
            return self.graph.call_function(modules.item, args)
        kwargs = {key: value for key, value in kwargs.items() if key != "inplace"}
        if name in IN_PLACE:
            return self.graph.call_method(IN_PLACE[name], args, kwargs)
        if getattr(func, "__name__", "") == "__get__":
            return self.graph.call_function(getattr, (*args, name))
        if getattr(Tensor, name, None) == func:
            return self.graph.call_method(name, args, kwargs)
        return self.graph.call_function(func, args, kwargs)

    def _function_over(self, expression: Expression) -> Any:
        """Return the node of a function that is called at each step."""
        args, kwargs, name = expression.args, expression.kwargs, expression.name
        ranks = [each.of.sample.dim() for each in _values((args, kwargs)) if isinstance(each, At)]
        others = [
            each.of.sample.dim() for each in _values(args)
            if isinstance(each, Whole) and each.of.example is not None
        ]  # fmt: skip
        alike = len(set(ranks)) == 1 and all(rank <= ranks[0] for rank in others)
        if name == "linear" and len(ranks) == 1 and isinstance(args[0], At):
            alike = True
        out, first = expression.example, args[0] if args else None

        def over(leaf: Any) -> Any:
            return self.over(leaf.of) if isinstance(leaf, At) else self.node(leaf)

        if name in POINTWISE and alike:
            return self._function(expression, mapped(over, args), mapped(over, kwargs))
        if name in ("cat", "concat", "stack") and isinstance(first, list):
            parts = [self.moving(each) for each in first]
            dim = args[1] if len(args) > 1 else kwargs.get("dim", 0)
            function = torch.stack if name == "stack" else torch.cat
            return self.graph.call_function(function, (parts, dim + 1 if dim >= 0 else dim))
        if isinstance(first, At) and len(ranks) == 1 and isinstance(out, Tensor):
            shape = first.of.sample.shape
            if name in RESHAPES and out.dim() and len(shape) and out.shape[0] == shape[0]:
                return self.graph.call_function(
                    modules.reshaped, (self.over(first.of), tuple(out.shape[1:]))
                )
            if name == "unsqueeze":
                dim = args[1] if len(args) > 1 else kwargs["dim"]
                moved = (self.over(first.of), dim + 1 if dim >= 0 else dim)
                return self.graph.call_method("unsqueeze", moved)
            dim = args[1] if len(args) > 1 else kwargs.get("dim")
            along = name in ALONG and type(dim) is int and dim % len(shape) != 0
            if name in BY_SAMPLE or along:
                x = self.over(first.of)
                folded = self.graph.call_function(modules.fold, (x,))
                rest = mapped(self.node, args[1:])
                done = self._function(expression, (folded, *rest), mapped(self.node, kwargs))
                return self.graph.call_function(modules.unfold, (done, x))
        return self._each(expression)

    def _each(self, expression: Expression) -> Any:
        """Return the node of a function that is called step by step."""
        args = expression.args
        if any(isinstance(each, (list, tuple)) and any(_values(each)) for each in args) or any(
            isinstance(each, At) for each in _values(expression.kwargs)
        ):
            raise self.roller.refuse(
                expression.name, "functions of tensors, not of lists of them", "such a list"
            )
        marked = tuple(isinstance(each, At) for each in args)
        made = modules.EachStep(_callable(expression))
        name = self._named(f"each_{expression.name.strip('_')}", made)
        nodes = [self.over(each.of) if isinstance(each, At) else self.node(each) for each in args]
        kwargs = mapped(self.node, expression.kwargs)
        return self.graph.call_module(name, (marked, *nodes), kwargs)


def _allowed(name: str) -> str:
    """Return a name in the model as the network may have it: `graph.lambda` as `graph_.lambda_`."""
    parts = [f"{part}_" if iskeyword(part) else part for part in name.split(".")]
    parts[0] += "_" * (parts[0] in RESERVED)
    return ".".join(parts)


def _values(nested: Any) -> list[Any]:
    """Return the values within nested arguments."""
    found: list[Any] = []

    def take(leaf: Any) -> Any:
        if isinstance(leaf, (Whole, At, Partial)):
            found.append(leaf)
        if isinstance(leaf, Partial):
            mapped(take, leaf.start)
        if isinstance(leaf, SizeOf):
            mapped(take, list(leaf.formula))
        return leaf

    mapped(take, nested)
    return found


def _callable(expression: Expression) -> Any:
    if expression.target == "[]":
        return modules.item
    if getattr(expression.target, "__name__", "") == "__get__":
        return modules.Attribute(expression.name)
    return expression.target


def _kept(tensor: Tensor | None) -> Tensor | None:
    return tensor if isinstance(tensor, nn.Parameter) or tensor is None else tensor.detach()
