"""builder.aiGraphcore: a method for each operator of PopART's own."""

from __future__ import annotations

import functools
from typing import Any, Callable, NamedTuple

from .._native import popart_exception
from .._settings.enums import DataType, ReductionType, ScatterReduction, TensorRemapType
from .opset import _bound

_NEEDED = object()


class _Method(NamedTuple):
    """An operator `type`, its attributes with defaults, and whether it returns a list."""

    type: str
    attributes: dict[str, Any]
    many: bool = False
    outputs: int = 1


_SLICED = {"axes": _NEEDED, "sizes": _NEEDED}
_SCATTER = {"axis_size": _NEEDED, "axis": -1, "reduction": ScatterReduction.Sum}
_PRINT = {
    "print_gradient": 1,
    "debugContext": "",
    "title": "",
    "summariseThreshold": 1000,
    "edgeItems": 3,
    "maxLineWidth": 75,
    "digits": 8,
    "floatFormat": 0,
    "separator": " ",
    "openBracket": "[",
    "closeBracket": "]",
}
_METHODS = {
    "abort": _Method("Abort", {}, outputs=0),
    "atan2": _Method("Atan2", {}),
    "batchnormalization": _Method(
        "BatchNormalization", {"num_outputs": _NEEDED, "epsilon": 1e-5, "momentum": 0.9}, True
    ),
    "bitwiseand": _Method("BitwiseAnd", {}),
    "bitwisenot": _Method("BitwiseNot", {}),
    "bitwiseor": _Method("BitwiseOr", {}),
    "bitwisexnor": _Method("BitwiseXnor", {}),
    "bitwisexor": _Method("BitwiseXor", {}),
    "bucketize": _Method("Bucketize", {"right": 0}),
    "copyvarupdate": _Method("CopyVarUpdate", {}),
    "ctcbeamsearchdecoder": _Method(
        "CtcBeamSearchDecoder", {"blank": 0, "beam_width": 100, "top_paths": 1}, True, 3
    ),
    "ctcloss": _Method(
        "Ctc",
        {
            "reduction": ReductionType.Mean,
            "blank": 0,
            "outDataType": "UNDEFINED",
            "zeroInfinity": False,
        },
    ),
    "depthtospace": _Method("DepthToSpace", {"blocksize": _NEEDED, "mode": _NEEDED}),
    "detach": _Method("Detach", {}),
    "dynamicadd": _Method("DynamicAdd", _SLICED),
    "dynamicslice": _Method("DynamicSlice", {**_SLICED, "noOverlap": 0}),
    "dynamicupdate": _Method("DynamicUpdate", {**_SLICED, "noOverlap": 0}),
    "dynamiczero": _Method("DynamicZero", _SLICED),
    "expm1": _Method("Expm1", {}),
    "fmod": _Method("Fmod", {}),
    "gelu": _Method("Gelu", {}),
    "geluerf": _Method("GeluErf", {}),
    "groupedgather": _Method("GroupedGather", {"axis": 0, "group_size": 1}),
    "groupedscatterreduce": _Method(
        "ScatterReduce", {**_SCATTER, "group_size": 1, "enable_index_broadcast": 1}
    ),
    "groupnormalization": _Method(
        "GroupNormalization", {"num_groups": _NEEDED, "epsilon": 1e-5}, True, 3
    ),
    "identityloss": _Method("IdentityLoss", {"reduction": ReductionType.Mean}),
    "incrementmod": _Method("IncrementMod", {"increment": _NEEDED, "modulus": _NEEDED}),
    "l1loss": _Method("L1", {"lambda": _NEEDED, "reduction": ReductionType.Mean}),
    "log1p": _Method("Log1p", {}),
    "lstm": _Method("LSTM", {"outputFullSequence": 1}, True, 2),
    "nearbyint": _Method("NearbyInt", {}),
    "nllloss": _Method(
        "Nll",
        {"reduction": ReductionType.Mean, "ignoreIndex": None, "inputIsLogProbability": False},
    ),
    "nop": _Method("Nop", {}),
    "normalize_image": _Method("NormalizeImage", {"scale": 1.0}),
    "printtensor": _Method("PrintTensor", _PRINT),
    "reducemedian": _Method("ReduceMedian", {"axes": None, "keepdims": 1}, True, 2),
    "remainder": _Method("Remainder", {}),
    "replicatedallreduce": _Method(
        "ReplicatedAllReduce", {"collectiveOperator": None, "commGroup": None}
    ),
    "replicatedreducescatter": _Method(
        "ReplicatedReduceScatter", {"collectiveOperator": None, "commGroup": None}
    ),
    "reshape": _Method("Reshape", {"shape": _NEEDED}),
    "reverse": _Method("Reverse", {"dimensions": _NEEDED}),
    "round": _Method("Round", {}),
    "scale": _Method("Scale", {"scale": _NEEDED}),
    "scaledadd": _Method("ScaledAdd", {"scale0": 1.0, "scale1": 1.0}),
    "scatterreduce": _Method("ScatterReduce", {**_SCATTER, "enable_index_broadcast": 1}),
    "sequenceslice": _Method("SequenceSlice", {"zeroUnused": 0}),
    "shapeddropout": _Method("ShapedDropout", {"shape": _NEEDED, "ratio": 0.5}),
    "slice": _Method("Slice", {"ends": _NEEDED, "starts": _NEEDED, "axes": []}),
    "sort": _Method("Sort", {"axis": -1, "descending": 0, "stable": 0}, True, 2),
    "splinebasis": _Method("SplineBasis", {"degree": _NEEDED}, True, 2),
    "splineweighting": _Method("SplineWeighting", {}),
    "subsample": _Method("Subsample", {"strides": _NEEDED}),
    "swish": _Method("Swish", {}),
    "tensorremap": _Method("TensorRemap", {"remap_type": TensorRemapType.FwdBwdReverse}),
}
_FLOATS = {"ratio", "epsilon", "momentum", "scale", "scale0", "scale1", "lambda"}
_FLOATS |= {"increment", "modulus"}


class AiGraphcore:
    """Operators of PopART itself, by its names.

    Parameters
    ----------
    builder : Builder
    version : int
    """

    def __init__(self, builder: Any, version: int = 1) -> None:
        if version != 1:
            raise ValueError(f"Unsupported or unrecognized ai.graphcore version: {version}")
        self._builder = builder
        self.version = version

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in _METHODS:
            raise AttributeError(f"aiGraphcore: there is no operator {name!r}")
        return functools.partial(self._add, name, _METHODS[name])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_METHODS]

    def _add(self, name: str, method: _Method, *args: Any, **named: Any) -> Any:
        parameters = ["args", *method.attributes]
        if "debugContext" not in parameters:
            parameters.append("debugContext")
        named = {("debugContext" if n == "debug_context" else n): v for n, v in named.items()}
        values = _bound(f"aiGraphcore.{name}", parameters, args, named)
        inputs = values.pop("args", [])
        attributes: dict[str, Any] = {}
        for key, default in method.attributes.items():
            value = values.get(key, default)
            if value is _NEEDED:
                raise TypeError(f"aiGraphcore.{name}: expected {key}, got none")
            if key != "debugContext" and value is not None:
                attributes[key] = float(value) if key in _FLOATS else _plain(value)
        count = int(attributes.pop("num_outputs", method.outputs))
        context = values.get("debugContext", "")
        inputs = [inputs] if isinstance(inputs, str) else inputs
        outputs = self._node(method.type, inputs, count, attributes, context)
        if not method.outputs:
            return None
        return list(outputs) if method.many else outputs[0]

    def _node(
        self, kind: str, inputs: Any, count: int, attributes: dict[str, Any], context: Any
    ) -> Any:
        self._builder._use("ai.graphcore", self.version)
        return self._builder._node("ai.graphcore", kind, inputs, count, attributes, context)

    def init(
        self,
        shape: list[int],
        data_type: Any,
        init_type: Any,
        batch_axis: Any = -1,
        debugContext: Any = "",
    ) -> str:
        """Return a new tensor of zeros, or of no values in particular."""
        if isinstance(batch_axis, str):
            batch_axis, debugContext = -1, batch_axis
        attributes: dict[str, Any] = {"shape": list(shape)}
        attributes["data_type"] = DataType(data_type).name
        attributes.update(init_type=int(init_type), batch_axis=int(batch_axis))
        return str(self._node("Init", [], 1, attributes, debugContext)[0])

    def call(
        self, args: list[str], num_outputs: int, callee: Any, debugName: Any = ""
    ) -> list[str]:
        """Return the outputs of a graph."""
        graph = callee._subgraph()
        for what, got, expected in (
            ("inputs", len(args), len(graph.input)),
            ("outputs", num_outputs, len(graph.output)),
        ):
            if got != expected:
                raise popart_exception(
                    f"For CallOp '{debugName}', number of {what} ({got}) does not match that of "
                    f"the callee subgraph ({expected})"
                )
        return list(self._node("Call", args, num_outputs, {"callee": graph}, debugName))

    def packedDataBlock(
        self,
        args: list[str],
        maxSequenceLengths: list[int],
        resultSize: int,
        callbackBatchSize: int,
        callback: Any,
        debugName: Any = "",
    ) -> str:
        """Return what a graph gives for sequences that lie packed in its inputs."""
        attributes = {
            "maxSequenceLengths": list(maxSequenceLengths),
            "resultSize": resultSize,
            "callbackBatchSize": callbackBatchSize,
            "callback": callback._subgraph(),
        }
        return str(self._node("PackedDataBlock", args, 1, attributes, debugName)[0])

    def multiconv(
        self,
        args: list[list[str]],
        dilations: Any = (),
        inDilations: Any = (),
        pads: Any = (),
        outPads: Any = (),
        strides: Any = (),
        availableMemoryProportions: Any = (),
        partialsTypes: Any = (),
        planType: Any = None,
        perConvReservedTiles: Any = None,
        cycleBackOff: Any = None,
        enableConvDithering: Any = (),
        debugContext: Any = "",
    ) -> list[str]:
        """Return the outputs of convolutions that run at the same time."""
        count = len(args)
        if not count or not all(2 <= len(conv) <= 3 for conv in args):
            raise popart_exception(
                "aiGraphcore.multiconv: expected at least one list of data, weights and perhaps a "
                f"bias, got {args}"
            )
        attributes: dict[str, Any] = {"numConvs": count}
        for name, value in (
            ("dilations", dilations),
            ("inDilations", inDilations),
            ("pads", pads),
            ("outPads", outPads),
            ("strides", strides),
        ):
            if len(value) not in (0, count):
                raise popart_exception(
                    f"aiGraphcore.multiconv: expected {name} of {count} convolutions or none, got "
                    f"{len(value)}"
                )
            if len(value):
                attributes[name] = [int(number) for one in value for number in one]
        flat = [name for conv in args for name in [*conv, ""][:3]]
        return list(self._node("MultiConv", flat, count, attributes, debugContext))


def _plain(value: Any) -> Any:
    """Return a value as an attribute holds it: choices by name or number, groups as lists."""
    if isinstance(value, (ReductionType, ScatterReduction)):
        return value.name
    if hasattr(value, "replicaGroupSize"):
        return [int(value.type), int(value.replicaGroupSize)]
    return int(value) if isinstance(value, int) else value
