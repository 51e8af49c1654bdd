"""Inputs of a model: bound to forward(), checked, and cut into micro-batches."""

from __future__ import annotations

import inspect
from typing import Any, Iterator

import torch

from .._custom_op import check_int32
from .._errors import Error
from .._logging import logger
from .._structure import parser, rebuilt, tensors

_END = (
    "\nThis error occurred because the inputs passed at runtime don't match the inputs used to "
    "compile the model.\nTo recompile the model for the new inputs create a new inferenceModel / "
    "trainingModel wrapper or call destroy() on the curent one and try again."
)
_TYPES = (
    torch.float32,
    torch.float16,
    torch.float64,
    torch.int32,
    torch.int64,
    torch.bool,
    torch.int16,
    torch.int8,
    torch.uint8,
)


class Inputs:
    """Arguments of one call.

    Parameters
    ----------
    args : dict of str to Any
        Positional arguments by the names of forward()'s parameters.
    kwargs : dict of str to Any
    """

    def __init__(self, args: dict[str, Any], kwargs: dict[str, Any]) -> None:
        self.args = args
        self.kwargs = kwargs

    def tensors(self) -> list[torch.Tensor]:
        """Return all tensors in order."""
        return list(tensors((list(self.args.values()), self.kwargs)))

    def call(self, values: list[torch.Tensor]) -> tuple[list[Any], dict[str, Any]]:
        """Return arguments with other tensors, in the order of `tensors`."""
        args, kwargs = rebuilt((list(self.args.values()), self.kwargs), iter(values))
        return args, kwargs

    def check(self, inputs: Inputs) -> None:
        """Refuse inputs that are not as these, which the model is compiled for.

        Raises
        ------
        Error
        """
        if len(inputs.args) != len(self.args):
            raise Error(
                f"Number of positional arguments mismatch: expected {len(self.args)} arguments "
                f"but got {len(inputs.args)}.{_END}"
            )
        for (name, compiled), argument in zip(self.args.items(), inputs.args.values()):
            _check_same(name, compiled, argument)
        _check_keys("named arguments", self.kwargs, inputs.kwargs)
        for name, compiled in self.kwargs.items():
            _check_same(name, compiled, inputs.kwargs[name])


def _check_keys(name: str, compiled: dict[str, Any], inputs: dict[str, Any]) -> None:
    extra, missing = sorted(set(inputs) - set(compiled)), sorted(set(compiled) - set(inputs))
    details = [f"Unexpected arguments: {', '.join(extra)}"] if extra else []
    details += [f"Missing arguments: {', '.join(missing)}"] if missing else []
    if details:
        raise Error(f"Keys mismatch for {name}: {'. '.join(details)}.{_END}")


def _check_same(name: str, compiled: Any, inputs: Any) -> None:
    if type(compiled) is not type(inputs):
        raise Error(
            f"Type mismatch for {name}: expected {type(compiled)} but got {type(inputs)}.{_END}"
        )
    if isinstance(compiled, torch.Tensor):
        for what, expected, got in (
            ("Data type", compiled.dtype, inputs.dtype),
            ("Shape", compiled.shape, inputs.shape),
        ):
            if expected != got:
                raise Error(f"{what} mismatch for {name}: expected {expected} but got {got}.{_END}")
    elif isinstance(compiled, (tuple, list)):
        if len(compiled) != len(inputs):
            raise Error(
                f"Length mismatch for {name}: expected {len(compiled)} elements but got "
                f"{len(inputs)}.{_END}"
            )
        for i, (before, now) in enumerate(zip(compiled, inputs)):
            _check_same(f"{name}[{i}]", before, now)
    elif isinstance(compiled, dict):
        _check_keys(name, compiled, inputs)
        for key, before in compiled.items():
            _check_same(f"{name}[{key}]", before, inputs[key])
    elif parser(compiled) is not None:
        _check_same(name, tuple(tensors(compiled)), tuple(tensors(inputs)))
    elif compiled != inputs:
        raise Error(f"Value mismatch for {name}: expected {compiled} but got {inputs}.{_END}")


class ArgumentBinder:
    """Binds the arguments of a call to forward()'s parameters.

    Parameters
    ----------
    model : Module or callable
    """

    def __init__(self, model: Any) -> None:
        forward = model.forward if isinstance(model, torch.nn.Module) else model
        try:
            self.parameters = list(inspect.signature(forward).parameters.values())
        except ValueError:  # a function of C has no signature
            self.parameters = [
                inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD),
            ]
        self.warned = False

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Inputs:
        """Return the inputs of one call, all of them contiguous.

        Raises
        ------
        AssertionError
            Where there are too many, or one is named that there is not.
        Error
            Where one is missing, or has a type or size that the device does not take.
        """
        kinds = [parameter.kind for parameter in self.parameters]
        names = [parameter.name for parameter in self.parameters]
        variadic = inspect.Parameter.VAR_POSITIONAL in kinds
        variadic_named = inspect.Parameter.VAR_KEYWORD in kinds
        if not (variadic or variadic_named) and len(args) + len(kwargs) > len(names):
            raise AssertionError(
                f"Too many arguments provided: expected {names} ({len(names)}) "
                f"but got {len(args) + len(kwargs)}"
            )
        for name in kwargs:
            if not variadic_named and name not in names:
                raise AssertionError(f"{name} is not a valid parameter.Allowed values are {names}")
        bound, named = self._bound(args, kwargs)
        inputs = Inputs(bound, named)
        return self._contiguous(inputs)

    def _bound(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        bound: dict[str, Any] = {}
        named: dict[str, Any] = {}
        rest = dict(kwargs)
        after_variadic = False
        for i, parameter in enumerate(self.parameters):
            name = parameter.name
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                named.update(rest)
            elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                bound.update({f"*{name}[{k}]": value for k, value in enumerate(args[i:])})
                after_variadic = True
            elif i < len(args) and not after_variadic:
                if name in rest:
                    raise AssertionError(f"Parameter {name} was passed more than once")
                bound[name] = args[i]
            elif name in rest:
                keyword = after_variadic or parameter.kind is inspect.Parameter.KEYWORD_ONLY
                (named if keyword else bound)[name] = rest.pop(name)
            elif parameter.default is inspect.Parameter.empty:
                raise Error(f"Mandatory parameter {name} missing")
            else:
                keyword = after_variadic or parameter.kind is inspect.Parameter.KEYWORD_ONLY
                (named if keyword else bound)[name] = parameter.default
        return bound, named

    def _contiguous(self, inputs: Inputs) -> Inputs:
        values = inputs.tensors()
        for i, value in enumerate(values):
            if value.dtype not in _TYPES:
                raise Error(f"Unsupported input type {value.dtype} of input {i}.")
            if 0 in value.shape:
                raise Error(f"Zero-sized tensors are unsupported (Got shape {list(value.shape)})")
            if value.dtype == torch.int64:
                check_int32(f"input {i}", value)
        if all(value.is_contiguous() for value in values):
            return inputs
        if not self.warned:
            logger.warning(
                "At least one input tensor is not contiguous: non-contiguous tensors will be "
                "converted."
            )
            self.warned = True
        args, kwargs = inputs.call([value.contiguous() for value in values])
        return Inputs(dict(zip(inputs.args, args)), kwargs)


def synthetic(value: torch.Tensor) -> torch.Tensor:
    """Return what a device makes up instead of an input: normal numbers, or zeros of integers."""
    return torch.randn_like(value) if value.is_floating_point() else torch.zeros_like(value)


def micro_batches(inputs: Inputs, options: Any) -> Iterator[list[torch.Tensor]]:
    """Yield the tensors of each micro-batch, in the order in which the device takes them, as views.

    That is: device iterations, in each the micro-batches whose gradients are added up, and for
    each of these the replicas. float64 becomes float32, as on the device.

    Raises
    ------
    AssertionError
        Where a first dimension does not divide.
    """
    groups = options.replication_factor // options.input_group_size
    accumulation = options.Training.gradient_accumulation
    count = options.device_iterations * groups * accumulation
    cut = []
    for value in inputs.tensors():
        size = value.shape[0] if value.dim() else 1
        if size % count:
            raise AssertionError(
                f"Invalid batch dimension: In the input {value.shape}, the batch dimension "
                f"({size}) must be a multiple of Options.deviceIterations"
                f"({options.device_iterations}) * (Options.replicationFactor"
                f"({options.replication_factor}) / Options.inputReplicaGrouping.input_group_size"
                f"({options.input_group_size})) * Options.Training.gradientAccumulation"
                f"({accumulation}) = {count} because it is used to calculate the batch size "
                "which will be executed on the device in any given iteration. For a full "
                "explanation see the batching semantics page of the documentation."
            )
        value = value.detach()
        value = value.float() if value.dtype == torch.float64 else value
        cut.append(value.chunk(count) if value.dim() else [value] * count)
    for i in range(count):
        yield [chunks[i] for chunks in cut]
