"""Rules of functions and layers over [T, B, ...]: by element, by sample, or step by step."""

from __future__ import annotations

from torch import nn

from . import modules
from .record import IN_PLACE

POINTWISE = frozenset((
    "abs", "add", "clamp", "clone", "contiguous", "cos", "detach", "div", "double", "elu", "eq",
    "exp", "float", "gelu", "ge", "gt", "half", "hardtanh", "leaky_relu", "le", "linear", "log",
    "logical_and", "logical_not", "logical_or", "lt", "maximum", "minimum", "mul", "ne", "neg",
    "pow", "reciprocal", "relu", "relu6", "rsub", "selu", "sigmoid", "sign", "silu", "sin",
    "softplus", "sqrt", "square", "sub", "subtract", "multiply", "divide", "tanh", "to",
    "true_divide", "type", "where", "__add__", "__and__", "__eq__", "__ge__", "__gt__",
    "__le__", "__lt__", "__mul__", "__ne__", "__neg__", "__or__", "__pow__", "__radd__",
    "__rdiv__", "__rmul__", "__rpow__", "__rsub__", "__rtruediv__", "__sub__", "__truediv__",
    "bfloat16", "data",
)) | set(IN_PLACE)  # fmt: skip
BY_SAMPLE = frozenset((
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool1d", "adaptive_max_pool2d",
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
    "conv_transpose2d", "interpolate", "layer_norm", "group_norm", "lp_pool2d", "max_pool1d",
    "max_pool2d", "max_pool3d", "pixel_shuffle", "upsample",
))  # fmt: skip
ALONG = frozenset((
    "amax", "amin", "argmax", "argmin", "log_softmax", "mean", "softmax", "sum",
))  # fmt: skip
RESHAPES = frozenset((
    "flatten", "reshape", "squeeze", "unflatten", "unsqueeze", "view",
))  # fmt: skip
ANY_SHAPE = (
    nn.Linear, nn.Identity, nn.Dropout, nn.AlphaDropout, nn.ReLU, nn.ReLU6, nn.ELU,
    nn.SELU, nn.CELU, nn.GELU, nn.LeakyReLU, nn.Sigmoid, nn.Tanh, nn.SiLU, nn.Softplus,
    nn.Hardtanh, nn.LayerNorm, nn.Mish,
)  # fmt: skip
FOLDED = (
    nn.modules.conv._ConvNd, nn.modules.pooling._MaxPoolNd, nn.modules.pooling._AvgPoolNd,
    nn.modules.pooling._AdaptiveAvgPoolNd, nn.modules.pooling._AdaptiveMaxPoolNd,
    nn.modules.dropout._DropoutNd, nn.GroupNorm, nn.Upsample, nn.PixelShuffle, nn.ZeroPad2d,
    nn.PReLU,
)  # fmt: skip
NORMS: dict[type[nn.Module], type[nn.Module]] = {
    nn.BatchNorm1d: modules.BatchNorm1d,
    nn.BatchNorm2d: modules.BatchNorm2d,
    nn.BatchNorm3d: modules.BatchNorm3d,
}
