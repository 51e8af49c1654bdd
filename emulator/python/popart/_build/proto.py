"""Attributes and tensors of ONNX, from and to values of Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._native import onnx, popart_exception
from .._settings.tensorinfo import TensorInfo

IR_VERSION = 6


def attribute(name: str, value: Any) -> Any:
    """Return the attribute of a node; bools are ints, arrays tensors, builders' graphs graphs.

    Raises
    ------
    popart_exception
        Where the value is of no type that attributes have.
    """
    helper = onnx().helper
    if isinstance(value, np.ndarray):
        value = onnx().numpy_helper.from_array(value, name)
    elif isinstance(value, (bool, np.bool_, np.integer)):
        value = int(value)
    elif isinstance(value, np.floating):
        value = float(value)
    elif isinstance(value, (list, tuple)):
        if not value:
            made = onnx().AttributeProto(name=name, type=onnx().AttributeProto.INTS)
            return made
        value = [int(v) if isinstance(v, (bool, np.integer)) else v for v in value]
        if any(isinstance(v, (float, np.floating)) for v in value):
            value = [float(v) for v in value]
    try:
        return helper.make_attribute(name, value)
    except (TypeError, ValueError) as error:
        raise popart_exception(
            f"Attribute {name!r}: expected numbers, strings, lists of one of these or an array, "
            f"got {value!r}"
        ) from error


def value_of(proto: Any) -> Any:
    """Return an attribute's value: bytes as text, tensors as arrays, graphs as they are."""
    value = onnx().helper.get_attribute_value(proto)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, onnx().TensorProto):
        return array_of(value)
    if isinstance(value, (int, float, str, onnx().GraphProto)):
        return value
    return [item.decode() if isinstance(item, bytes) else item for item in value]


def array_of(tensor: Any, folder: str = "") -> Any:
    """Return a tensor's values; some may be in files of a folder."""
    return np.array(onnx().numpy_helper.to_array(tensor, folder))


def value_info(name: str, info: TensorInfo | None) -> Any:
    """Return the description of an input or an output; None is one of no known type."""
    helper = onnx().helper
    if info is None:
        return onnx().ValueInfoProto(name=name)
    kind = getattr(onnx().TensorProto, info.data_type())
    return helper.make_tensor_value_info(name, kind, info.shape())


def info_of_value(proto: Any) -> TensorInfo | None:
    """Return the type and the shape of a description, or None where it has none."""
    kind = proto.type.tensor_type
    if not proto.HasField("type") or not kind.elem_type:
        return None
    name = onnx().TensorProto.DataType.Name(kind.elem_type)
    return TensorInfo(name, [dim.dim_value for dim in kind.shape.dim])


def parse(model: Any) -> Any:
    """Return the model of its bytes, or of a file of them.

    Raises
    ------
    popart_exception
        Where it is neither.
    """
    data = model
    if isinstance(model, str) or isinstance(model, bytes) and len(model) < 4096:
        try:
            with open(model, "rb") as file:
                data = file.read()
        except (OSError, ValueError):
            data = model
    if isinstance(data, str):
        raise popart_exception(f"model: expected a model of ONNX or a file of one, got {data!r}")
    proto = onnx().ModelProto()
    try:
        proto.ParseFromString(data)
    except Exception as error:
        raise popart_exception(
            f"model: expected a model of ONNX or a file of one, got {len(data)} other bytes"
        ) from error
    if not proto.HasField("graph"):
        raise popart_exception(f"model: expected a model with a graph, got {len(data)} bytes")
    return proto
