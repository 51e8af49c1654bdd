"""Functions that a model calls in forward(): loops, branches, printing and hints."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable, Sequence

import torch
from torch import Tensor

from . import enums
from ._context import current
from ._errors import Error
from ._graphs.overlaps import marked
from ._native import native


def for_loop(count: int, body: Callable[..., Any], inputs: list[Tensor]) -> list[Tensor]:
    """Call `body` so many times, each on what the last call returned.

    Parameters
    ----------
    count : int
    body : callable
        Takes as many tensors as it returns, of the same types and shapes.
    inputs : list of Tensor

    Returns
    -------
    list of Tensor

    Raises
    ------
    ValueError
        Where inputs are no list of tensors.
    Error
        In training, or where the body returns other types or shapes.
    """
    if not isinstance(inputs, list):
        raise ValueError(
            "poptorch.for_loop expects input tensors (inputs) to be a list of tensors. (Object is "
            "not list)"
        )
    for i, tensor in enumerate(inputs):
        if not isinstance(tensor, Tensor):
            raise ValueError(
                "poptorch.for_loop expects input tensors (inputs) to be a list of tensors. "
                f"(Object contained in list at index {i} is not torch.tensor)"
            )
    run = current()
    if run is not None and run.training:
        raise Error("poptorch.for_loop() is only supported in inference.")
    copies = [tensor.clone() for tensor in inputs]
    kinds = [(tensor.dtype, tensor.shape) for tensor in copies]
    for _ in range(count):
        # By value: what the body does in place is not seen outside of it.
        copies = _as_list(body(*(tensor.clone() for tensor in copies)))
        if [(tensor.dtype, tensor.shape) for tensor in copies] != kinds:
            raise Error(
                "poptorch.for_loop: expected body to return the types and shapes of inputs, "
                f"{_shown(kinds)}, got {_shown([(t.dtype, t.shape) for t in copies])}."
            )
    return copies


def cond(
    condition: Tensor,
    then_body: Callable[..., Any],
    then_inps: list[Tensor],
    else_body: Callable[..., Any],
    else_inps: list[Tensor],
) -> list[Tensor]:
    """Call one of two functions by a value on the device, and return what it does.

    Raises
    ------
    ValueError
        Where inputs are no lists.
    Error
        In training.
    """
    if not isinstance(then_inps, list) or not isinstance(else_inps, list):
        raise ValueError(
            "poptorch.cond expects then_inps and else_inps tensors to be a list of tensors. "
            "(Object is not list)"
        )
    run = current()
    if run is not None and run.training:
        raise Error("poptorch.cond() is only supported in inference.")
    is_true = bool(condition.detach().numpy().all()) if run is None else _value(condition)
    body, inputs = (then_body, then_inps) if is_true else (else_body, else_inps)
    return _as_list(body(*(tensor.clone() for tensor in inputs)))


def _value(condition: Tensor) -> bool:
    with torch._C.DisableTorchFunction():
        return bool(condition)


def _as_list(outputs: Any) -> list[Tensor]:
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def _shown(kinds: Sequence[tuple[torch.dtype, torch.Size]]) -> str:
    return ", ".join(f"{dtype} {list(shape)}" for dtype, shape in kinds)


def _tensor(operation: str, value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise Error(
            f"{operation} must take a torch.tensor argument. {type(value)} is not supported."
        )
    return value


def nop(tensor: Tensor) -> Tensor:
    """Return the tensor, by an operation that no compiler takes out."""
    return _tensor("nop", tensor).clone()


def ctc_beam_search_decoder(
    probs: Tensor, lengths: Tensor, blank: int = 0, beam_width: int = 100, top_paths: int = 1
) -> list[Tensor]:
    """Search for the likeliest labels of a connectionist temporal classification.

    Parameters
    ----------
    probs : Tensor [T, B, classes]
        Log probabilities.
    lengths : Tensor [B]
        Steps of each sample.
    blank : int
    beam_width : int
        Prefixes that a step keeps.
    top_paths : int

    Returns
    -------
    list of Tensor
        Log probabilities [B, top_paths], lengths [B, top_paths], and labels [B, top_paths, T].

    Raises
    ------
    Error
        Where an argument is no tensor.
    """
    for name, value in (("probs", probs), ("lengths", lengths)):
        if not isinstance(value, Tensor):
            raise Error(
                f"ctc_beam_search_decoder: {name} must be a torch.tensor argument. {type(value)} "
                "is not supported."
            )
    search = importlib.import_module("popart._ops.ctc").beam_search
    with torch._C.DisableTorchFunction():
        scores, *whole = search(probs, lengths, blank, beam_width, top_paths)
    return [scores, *(value.int() for value in whole)]


class _Print(torch.autograd.Function):
    """Prints a tensor, and its gradient in the backward pass."""

    @staticmethod
    def forward(
        ctx: Any, tensor: Tensor, title: str, gradient: bool, layout: tuple[Any, ...]
    ) -> Tensor:
        ctx.title, ctx.gradient, ctx.layout = title, gradient, layout
        print(f"{title}: {_text(tensor, layout)}", file=sys.stderr)
        return tensor.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        if ctx.gradient:
            print(f"{ctx.title}_gradient: {_text(grad, ctx.layout)}", file=sys.stderr)
        return grad, None, None, None


def _text(tensor: Tensor, layout: tuple[Any, ...]) -> str:
    with torch._C.DisableTorchFunction():
        return str(native().format_tensor(tensor.detach().numpy(), *layout))


_FLOAT_FORMATS = ("auto", "fixed", "scientific", "none")


def ipu_print_tensor(
    tensor: Tensor,
    title: str = "",
    print_gradient: bool = True,
    summarise_threshold: int = 1000,
    edge_items: int = 3,
    max_line_width: int = 80,
    digits: int = 4,
    float_format: str = "auto",
    separator: str = ", ",
    open_bracket: str = "(",
    close_bracket: str = ")",
) -> Tensor:
    """Print a tensor when the model runs, and its gradient, and return the tensor.

    Parameters
    ----------
    tensor : Tensor
    title : str
        The text before the values.
    print_gradient : bool
    summarise_threshold : int
        Tensors of more elements show their edges alone.
    edge_items : int
        Elements at each edge of a dimension.
    max_line_width : int
    digits : int
    float_format : {"auto", "fixed", "scientific", "none"}
    separator, open_bracket, close_bracket : str
        The first character of each counts.

    Raises
    ------
    Error
        Where `tensor` is none, or the format is another.
    """
    value = _tensor("ipu print tensor", tensor)
    if float_format not in _FLOAT_FORMATS:
        raise Error(f"ipu_print_tensor: expected one of {_FLOAT_FORMATS}, got {float_format!r}.")
    signs = (separator[:1], open_bracket[:1], close_bracket[:1])
    numbers = (summarise_threshold, edge_items, max_line_width, digits)
    layout = (*numbers, _FLOAT_FORMATS.index(float_format), *signs)
    return _Print.apply(value, title, print_gradient, layout) if current() is not None else value


def _check_slice(operation: str, dim: object, start: object, **sizes: object) -> None:
    if not isinstance(dim, int):
        raise Error("Dimension must be an integer.")
    if not isinstance(start, Tensor):
        raise Error(
            f"Slice start argument to {operation} must be a torch.tensor. "
            f"{type(start)} is not supported."
        )
    for name, size in sizes.items():
        if not isinstance(size, int):
            raise Error(f"{name.capitalize()} must be an integer.")
    if start.dtype not in (torch.int64, torch.int32, torch.int16):
        raise Error("Expected integer typed start tensor")


def _device_index(length: int, start: Tensor, size: int, step: int = 1) -> Tensor:
    # As popops::dynamicSlice: a start is unsigned, one beyond the end counts as 0, and what reaches
    # beyond the end goes on at the beginning.
    if size == 0:
        raise Error("The start and end of a slice must be different.")
    if size < 0:
        raise Error("Taking a slice of a tensor with the end less than the start is not supported.")
    if step < 1:
        raise Error("Slicing step must be at least 1")
    first = start.reshape(()).long()
    first = torch.where((first >= 0) & (first < length), first, torch.zeros_like(first))
    return (first + torch.arange(0, size, step)) % length


def dynamic_slice(tensor: Tensor, dim: int, start: Tensor, size: int, step: int) -> Tensor:
    """Return every `step`-th of `size` positions along `dim`, from where a tensor says.

    Parameters
    ----------
    tensor : Tensor
    dim : int
    start : Tensor
        One integer. On a device, one beyond the end counts as 0, and the positions go on at the
        beginning; on the host they end at the end.
    size : int
        On a device, a divisor of the dimension.
    step : int

    Returns
    -------
    Tensor

    Raises
    ------
    Error
        Where an argument is of another type; on a device also where `size` or `step` does not fit.
    """
    value = _tensor("dynamic_slice", tensor)
    _check_slice("dynamic_slice", dim, start, size=size, step=step)
    if current() is None:
        begin = int(start.reshape(-1)[0])
        return torch.ops.aten.slice(value, dim, begin, begin + size, step)
    length = value.shape[dim]
    index = _device_index(length, start, size, step)
    if length % size != 0:
        raise Error(
            f"The size of the slice ({size}) must be a factor of the slicing dimension ({length})."
        )
    return value.index_select(dim, index)


def dynamic_update(input: Tensor, src: Tensor, dim: int, start: Tensor, size: int) -> Tensor:
    """Return `input` with `src` at `size` positions along `dim`, from where a tensor says.

    Parameters
    ----------
    input, src : Tensor
        Of one type and number of dimensions.
    dim : int
    start : Tensor
        One integer, as for `dynamic_slice`.
    size : int

    Returns
    -------
    Tensor

    Raises
    ------
    Error
        Where an argument is of another type or shape; on a device also where `size` is not above 0.
    """
    value = _tensor("dynamic_update", input)
    _check_slice("dynamic_update", dim, start, size=size)
    if not isinstance(src, Tensor):
        raise Error(
            f"Src argument to dynamic_update must be a torch.tensor. {type(src)} is not supported."
        )
    if value.dim() != src.dim():
        raise Error(
            f"input and src tensors must have same dimensionality. ({value.dim()}) vs ({src.dim()})"
        )
    if value.dtype != src.dtype:
        kinds = [torch.int32 if t.dtype == torch.int64 else t.dtype for t in (value, src)]
        raise Error(f"input and src tensor must have same dtype. ({kinds[0]} vs {kinds[1]})")
    if current() is None:
        begin = int(start.reshape(-1)[0])
        return torch.slice_scatter(value, src, dim, begin, begin + size, 1)
    return value.index_copy(dim, _device_index(value.shape[dim], start, size), src)


def recomputationCheckpoint(*tensors: Any) -> Any:
    """Return the tensors; on a device they are kept instead of computed again."""
    if len(tensors) == 1:
        return tensors[0]
    return tensors


def serializedMatMul(
    lhs: Tensor,
    rhs: Tensor,
    mode: enums.MatMulSerializationMode,
    factor: int = 0,
    keep_precision: bool = False,
) -> Tensor:
    """Return the product; on a device it is computed in parts."""
    return torch.matmul(lhs, rhs)


def set_available_memory(tensor: Tensor, available_memory_proportion: float) -> Tensor:
    """Return the tensor; on a device its operation may take this fraction of memory."""
    if not isinstance(tensor, Tensor):
        raise Error(
            f"You may only set available memory for torch.tensor values. {type(tensor)} is not "
            "supported."
        )
    return tensor


def set_overlap_for_input(input_tensors: Any, mode: enums.OverlapMode) -> Any:
    """Return the inputs; on a device they are copied ahead, which is checked as it compiles."""
    return marked("input", input_tensors, mode)


def set_overlap_for_output(output_tensors: Any, mode: enums.OverlapMode) -> Any:
    """Return the outputs; on a device they are copied late, which is checked as it compiles."""
    return marked("output", output_tensors, mode)


class CPU:
    """A function of a model that runs on the host, in inference.

    Parameters
    ----------
    layer_to_call : callable
    ID : str
        Its name.
    """

    def __init__(self, layer_to_call: Callable[..., Any], ID: str) -> None:
        self._layer = layer_to_call
        self._ID = ID

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the function.

        Raises
        ------
        Error
            In training.
        """
        run = current()
        if run is not None and run.training:
            raise Error(f"poptorch.CPU: {self._ID}: CPU ops are only supported in inference.")
        with torch._C.DisableTorchFunction():
            return self._layer(*inputs, **kwargs)
