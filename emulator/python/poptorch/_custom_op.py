"""custom_op: an operation of a PopART library, run on the emulated device with its gradient."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
import torch

from ._context import Run, current
from ._errors import Error
from ._logging import logger
from ._native import native, popart_errors

_NAMES = {
    torch.float32: "float32",
    torch.float16: "float16",
    torch.int32: "int32",
    torch.bool: "bool",
    torch.int16: "int16",
    torch.int8: "int8",
    torch.uint8: "uint8",
}
_DEMOTED = {torch.float64: torch.float32, torch.int64: torch.int32}
_FLOAT_MAX = float(np.finfo(np.float32).max)
_INT_MAX = 2**63 - 1


def custom_op(
    inputs: Sequence[torch.Tensor],
    name: str,
    domain: str,
    domain_version: int,
    example_outputs: Sequence[torch.Tensor],
    attributes: Mapping[str, Any] | None = None,
) -> list[torch.Tensor]:
    """Apply an operation that a PopART library has registered.

    Parameters
    ----------
    inputs : sequence of Tensor
        float64 becomes float32 and int64 int32, as everywhere on the device.
    name, domain : str
    domain_version : int
    example_outputs : sequence of Tensor
        One for each output, of its type; values do not count, and of another shape is a warning.
    attributes : mapping of str to float, int, str or a list or tuple of one of these, optional

    Returns
    -------
    list of Tensor
        The outputs; outside of a model on the device zeros, as PopTorch gives.

    Raises
    ------
    ValueError
        Where attributes are of a type that there is not, or not ASCII.
    Error
        Where there is no such operation, it refuses its inputs, its attributes or the number of
        its outputs, or these have other types than the examples.
    """
    where = f"custom_op {domain}.{name}:{domain_version}"
    checked = _checked_attributes(attributes)
    run = current()
    if run is None:
        return [torch.zeros_like(example) for example in example_outputs]
    on_device = [_on_device(where, i, tensor) for i, tensor in enumerate(inputs)]
    described = [(_NAMES[tensor.dtype], tuple(tensor.shape)) for tensor in on_device]
    with popart_errors():
        op = native().make(domain, name, domain_version, checked, described, len(example_outputs))
    _check_outputs(where, op.outputs, example_outputs)
    outputs = list(_Apply.apply(op, run, *on_device))
    if run.graph is not None:
        run.graph.add(name, list(inputs), outputs)
    return outputs


class _Apply(torch.autograd.Function):
    """The operation in autograd's graph; its gradient is what its gradient operations give."""

    @staticmethod
    def forward(ctx: Any, op: Any, run: Run, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        seed = _seed() if op.random else 0
        arrays = [_array(tensor) for tensor in inputs]
        outputs = tuple(torch.from_numpy(array) for array in _run(op, run, arrays, seed))
        ctx.op, ctx.run, ctx.seed, ctx.count = op, run, seed, len(inputs)
        ctx.save_for_backward(*inputs, *outputs)
        ctx.mark_non_differentiable(*(out for out in outputs if not out.is_floating_point()))
        return outputs

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[Any, ...]:
        saved = ctx.saved_tensors
        checked = {"in": saved[: ctx.count], "out": saved[ctx.count :], "grad_out": grads}
        gradients: list[torch.Tensor | None] = [None] * ctx.count
        with popart_errors():
            gradient_ops = ctx.op.gradients()
        for op in gradient_ops:
            wanted = {out: i for out, i in op.grad_outputs.items() if ctx.needs_input_grad[2 + i]}
            if not wanted:
                continue
            arrays = [
                None if source is None else _array(checked[source[0]][source[1]])
                for source in op.grad_inputs
            ]
            results = _run(op, ctx.run, arrays, ctx.seed)
            for out, i in wanted.items():
                gradient = torch.from_numpy(results[out])
                before = gradients[i]
                gradients[i] = gradient if before is None else before + gradient
        return (None, None, *gradients)


def _run(op: Any, run: Run, arrays: list[Any], seed: int) -> list[Any]:
    """Run the operation on the device; what it draws, its gradient draws again by the same seed."""
    with popart_errors():
        results = op.run(arrays, run.device, seed)
    run.cycles += op.cycles
    return list(results)


def _seed() -> int:
    with torch._C.DisableTorchFunction():
        return int(torch.randint(2**31 - 1, ()))


def _array(tensor: torch.Tensor) -> Any:
    with torch._C.DisableTorchFunction():  # what runs on the device may look at values
        return tensor.detach().contiguous().numpy()


def _on_device(where: str, i: int, tensor: object) -> torch.Tensor:
    if not isinstance(tensor, torch.Tensor):
        raise Error(f"{where}: inputs[{i}]: expected a torch.Tensor, got {type(tensor).__name__}.")
    if 0 in tensor.shape:
        raise Error(f"Zero-sized tensors are unsupported (Got shape {list(tensor.shape)})")
    return demoted(f"{where}: inputs[{i}]", tensor)


def demoted(where: str, tensor: torch.Tensor) -> torch.Tensor:
    """Return the tensor in the type that it has on the device.

    Raises
    ------
    Error
        Where there is no such type, or a value does not fit into 32 bits.
    """
    if tensor.dtype in _NAMES:
        return tensor
    if tensor.dtype not in _DEMOTED:
        raise Error(f"{where}: expected float, half, int or bool, got {tensor.dtype}.")
    if tensor.dtype == torch.int64:
        check_int32(where, tensor)
    return tensor.to(_DEMOTED[tensor.dtype])


def check_int32(where: str, tensor: torch.Tensor) -> None:
    """Refuse values that the device's integers of 32 bits do not hold."""
    values = _array(tensor)
    if values.size and not (values.min() >= -(2**31) and values.max() < 2**31):
        worst = values.min() if values.min() < -(2**31) else values.max()
        raise Error(f"{where}: expected integers of 32 bits, got {worst}.")


def _check_outputs(
    where: str, outputs: Sequence[tuple[str, Sequence[int]]], examples: Sequence[torch.Tensor]
) -> None:
    """Refuse examples of other types; of other shapes PopTorch takes the operation's, so do we."""
    for i, ((dtype, shape), example) in enumerate(zip(outputs, examples)):
        name = _NAMES.get(_DEMOTED.get(example.dtype, example.dtype), str(example.dtype))
        if dtype != name:
            raise Error(
                f"{where}: example_outputs[{i}]: expected {dtype} as the operation gives, "
                f"got {name}."
            )
        if list(shape) != list(example.shape):
            logger.warning(
                "%s: example_outputs[%d]: expected shape %s as the operation gives, got %s",
                where,
                i,
                list(shape),
                list(example.shape),
            )


def _checked_attributes(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    checked = dict(attributes or {})
    for key, value in checked.items():
        if not isinstance(key, str):
            raise ValueError("All attribute keys must be strings.")
        if not isinstance(value, (float, int, str, list, tuple)):
            raise ValueError(
                "Attribute values must be floats, ints, strings or a list/tuple of float, ints of "
                "strings."
            )
        elements = list(value) if isinstance(value, (list, tuple)) else [value]
        if not elements:
            raise Error(f"Attribute {key!r}: expected at least one element, got an empty list.")
        if any(not isinstance(element, type(elements[0])) for element in elements):
            raise ValueError("The types in a list/tuple attribute must all be the same.")
        for element in [key, *elements]:
            _check_attribute(key, element)
    return checked


def _check_attribute(key: str, value: Any) -> None:
    if isinstance(value, str):
        if not value.isascii():
            raise ValueError(f"{value} contains non-ASCII characters.")
    elif isinstance(value, float):
        _check_range("float", value, f"{value:g}", -_FLOAT_MAX, _FLOAT_MAX)
    elif isinstance(value, int):
        _check_range("int", value, str(value), -_INT_MAX - 1, _INT_MAX)
    else:
        raise Error(f"Attribute {key!r}: expected floats, ints or strings, got {type(value)}.")


def _check_range(kind: str, value: float, shown: str, low: float, high: float) -> None:
    if value > high:
        raise Error(f"{shown} is too high for a Popart {kind} attribute.")
    if value < low:
        raise Error(f"{shown} is too low for a Popart {kind} attribute.")
