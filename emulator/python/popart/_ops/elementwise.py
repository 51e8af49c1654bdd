"""Operators on each element: arithmetic, comparisons, logic and activations."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor
from torch.nn import functional

from .._native import popart_exception
from .._settings.tensorinfo import info_of
from .registry import GRAPHCORE, ONNX, Node, in_floats, numbers, op

BOTH = (*ONNX, *GRAPHCORE)
_UNARY: dict[str, Callable[..., Any]] = {
    "Abs": torch.abs,
    "Acos": torch.acos,
    "Acosh": torch.acosh,
    "Asin": torch.asin,
    "Asinh": torch.asinh,
    "Atan": torch.atan,
    "Atanh": torch.atanh,
    "Ceil": torch.ceil,
    "Cos": torch.cos,
    "Cosh": torch.cosh,
    "Erf": torch.erf,
    "Exp": torch.exp,
    "Expm1": torch.expm1,
    "Floor": torch.floor,
    "IsInf": torch.isinf,
    "IsNaN": torch.isnan,
    "Log": torch.log,
    "Log1p": torch.log1p,
    "NearbyInt": torch.round,
    "Neg": torch.neg,
    "Not": torch.logical_not,
    "Reciprocal": torch.reciprocal,
    "Relu": torch.relu,
    "Round": torch.round,
    "Sigmoid": torch.sigmoid,
    "Sign": torch.sign,
    "Sin": torch.sin,
    "Sinh": torch.sinh,
    "Softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "Softsign": functional.softsign,
    "Sqrt": torch.sqrt,
    "Swish": functional.silu,
    "Tan": torch.tan,
    "Tanh": torch.tanh,
    "GeluErf": functional.gelu,
    "Gelu": lambda x: functional.gelu(x, approximate="tanh"),
    "BitwiseNot": torch.bitwise_not,
}
_BINARY: dict[str, Callable[..., Any]] = {
    "Add": torch.add,
    "Atan2": torch.atan2,
    "Equal": torch.eq,
    "Fmod": torch.fmod,
    "Greater": torch.gt,
    "Less": torch.lt,
    "Mul": torch.mul,
    "PRelu": lambda x, slope: torch.where(x < 0, x * slope, x),
    "Pow": torch.pow,
    "Quotient": torch.div,
    "Remainder": torch.remainder,
    "Sub": torch.sub,
    "And": torch.logical_and,
    "Or": torch.logical_or,
    "Xor": torch.logical_xor,
    "BitwiseAnd": torch.bitwise_and,
    "BitwiseOr": torch.bitwise_or,
    "BitwiseXor": torch.bitwise_xor,
    "BitwiseXnor": lambda a, b: torch.bitwise_not(torch.bitwise_xor(a, b)),
}


@op(*_UNARY, domains=BOTH)
def unary(node: Node, x: Tensor) -> Any:
    """Apply a function of one tensor."""
    if node.type == "Round" and node.domain in GRAPHCORE:  # halves away from zero
        return in_floats(lambda v: torch.sign(v) * torch.floor(v.abs() + 0.5), x)
    return in_floats(_UNARY[node.type], x)


def _described(x: Tensor) -> tuple[str, str]:
    """Return type and shape as PopART's messages have them."""
    return info_of(x).data_type(), "[" + " ".join(str(size) for size in x.shape) + "]"


@op(*_BINARY, domains=BOTH)
def binary(node: Node, a: Tensor, b: Tensor) -> Any:
    """Apply a function of two tensors of one type, which broadcast."""
    if node.version < 7 and node.domain in ONNX and node.get("broadcast"):
        axis = node.get("axis", a.dim() - b.dim())
        b = b.reshape(*b.shape, *[1] * (a.dim() - b.dim() - axis))
    if {a.dtype, b.dtype} == {torch.int32, torch.int64}:  # shapes and constants are both
        a, b = a.int(), b.int()
    if node.type == "Mul" and {a.dtype, b.dtype} == {torch.float16, torch.float32}:
        number = a if a.dtype == torch.float32 else b
        if number.numel() == 1:  # a float number times halves gives halves
            return (a.float() * b.float()).half()
    if a.dtype != b.dtype and node.type != "Pow":
        raise popart_exception(
            f"{node.type} ({node.name}): expected two inputs of one type, got incompatible types "
            f"{_described(a)[0]} and {_described(b)[0]} (shapes {_described(a)[1]} and "
            f"{_described(b)[1]})"
        )
    try:
        torch.broadcast_shapes(a.shape, b.shape)
    except RuntimeError as error:
        raise popart_exception(
            f"np broadcasting failed on 'Op({node.domain or 'ai.onnx'}.{node.type}:{node.version}) "
            f"{node.name}', frames {list(a.shape)} and {list(b.shape)} are not aligned"
        ) from error
    return in_floats(_BINARY[node.type], a, b)


@op("Div")
def div(node: Node, a: Tensor, b: Tensor) -> Any:
    """Divide; integers are cut towards zero."""
    if not a.is_floating_point():
        return torch.div(a, torch.where(b == 0, 1, b) if node.run.dry else b, rounding_mode="trunc")
    return binary(node._replace(type="Quotient"), a, b)


@op("Mod")
def mod(node: Node, a: Tensor, b: Tensor) -> Any:
    """Return the remainder, with the sign of `b`, or of `a` where fmod is set."""
    return in_floats(torch.fmod if node.get("fmod") else torch.remainder, a, b)


@op("BitShift")
def bit_shift(node: Node, a: Tensor, b: Tensor) -> Any:
    """Shift bits."""
    return a << b if node.get("direction") == "LEFT" else a >> b


def _fold(function: Callable[..., Any]) -> Callable[..., Any]:
    def fold(node: Node, *inputs: Tensor) -> Any:
        total = inputs[0]
        for other in inputs[1:]:
            total = in_floats(function, total, other)
        return total

    return fold


op("Sum")(_fold(torch.add))
op("Max")(_fold(torch.maximum))
op("Min")(_fold(torch.minimum))


@op("Mean")
def mean(node: Node, *inputs: Tensor) -> Any:
    """Return the mean of tensors."""
    return _fold(torch.add)(node, *inputs) / len(inputs)


@op("Where")
def where(node: Node, condition: Tensor, a: Tensor, b: Tensor) -> Any:
    """Choose elements."""
    return torch.where(condition, a, b)


@op("Clip")
def clip(node: Node, x: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Any:
    """Limit values."""
    for index, name in ((1, "min"), (2, "max")):
        if not node.constant(index):
            title = "" if node.name == "Clip" else node.name
            raise popart_exception(
                f"Op {title}(ai.onnx.Clip:11), inputs=[{node.inputs[0]}] currently only supports "
                f"constant min/max parameters. Input '{name}' ({node.inputs[index]}) has no data."
            )
    least = node.get("min") if low is None else low.item()
    most = node.get("max") if high is None else high.item()
    if least is None and most is None:
        return x
    return in_floats(torch.clamp, x, min=least, max=most)


@op("Elu")
def elu(node: Node, x: Tensor) -> Any:
    """Return x, or alpha (exp(x) - 1) where x is below 0."""
    return in_floats(functional.elu, x, alpha=node.get("alpha", 1.0))


@op("Selu")
def selu(node: Node, x: Tensor) -> Any:
    """Return gamma x, or gamma alpha (exp(x) - 1) where x is below 0."""
    alpha = node.get("alpha", 1.6732632423543772)
    gamma = node.get("gamma", 1.0507009873554805)
    return gamma * in_floats(functional.elu, x, alpha=alpha)


@op("LeakyRelu")
def leaky_relu(node: Node, x: Tensor) -> Any:
    """Return x, or alpha x where x is below 0."""
    return in_floats(functional.leaky_relu, x, negative_slope=node.get("alpha", 0.01))


@op("ThresholdedRelu")
def thresholded_relu(node: Node, x: Tensor) -> Any:
    """Return x where it is above alpha, else 0."""
    return torch.where(x > node.get("alpha", 1.0), x, torch.zeros_like(x))


@op("HardSigmoid")
def hard_sigmoid(node: Node, x: Tensor) -> Any:
    """Return alpha x + beta between 0 and 1."""
    return in_floats(lambda v: (node.get("alpha", 0.2) * v + node.get("beta", 0.5)).clamp(0, 1), x)


@op("Shrink")
def shrink(node: Node, x: Tensor) -> Any:
    """Return x moved towards 0 by a bias, and 0 near 0."""
    bias, limit = node.get("bias", 0.0), node.get("lambd", 0.5)
    below, above = x < -limit, x > limit
    return torch.where(below, x + bias, torch.where(above, x - bias, torch.zeros_like(x)))


@op("Scale", domains=GRAPHCORE)
def scale(node: Node, x: Tensor) -> Any:
    """Multiply by a number, which has the type of the tensor."""
    factor = node.get("scale")
    return x * (factor if x.is_floating_point() else int(factor))


@op("ScaledAdd", domains=GRAPHCORE)
def scaled_add(node: Node, a: Tensor, b: Tensor, *scales: Tensor) -> Any:
    """Return the sum of two tensors, each times a number of an attribute or an input."""
    factors: list[Any] = [node.get("scale0", 1.0), node.get("scale1", 1.0)]
    for i, factor in enumerate(scales):
        factors[i] = factor if factor is not None else factors[i]
    return (a * factors[0] + b * factors[1]).to(a.dtype)


@op("IncrementMod", domains=GRAPHCORE)
def increment_mod(node: Node, x: Tensor) -> Any:
    """Return (x + increment) modulo a number, with the sign of the sum, as C does."""
    increment, modulus = node.get("increment"), node.get("modulus")
    if x.is_floating_point():
        return torch.fmod(x + increment, modulus)
    total = x + int(increment)  # an integer that a float of 24 bits does not hold stays whole
    if node.run.types.get(node.inputs[0]) == "UINT32":
        total = total & 0xFFFFFFFF
    return torch.fmod(total, int(modulus))


@op("NormalizeImage", domains=GRAPHCORE)
def normalize_image(node: Node, image: Tensor, offsets: Tensor, scales: Tensor) -> Any:
    """Return scaled images of channels last with a fourth channel of zeros."""
    kind = scales.dtype
    out = (image.to(kind) * node.get("scale", 1.0) - offsets) * scales
    return functional.pad(out, (0, 1)) if image.shape[-1] == 3 else out


@op("Bucketize", domains=GRAPHCORE)
def bucketize(node: Node, x: Tensor, boundaries: Tensor) -> Any:
    """Return the number of the bucket of each value."""
    return torch.bucketize(x, boundaries, right=bool(node.get("right", 0))).int()


@op("CumSum")
def cumsum(node: Node, x: Tensor, axis: Tensor) -> Any:
    """Return sums of all elements up to each one."""
    dim = numbers(axis)[0]
    backwards = node.get("reverse", 0)
    value = x.flip(dim) if backwards else x
    total = in_floats(torch.cumsum, value, dim=dim)
    if not x.is_floating_point():
        total = total.to(x.dtype)
    if node.get("exclusive", 0):
        total = total - value
    return total.flip(dim) if backwards else total


@op("Identity", "Nop", "TensorRemap", domains=BOTH)
def identity(node: Node, x: Tensor) -> Any:
    """Return the tensor."""
    return x


@op("Detach", domains=GRAPHCORE)
def detach(node: Node, x: Tensor) -> Any:
    """Return the tensor, with no gradient."""
    node.run.detached[node.outputs[0]] = node.inputs[0]
    return x.detach()
