"""One run of a model, recorded: each call of a layer or a function, with what it took and gave."""

from __future__ import annotations

import operator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Container, Iterator, Mapping

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

DEPENDS_ON_DATA = frozenset((
    "__bool__", "__int__", "__float__", "__index__", "__complex__", "__contains__", "item",
    "tolist", "numpy", "cpu", "nonzero", "masked_select", "unique", "equal", "allclose",
    "is_nonzero", "__array__",
))  # fmt: skip
RANDOM = frozenset((
    "bernoulli", "bernoulli_", "rand", "rand_like", "randn", "randn_like", "randint",
    "randint_like", "randperm", "normal", "normal_", "uniform_", "random_", "exponential_",
    "poisson", "multinomial", "dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout",
    "feature_dropout", "feature_alpha_dropout", "native_dropout", "rrelu",
))  # fmt: skip
IN_PLACE = {
    "__iadd__": "add", "__isub__": "sub", "__imul__": "mul", "__itruediv__": "div",
    "add_": "add", "sub_": "sub", "mul_": "mul", "div_": "div", "relu_": "relu",
}  # fmt: skip
SIZES = (Tensor.shape.__get__, Tensor.size, Tensor.__len__)  # type: ignore[attr-defined]


class Size(int):
    """The size of a tensor in a dimension as the recorded model sees it, or one computed of such.

    `formula` is the tensor and the dimension, or an operator and its operands.
    """

    formula: tuple[Any, ...]


class Quotient(float):
    """A quotient of sizes; `formula` is as of `Size`."""

    formula: tuple[Any, ...]


def sized(value: Any, *formula: Any) -> Any:
    """Return a number with its formula."""
    made: Any = Size(value) if isinstance(value, int) else Quotient(value)
    made.formula = formula
    return made


def _computed(kind: type, base: type, name: str) -> None:
    function = getattr(operator, name)

    def forward(self: Any, other: Any) -> Any:
        result = getattr(base, f"__{name}__")(self, other)
        return result if result is NotImplemented else sized(result, function, self, other)

    def reverse(self: Any, other: Any) -> Any:
        result = getattr(base, f"__r{name}__")(self, other)
        return result if result is NotImplemented else sized(result, function, other, self)

    setattr(kind, f"__{name}__", forward)
    setattr(kind, f"__r{name}__", reverse)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    _computed(Size, int, _name)
    _computed(Quotient, float, _name)


@dataclass
class Call:
    """A call of a leaf module or of a function of torch."""

    target: Any
    name: str  # of the module, or of the function
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any
    is_module: bool
    copies: tuple[Tensor, ...] = ()  # of a neuron's input and results, before others write there


class Recorder(TorchFunctionMode):
    """Records the calls of leaf modules and of functions between them.

    Parameters
    ----------
    operation : str
        For messages.
    leaves : mapping of torch.nn.Module to str
        Modules that are recorded as one call, and their names.
    neurons : container of torch.nn.Module, optional
        Leaves whose input and results are copied.
    states : Callable, optional
        Returns the states that a module keeps itself.

    Attributes
    ----------
    calls : list of Call
    sized : set of int
        Ids of tensors whose sizes were read.
    """

    def __init__(
        self,
        operation: str,
        leaves: Mapping[nn.Module, str],
        neurons: Container[nn.Module] = (),
        states: Callable[[nn.Module], list[Any]] = lambda module: [],
    ) -> None:
        super().__init__()
        self.neurons = neurons
        self.states = states
        self.left: dict[nn.Module, list[int]] = {}  # ids of the states that a call left
        self.operation = operation
        self.leaves = leaves
        self.calls: list[Call] = []
        self.made: set[int] = set()  # ids of all results
        self.sized: set[int] = set()
        self.inside = 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run a function of torch, and record it where the model calls it itself."""
        kwargs = kwargs or {}
        if self.inside:
            return func(*args, **kwargs)
        name = func.__name__
        if func in SIZES:
            return self._sizes(func(*args, **kwargs), args)
        if name in ("__get__", "__set__"):
            name = func.__self__.__name__ + ("" if name == "__get__" else "_")
        if name in DEPENDS_ON_DATA:
            raise ValueError(
                f"{self.operation}: {name}: expected a forward that takes the same steps for any "
                f"data, got one that reads values by Tensor.{name}"
            )
        if name == "_set_grad_enabled":
            return func(*args, **kwargs)
        if not torch.is_grad_enabled() or torch.is_autocast_enabled():
            raise ValueError(
                f"{self.operation}: {name}: expected a forward without no_grad and autocast of its "
                f"own, got {name} within one of them"
            )
        if name in RANDOM:
            raise ValueError(
                f"{self.operation}: {name}: expected a forward without random numbers, got "
                f"{name}, which a module such as torch.nn.Dropout would draw"
            )
        writes = name in IN_PLACE or kwargs.get("inplace") is True
        self._check_writing(name, args, kwargs, writes)
        result = func(*args, **kwargs)
        if self._note(result):
            self.calls.append(Call(func, name, args, kwargs, result, False))
        return result

    def _note(self, result: Any) -> bool:
        """Remember the tensors of a result, and return whether there are any."""
        tensors = [id(each) for each in flat(result) if isinstance(each, Tensor)]
        self.made.update(tensors)
        return bool(tensors)

    def _check_writing(self, name: str, args: Any, kwargs: Mapping[str, Any], writes: bool) -> None:
        if name == "detach_" and not args[0].requires_grad:
            return  # it changes nothing
        in_place = (name.endswith("_") and not name.startswith("_")) or name == "__setitem__"
        if kwargs.get("out") is not None or (in_place and name not in IN_PLACE):
            raise ValueError(
                f"{self.operation}: {name}: expected functions that make new tensors, got "
                f"{name}, which writes into one"
            )
        base = args[0]._base if writes and isinstance(args[0], Tensor) else None
        if base is not None and (base.is_leaf or id(base) in self.made):
            raise ValueError(
                f"{self.operation}: {name}: expected functions that make new tensors, got "
                f"{name}, which writes into a view of another"
            )

    def _sizes(self, sizes: Any, args: Any) -> Any:
        tensor = args[0]
        self.sized.add(id(tensor))
        if isinstance(sizes, torch.Size):
            return torch.Size(sized(size, tensor, dim) for dim, size in enumerate(sizes))
        return sized(sizes, tensor, args[1] % tensor.dim() if len(args) > 1 else 0)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record within the block: leaf modules by a forward of their own instance."""
        try:
            for module, name in self.leaves.items():
                module.__dict__["forward"] = self._recorded(module, name, module.forward)
            with self:
                yield
        finally:
            for module in self.leaves:
                module.__dict__.pop("forward", None)

    def _recorded(
        self, module: nn.Module, name: str, forward: Callable[..., Any]
    ) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            if self.inside:
                return forward(*args, **kwargs)
            self.inside += 1
            try:
                self._check_states(module, name)
                result = forward(*args, **kwargs)
                self.left[module] = [id(state) for state in self.states(module)]
            finally:
                self.inside -= 1
            self._note(result)
            copies: tuple[Tensor, ...] = ()
            if module in self.neurons:
                copies = tuple(
                    each.detach().clone()
                    for each in flat((args[0], result))
                    if isinstance(each, Tensor)
                )
            self.calls.append(Call(module, name, args, kwargs, result, True, copies))
            return result

        return run

    def _check_states(self, module: nn.Module, name: str) -> None:
        states = self.states(module)
        if module in self.left:
            same = self.left[module] == [id(state) for state in states]
        else:
            same = not any(isinstance(each, Tensor) and bool(each.any()) for each in states)
        if not same:
            raise ValueError(
                f"{self.operation}: {name}: expected the state that its last call left, or none "
                "before the first, got another one"
            )


def flat(value: Any) -> Iterator[Any]:
    """Yield the leaves of nested tuples, lists and mappings, in order."""
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        yield value
        return
    for each in value:
        yield from flat(each)


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """Return nested tuples, lists and dicts with a function applied to their leaves."""
    if isinstance(value, dict):
        return {name: mapped(function, each) for name, each in value.items()}
    if isinstance(value, (tuple, list)):
        made = [mapped(function, each) for each in value]
        if hasattr(value, "_fields"):
            return type(value)(*made)
        return made if isinstance(value, list) else tuple(made)
    if isinstance(value, slice):
        return slice(*(function(each) for each in (value.start, value.stop, value.step)))
    return function(value)


def recorded(recorder: Recorder, model: nn.Module, example: tuple[Any, ...]) -> Any:
    """Return the result of a model in evaluation mode, and record its run."""
    modes = {module: module.training for module in model.modules()}
    try:
        model.eval()
        with torch.enable_grad(), recorder.listening():
            return model(*example)
    finally:
        for module, training in modes.items():
            module.training = training
