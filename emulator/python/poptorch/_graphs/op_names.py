"""PopART's types of the operations that torch's functions become."""

from __future__ import annotations

from typing import Any

_TYPES = {
    "addmm": "MatMul",
    "bmm": "MatMul",
    "cat": "Concat",
    "concat": "Concat",
    "conv1d": "Conv",
    "conv2d": "Conv",
    "conv3d": "Conv",
    "conv_transpose1d": "ConvTranspose",
    "conv_transpose2d": "ConvTranspose",
    "conv_transpose3d": "ConvTranspose",
    "__getitem__": "Slice",
    "batch_norm": "BatchNormalization",
    "group_norm": "GroupNormalization",
    "l1_loss": "L1",
    "layer_norm": "GroupNormalization",
    "linear": "MatMul",
    "log_softmax": "LogSoftmax",
    "max_pool1d": "MaxPool",
    "max_pool2d": "MaxPool",
    "max_pool3d": "MaxPool",
    "mm": "MatMul",
    "nll_loss": "Nll",
    "permute": "Transpose",
    "scatter_add": "ScatterReduce",
    "scatter_reduce": "ScatterReduce",
    "split": "Slice",
    "t": "Transpose",
    "view": "Reshape",
}
_PASSED_ON = {"contiguous", "data_ptr", "detach", "requires_grad_"}


def popart_type(function: Any) -> str | None:
    """Return the type of the operation that a function of torch becomes; None where it is none."""
    name = getattr(function, "__name__", "")
    if name in ("__get__", "__set__", "") or name in _PASSED_ON:
        return None
    if name in _TYPES:
        return _TYPES[name]
    if name.startswith("__") and name.endswith("__"):
        name = name[2:-2]
        name = name[1:] if name[:1] in ("i", "r") and name not in ("round", "invert") else name
        name = {"truediv": "div", "matmul": "mat_mul"}.get(name, name)
    name = name.strip("_")
    if name in _TYPES:
        return _TYPES[name]
    name = {"matmul": "mat_mul", "softmax": "softmax"}.get(name, name)
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def updates(kind: str, has_velocity: bool, combined: bool) -> tuple[str, ...]:
    """Return the types of the operations by which an optimizer updates a weight."""
    if kind == "SGD":
        if not has_velocity:
            return ("SGD0VarUpdate",)
        return ("SGD1VarUpdate",) if combined else ("SGD2VarUpdate",)
    if kind == "RMSprop":
        return ("RMSPropUpdater", "AdaptiveVarUpdate")
    return ("AdamUpdater", "AdamVarUpdate")
