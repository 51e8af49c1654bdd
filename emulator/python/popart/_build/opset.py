"""builder.aiOnnx: a method for each operator of an opset of ONNX, by ONNX's own schemas."""

from __future__ import annotations

import functools
from typing import Any, Callable

from .._native import onnx, popart_exception

_NAMES = {"And": "logical_and", "If": "logical_if", "Not": "logical_not"}
_NAMES.update({"Or": "logical_or", "Xor": "logical_xor"})
_LATER = {"auto_pad", "sparse_value"}  # PopART's methods do not take them


@functools.lru_cache(maxsize=None)
def schemas(version: int) -> dict[str, Any]:
    """Return the schemas of the operators of an opset by the names of PopART's methods."""
    found: dict[str, Any] = {}
    for schema in onnx().defs.get_all_schemas_with_history():
        if schema.domain or schema.since_version > version:
            continue
        name = _NAMES.get(schema.name, schema.name.lower())
        if name not in found or found[name].since_version < schema.since_version:
            found[name] = schema
    return {name: schema for name, schema in found.items() if not schema.deprecated}


class AiOnnx:
    """Operators of ONNX, each a method in small letters.

    A method takes a list of tensors, then the attributes: those that an operator needs first, each
    group by the alphabet. Operators with a variable number of outputs take `num_outputs` after the
    tensors. All take `debugContext` last.

    Parameters
    ----------
    builder : Builder
    version : int
    """

    def __init__(self, builder: Any, version: int) -> None:
        self._builder = builder
        self.version = version

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        schema = schemas(self.version).get(name)
        if schema is None:
            raise AttributeError(f"aiOnnxOpset{self.version}: there is no operator {name!r}")
        return functools.partial(self._add, name, schema)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *schemas(self.version)]

    def _add(self, name: str, schema: Any, *args: Any, **named: Any) -> Any:
        self._builder._use("", self.version)
        options = type(schema.outputs[0].option)
        varies = any(o.option in (options.Variadic, options.Optional) for o in schema.outputs)
        attributes = sorted(schema.attributes.values(), key=lambda a: (not a.required, a.name))
        parameters = [*(["args"] if schema.inputs else []), *(["num_outputs"] if varies else [])]
        parameters += [a.name for a in attributes if a.name not in _LATER]
        if "sparse_value" in schema.attributes:
            parameters.append("is_value_sparse")
        parameters.append("debugContext")
        values = _bound(f"aiOnnx.{name}", parameters, args, named)
        inputs = values.pop("args", [])
        for attribute in attributes:
            if attribute.required and attribute.name not in values:
                raise TypeError(f"aiOnnx.{name}: expected {attribute.name}, got none")
        count = values.pop("num_outputs", 1 if varies else len(schema.outputs))
        context = values.pop("debugContext", "")
        values.pop("is_value_sparse", None)
        values = _types("aiOnnx." + name, schema, values)
        outputs = self._builder._node("", schema.name, inputs, int(count), values, context)
        return list(outputs) if varies or len(outputs) > 1 else outputs[0]

    # Operators of graphs, whose signatures are their own.

    def logical_if(
        self,
        args: list[str],
        num_outputs: int,
        else_branch: Any,
        then_branch: Any,
        debugContext: Any = "",
        name: Any = "",
    ) -> list[str]:
        """Return the outputs of one of two graphs, by a condition."""
        self._builder._use("", self.version)
        values = {"else_branch": else_branch._subgraph(), "then_branch": then_branch._subgraph()}
        made = self._builder._node("", "If", args, num_outputs, values, debugContext or name)
        return list(made)

    def loop(
        self, args: list[str], num_outputs: int, body: Any, debugContext: Any = ""
    ) -> list[str]:
        """Return what a graph gives that runs as often as a count and a condition say."""
        self._builder._use("", self.version)
        values = {"body": body._subgraph()}
        return list(self._builder._node("", "Loop", args, num_outputs, values, debugContext))

    def scan(
        self,
        args: list[str],
        num_outputs: int,
        body: Any,
        num_scan_inputs: int,
        *directions: Any,
        debugContext: Any = "",
        **named: Any,
    ) -> list[str]:
        """Return what a graph gives that runs over the slices of its inputs."""
        self._builder._use("", self.version)
        names = ["directions"]
        if self.version >= 9:
            names = ["scan_input_axes", "scan_input_directions"]
            names += ["scan_output_axes", "scan_output_directions"]
        given = {**dict(zip(names, directions)), **named}
        values: dict[str, Any] = {name: value for name, value in given.items() if value}
        values.update({"body": body._subgraph(), "num_scan_inputs": num_scan_inputs})
        return list(self._builder._node("", "Scan", args, num_outputs, values, debugContext))


def _bound(
    where: str, parameters: list[str], args: tuple[Any, ...], named: dict[str, Any]
) -> dict[str, Any]:
    """Return arguments by name, without those that are None."""
    if len(args) > len(parameters):
        raise TypeError(f"{where}: expected at most {len(parameters)} arguments, got {len(args)}")
    named = {("debugContext" if n == "debugPrefix" else n): v for n, v in named.items()}
    values = dict(zip(parameters, args))
    for name, value in named.items():
        if name not in (*parameters, "auto_pad") or name in values:
            raise TypeError(f"{where}: expected {', '.join(parameters)}, got {name!r}")
        values[name] = value
    return {name: value for name, value in values.items() if value is not None}


def _types(where: str, schema: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Return attributes in the types that the schema names."""
    kinds = onnx().defs.OpSchema.AttrType
    out: dict[str, Any] = {}
    for name, value in values.items():
        if name not in schema.attributes:
            raise TypeError(f"{where}: expected attributes of the operator, got {name!r}")
        kind = schema.attributes[name].type
        if kind == kinds.FLOAT:
            value = float(value)
        elif kind == kinds.FLOATS:
            value = [float(number) for number in value]
        elif kind == kinds.INT and isinstance(value, str):
            if not hasattr(onnx().TensorProto, value):
                raise popart_exception(f"{where}: expected the name of a type, got {value!r}")
            value = int(getattr(onnx().TensorProto, value))
        elif kind == kinds.INT:
            value = int(value)
        elif kind == kinds.INTS:
            value = [int(number) for number in value]
        elif kind == kinds.STRINGS and not value:
            continue
        out[name] = value
    return out
