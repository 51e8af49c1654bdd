"""Builder: a model of ONNX from calls."""

from __future__ import annotations

import importlib
import json
from contextlib import contextmanager
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from .._native import onnx, popart_exception
from .._settings.tensorinfo import TensorInfo
from .._settings.variables import VariableSettings
from . import proto
from .graphcore import AiGraphcore
from .node_attributes import NodeAttributes
from .opset import AiOnnx

DEFAULT_OPSET = 10
OPSETS = range(6, 12)
VARIABLES = "popart.variables"


class Builder(NodeAttributes):
    """Makes a model.

    Parameters
    ----------
    modelProtoOrFilename : bytes or str, optional
        A model of ONNX to go on with, or the name of its file.
    opsets : mapping of str to int, optional
        Versions of "ai.onnx" and "ai.graphcore" (default: 10 and 1).
    """

    def __init__(
        self,
        modelProtoOrFilename: Any = None,
        opsets: Mapping[str, int] | None = None,
        parent: Builder | None = None,
    ) -> None:
        super().__init__()
        self._parent = parent
        self._opset = (opsets or {}).get("ai.onnx")
        self._scopes: list[str] = []
        self._children = 0
        if modelProtoOrFilename is None:
            self._model = onnx().ModelProto(ir_version=proto.IR_VERSION)
            self._model.graph.name = "BuilderGraph_0"
        else:
            self._model = proto.parse(modelProtoOrFilename)
        graph = self._model.graph
        self._ids = {item.name for item in (*graph.input, *graph.initializer)}
        self._ids.update(name for node in graph.node for name in node.output)
        self.aiGraphcore = AiGraphcore(self, (opsets or {}).get("ai.graphcore", 1))
        self.aiGraphcoreOpset1 = self.aiGraphcore

    def __getattr__(self, name: str) -> Any:
        if name == "aiOnnx":
            return self._onnx_opset(self._opset or DEFAULT_OPSET, name)
        if name.startswith("aiOnnxOpset") and name[11:].isdigit() and int(name[11:]) in OPSETS:
            return self._onnx_opset(int(name[11:]), name)
        raise AttributeError(f"Builder: there is no {name!r}")

    def _onnx_opset(self, version: int, name: str) -> AiOnnx:
        if self._opset is None:
            self._opset = version
        if self._opset != version:
            raise RuntimeError(
                f"Invalid opset '{name}' selected. Opset for domain ai.onnx already defined as "
                f"{self._opset}"
            )
        return AiOnnx(self, version)

    def aiOnnxOpsetVersion(self, version: int) -> None:
        """Choose the opset of `aiOnnx`."""
        if version not in OPSETS:
            raise ValueError(f"Unsupported or unrecognized ai.Onnx version: {version}")
        self._opset = version

    def _use(self, domain: str, version: int) -> None:
        for entry in self._model.opset_import:
            if entry.domain in ((domain, "ai.onnx") if not domain else (domain,)):
                if entry.version != version:
                    raise popart_exception(
                        f"Invalid opset {version} used to add an operation. Opset for domain "
                        f"{domain or 'ai.onnx'} already defined as {entry.version}"
                    )
                return
        self._model.opset_import.append(onnx().helper.make_opsetid(domain, version))
        if self._parent is not None:
            self._parent._use(domain, version)

    # Tensors.

    def _known(self, name: str) -> bool:
        return name in self._ids or self._parent is not None and self._parent._known(name)

    def _new_id(self, base: str) -> str:
        full = "/".join([*self._scopes, base])
        name, count = full, 0
        while self._known(name):
            count += 1
            name = f"{full}/{count}"
        self._ids.add(name)
        return name

    def addInputTensor(self, tensorInfo: Any, *settings: Any, **named: Any) -> str:
        """Add an input of a TensorInfo, or of a type and a shape, and return its name."""
        values = [*settings, *named.values()]
        if not isinstance(tensorInfo, TensorInfo):
            shape = named.pop("shape", None)
            if shape is None:
                shape, *values = values
            else:
                values = [*settings, *named.values()]
            tensorInfo = TensorInfo(tensorInfo, shape)
        name = next((str(value) for value in values if isinstance(value, str)), "")
        made = self._new_id(name or "input")
        self._model.graph.input.append(proto.value_info(made, tensorInfo))
        return made

    def addUntypedInputTensor(self, debugContext: Any = "") -> str:
        """Add an input of a subgraph, whose type and shape are those of what it is given."""
        if self._parent is None:
            raise popart_exception(
                "Can not add untyped tensors to the top-level graph. Use "
                "Builder::addInputTensor(const TensorInfo &tensorInfo, const std::string "
                "&debugPrefix) instead."
            )
        made = self._new_id(str(debugContext) or "input")
        self._model.graph.input.append(proto.value_info(made, None))
        return made

    def addInputTensorFromParentGraph(self, tensorId: str) -> None:
        """Add a tensor of the parent's graph as an input of a subgraph."""
        if self._parent is None or not self._parent._known(tensorId):
            raise popart_exception(
                f"Failed to add unrecognised Tensor {tensorId} from higher scope, Currently, a "
                "Tensor must already exist in a higher (parent) scope to add it as an input in a "
                "lower scope."
            )
        self._model.graph.input.append(proto.value_info(tensorId, None))
        self._ids.add(tensorId)

    def addInitializedInputTensor(
        self, initVal: Any, *settings: Any, debugContext: Any = "", **named: Any
    ) -> str:
        """Add a weight with its values at first, and return its name.

        With a VariableSettings of several groups, dimension 0 is over the groups.
        """
        array = np.ascontiguousarray(initVal).reshape(np.shape(initVal))
        TensorInfo(array)
        values: list[Any] = [*settings, *named.values(), debugContext]
        names = [value for value in values if isinstance(value, str) and value]
        made = self._new_id(names[0] if names else "init_input")
        self._model.graph.initializer.append(onnx().numpy_helper.from_array(array, made))
        self._model.graph.input.append(proto.value_info(made, TensorInfo(array)))
        for value in values:
            if isinstance(value, VariableSettings):
                group, mode = value._group, int(value.getRetrievalMode())
                kind = -1 if group is None else int(group.type)
                numbers = [kind, value.getGroupSize(), value.getStride(), mode]
                entry = self._model.metadata_props.add()
                entry.key, entry.value = f"{VARIABLES}/{made}", json.dumps(numbers)
        return made

    def addOutputTensor(self, outputName: str) -> None:
        """Add an output."""
        if not self._known(outputName):
            raise popart_exception(
                f"Builder::addOutputTensor: expected a tensor of the model, got '{outputName}'"
            )
        self._model.graph.output.append(proto.value_info(outputName, None))

    # Nodes.

    def _node(
        self,
        domain: str,
        kind: str,
        inputs: Sequence[str],
        outputs: int,
        attributes: Mapping[str, Any],
        context: Any = "",
    ) -> list[str]:
        for name in inputs:
            if name and not self._known(name):
                known = ", ".join(sorted(self._ids))
                some = f"valid tensors are {known}" if known else "there are no valid tensors yet"
                raise popart_exception(f"Unknown tensor '{name}' ({some}).")
        title = str(context) or kind
        node = self._model.graph.node.add(op_type=kind, domain=domain)
        node.name = self.getNameScope(title)
        node.input.extend(inputs)
        node.output.extend(self._new_id(f"{title}:{i}") for i in range(outputs))
        for name, value in {**attributes, **self._context()}.items():
            node.attribute.append(proto.attribute(name, value))
        return list(node.output)

    def customOp(
        self,
        opName: str,
        opVersion: int,
        domain: str,
        inputs: Sequence[str],
        attributes: Mapping[str, Any] | None = None,
        numOutputs: int = 1,
        name: str = "",
        debugContext: str = "",
    ) -> list[str]:
        """Add an operator of a library, and return its outputs."""
        self._use(domain, opVersion)
        title = name or debugContext
        return self._node(domain, opName, inputs, numOutputs, attributes or {}, title)

    def reshape_const(
        self, aiOnnx: Any, args: Sequence[str], shape: Sequence[int], debugContext: str = ""
    ) -> str:
        """Reshape by numbers."""
        wanted = aiOnnx.constant(np.array(shape).astype(np.int64), debugContext + "_const")
        return str(aiOnnx.reshape([args[0], wanted], debugContext))

    def checkpointOutput(self, nodeOutputNames: Sequence[str]) -> list[str]:
        """Return the tensors; a device keeps them instead of computing them again."""
        version = self._opset or DEFAULT_OPSET
        self._use("", version)
        return [self._node("", "Identity", [n], 1, {}, "Checkpoint")[0] for n in nodeOutputNames]

    @contextmanager
    def nameScope(self, name: str) -> Iterator[None]:
        """Begin names of tensors with `name` and a slash."""
        self._scopes.append(name)
        try:
            yield
        finally:
            self._scopes.pop()

    def getNameScope(self, name: str = "") -> str:
        """Return `name` as it is within the scopes of the moment."""
        return "".join(f"{scope}/" for scope in self._scopes) + name

    def createSubgraphBuilder(self) -> Builder:
        """Return a builder of a graph for `logical_if`, `loop`, `scan` and `call`."""
        child = Builder(parent=self)
        self._children += 1
        child._model.graph.name = f"{self._model.graph.name}_subgraph_{self._children}"
        child._opset = self._opset
        return child

    def _subgraph(self) -> Any:
        return self._model.graph

    # What the model is.

    def setGraphName(self, name: str) -> None:
        """Name the graph."""
        self._model.graph.name = name

    def getModelProto(self) -> bytes:
        """Return the model, as the bytes of ONNX."""
        return bytes(self._model.SerializeToString())

    def saveModelProto(self, filename: str) -> None:
        """Write the model into a file."""
        onnx().save(self._model, filename)

    def saveInitializersExternally(self, ids: Sequence[str], filename: str) -> None:
        """Move weights into a file of their own."""
        external_data_helper = importlib.import_module("onnx.external_data_helper")

        offset = 0
        with open(filename, "wb") as file:
            for tensor in self._model.graph.initializer:
                if tensor.name in ids:
                    data = bytes(tensor.raw_data)
                    external_data_helper.set_external_data(tensor, filename, offset, len(data))
                    tensor.ClearField("raw_data")
                    offset += file.write(data)

    def getInputTensorIds(self) -> list[str]:
        """Return inputs and weights."""
        return [item.name for item in self._model.graph.input]

    def getOutputTensorIds(self) -> list[str]:
        """Return outputs."""
        return [item.name for item in self._model.graph.output]

    def getValueTensorIds(self) -> list[str]:
        """Return tensors that have a description and are neither inputs nor outputs."""
        outputs = set(self.getOutputTensorIds())
        names = [name for node in self._model.graph.node for name in node.output]
        return [name for name in names if name not in outputs]

    def getTrainableTensorIds(self) -> list[str]:
        """Return weights."""
        return [tensor.name for tensor in self._model.graph.initializer]

    def isInitializer(self, id: str) -> bool:
        """Whether a tensor is a weight."""
        return id in self.getTrainableTensorIds()

    def _info(self, name: str) -> TensorInfo:
        from .._run.shapes import infos  # noqa: PLC0415 - it runs models, which builders make

        if not self._known(name):
            raise popart_exception(f"Builder: expected a tensor of the model, got {name!r}")
        found: dict[str, TensorInfo] = infos(self._model, {name})
        return found[name]

    def getTensorShape(self, id: str) -> list[int]:
        """Return a tensor's shape."""
        return self._info(id).shape()

    def getTensorDtypeString(self, id: str) -> str:
        """Return a tensor's type by NumPy's name."""
        return self._info(id).data_type_lcase()
