"""A Builder's notes on operators: attributes of nodes, and contexts that set them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterable, Iterator, Mapping

from .._native import popart_exception
from .._settings.enums import RecomputeType
from . import proto

_VIRTUAL_GRAPH = "__ipu_number"
_STAGE = "__pipeline_stage"
_PHASE = "__execution_phase"
_RECOMPUTE = "__recompute_output"


def _names(outputs: str | Iterable[str]) -> set[str]:
    return {outputs} if isinstance(outputs, str) else set(outputs)


class NodeAttributes:
    """The part of a Builder that annotates nodes, which decide nothing where one device runs all.

    A method with tensors annotates the node that makes them; without, it is a context.
    """

    _model: Any

    def __init__(self) -> None:
        self._contexts: dict[str, Any] = {}

    def _context(self) -> dict[str, Any]:
        return dict(self._contexts)

    @contextmanager
    def _within(self, name: str, value: Any) -> Iterator[None]:
        before = dict(self._contexts)
        self._contexts[name] = value
        try:
            yield
        finally:
            self._contexts = before

    def _of(self, outputs: str | Iterable[str]) -> Any:
        wanted = _names(outputs)
        for node in self._model.graph.node:
            if wanted and wanted <= set(node.output):
                return node
        raise popart_exception(
            f"Builder: expected the outputs of a node, got {', '.join(sorted(wanted)) or 'none'}"
        )

    def addNodeAttribute(
        self, attributeName: str, attributeValue: Any, nodeOutputNames: Iterable[str]
    ) -> None:
        """Add an attribute to the node with these outputs."""
        node = self._of(nodeOutputNames)
        if self.nodeHasAttribute(attributeName, nodeOutputNames):
            raise popart_exception(
                f"Builder::addNodeAttribute: expected a new name, got '{attributeName}', which "
                "the node has"
            )
        node.attribute.append(proto.attribute(attributeName, attributeValue))

    def _set(self, name: str, value: Any, outputs: str | Iterable[str]) -> None:
        node = self._of(outputs)
        kept = [attribute for attribute in node.attribute if attribute.name != name]
        del node.attribute[:]
        node.attribute.extend([*kept, proto.attribute(name, value)])

    def nodeHasAttribute(self, attributeName: str, nodeOutputNames: Iterable[str]) -> bool:
        """Whether the node with these outputs has an attribute."""
        return any(a.name == attributeName for a in self._of(nodeOutputNames).attribute)

    def getAllNodeAttributeNames(self, nodeOutputNames: Iterable[str]) -> list[str]:
        """Return the attributes of the node with these outputs."""
        return [attribute.name for attribute in self._of(nodeOutputNames).attribute]

    def removeNodeAttribute(self, attributeName: str, nodeOutputNames: Iterable[str]) -> None:
        """Take an attribute off the node with these outputs."""
        self._attribute(attributeName, nodeOutputNames)
        node = self._of(nodeOutputNames)
        kept = [attribute for attribute in node.attribute if attribute.name != attributeName]
        del node.attribute[:]
        node.attribute.extend(kept)

    def _attribute(self, name: str, outputs: str | Iterable[str], kind: Any = object) -> Any:
        for attribute in self._of(outputs).attribute:
            if attribute.name == name:
                value = proto.value_of(attribute)
                if not isinstance(value, kind):
                    raise popart_exception(
                        f"Builder: attribute '{name}': expected {kind.__name__}, got {value!r}"
                    )
                return value
        raise popart_exception(f"Builder: expected an attribute of the node, got '{name}'")

    def getInt64NodeAttribute(self, attributeName: str, nodeOutputNames: Iterable[str]) -> int:
        """Return an integer."""
        return int(self._attribute(attributeName, nodeOutputNames, int))

    def getInt64VectorNodeAttribute(
        self, attributeName: str, nodeOutputNames: Iterable[str]
    ) -> list[int]:
        """Return integers."""
        return list(self._attribute(attributeName, nodeOutputNames, list))

    def getFloatNodeAttribute(self, attributeName: str, nodeOutputNames: Iterable[str]) -> float:
        """Return a number."""
        return float(self._attribute(attributeName, nodeOutputNames, float))

    def getFloatVectorNodeAttribute(
        self, attributeName: str, nodeOutputNames: Iterable[str]
    ) -> list[float]:
        """Return numbers."""
        return list(self._attribute(attributeName, nodeOutputNames, list))

    def getStringNodeAttribute(self, attributeName: str, nodeOutputNames: Iterable[str]) -> str:
        """Return a text."""
        return str(self._attribute(attributeName, nodeOutputNames, str))

    def getStringVectorNodeAttribute(
        self, attributeName: str, nodeOutputNames: Iterable[str]
    ) -> list[str]:
        """Return texts."""
        return list(self._attribute(attributeName, nodeOutputNames, list))

    # Placement, which decides nothing here.

    def _place(self, name: str, outputs: Any, value: Any) -> Any:
        if isinstance(outputs, (str, set, list, tuple)):
            return self._set(name, value, outputs)
        return self._within(name, value if outputs is None else int(outputs))

    def virtualGraph(self, nodeOutputNames: Any = None, value: int = 0) -> Any:
        """Note the IPU of a node; with a number alone: of all nodes within the context."""
        return self._place(_VIRTUAL_GRAPH, nodeOutputNames, value)

    def pipelineStage(self, nodeOutputNames: Any = None, value: int = 0) -> Any:
        """Note the stage of a node, or of all nodes within the context."""
        return self._place(_STAGE, nodeOutputNames, value)

    def executionPhase(self, nodeOutputNames: Any = None, value: int = 0) -> Any:
        """Note the phase of a node, or of all nodes within the context."""
        return self._place(_PHASE, nodeOutputNames, value)

    def recomputeOutput(
        self, nodeOutputNames: Any = None, value: Any = RecomputeType.Undefined
    ) -> Any:
        """Note whether a node runs again in the backward pass."""
        return self._place(_RECOMPUTE, nodeOutputNames, int(value))

    def recomputeOutputInBackwardPass(
        self, nodeOutputNames: Any, value: Any = RecomputeType.Recompute
    ) -> None:
        """Note that a node runs again in the backward pass."""
        self._set(_RECOMPUTE, int(value), nodeOutputNames)

    def getRecomputeOutputInBackwardPass(self, nodeOutputNames: Any) -> bool:
        """Whether a node runs again in the backward pass."""
        names = self.getAllNodeAttributeNames(nodeOutputNames)
        recompute = int(RecomputeType.Recompute)
        return _RECOMPUTE in names and self._attribute(_RECOMPUTE, nodeOutputNames) == recompute

    def schedulePriority(self, value: float) -> Any:
        """Note how early nodes within the context run."""
        return self._within("__schedule_priority", float(value))

    def outputTensorLocation(self, nodeOutputNames: Any = None, value: Any = None) -> Any:
        """Note where an output lives."""
        named = isinstance(nodeOutputNames, (str, set, list, tuple))
        return self._place("__output_tensor_location", nodeOutputNames if named else None, "noted")

    def outlineAttributes(self, values: Mapping[str, Any]) -> Any:
        """Note what nodes within the context must have in common to be one function."""
        return self._within("__outline", [f"{name}:{value}" for name, value in values.items()])

    def commGroup(self, type: int = 0, groupSize: int = 0) -> Any:
        """Note the replicas that collectives within the context are among."""
        return self._within("__collective_comm_group", [int(type), int(groupSize)])

    def _noted(self, name: str, outputs: Any) -> int:
        value = self._contexts.get(name) if outputs is None else self._attribute(name, outputs)
        if value is None:
            raise popart_exception(f"Builder: expected '{name}' within this context, got none")
        return int(value)

    def getVirtualGraph(self, nodeOutputNames: Any = None) -> int:
        """Return the IPU of a node, or of the context."""
        return self._noted(_VIRTUAL_GRAPH, nodeOutputNames)

    def hasVirtualGraph(self) -> bool:
        """Whether the context has an IPU."""
        return _VIRTUAL_GRAPH in self._contexts

    def getPipelineStage(self) -> int:
        """Return the stage of the context."""
        return self._noted(_STAGE, None)

    def hasPipelineStage(self) -> bool:
        """Whether the context has a stage."""
        return _STAGE in self._contexts

    def getExecutionPhase(self) -> int:
        """Return the phase of the context."""
        return self._noted(_PHASE, None)

    def hasExecutionPhase(self) -> bool:
        """Whether the context has a phase."""
        return _PHASE in self._contexts

    def excludePatterns(self, nodeOutputName: Any, patternNames: Iterable[str]) -> None:
        """Note which rewritings leave a node alone."""
        self._set("__exclude_patterns", list(patternNames), nodeOutputName)

    def setPartialsType(self, nodeOutputName: Any, partialsType: str) -> None:
        """Note the type of partial sums; those here are torch's."""
        self._set("__partials_type", partialsType, nodeOutputName)

    def getPartialsType(self, nodeOutputName: Any) -> str:
        """Return the type of partial sums."""
        if "__partials_type" not in self.getAllNodeAttributeNames(nodeOutputName):
            return "FLOAT"
        return str(self._attribute("__partials_type", nodeOutputName))

    def setAvailableMemoryProportion(
        self, nodeOutputNames: Any, availableMemoryProportion: float
    ) -> None:
        """Note how much memory a node may take."""
        proportion = float(availableMemoryProportion)
        if not 0 < proportion <= 1:
            raise popart_exception(
                "Builder::setAvailableMemoryProportion: expected a proportion above 0 and up to "
                f"1, got {proportion:g}"
            )
        self._set("__available_memory_proportion", proportion, nodeOutputNames)

    def setEnableConvDithering(self, nodeOutputName: Any, enableConvDithering: int) -> None:
        """Note whether convolutions begin on different tiles."""
        self._set("__enable_conv_dithering", int(enableConvDithering), nodeOutputName)

    def setSerializeMatMul(
        self, nodeOutputName: Any, mode: str, factor: int = 0, keep_precision: bool = False
    ) -> None:
        """Note how a product is cut; the whole product is computed at once here."""
        self._set("serialize_matmul_mode", mode, nodeOutputName)
        self._set("serialize_matmul_factor", int(factor), nodeOutputName)
        self._set("serialize_matmul_keep_precision", int(keep_precision), nodeOutputName)

    def setInplacePreferences(self, nodeOutputName: Any, prefs: Mapping[str, float]) -> None:
        """Note which nodes write in place."""
        self._set("__inplace_op_names", list(prefs), nodeOutputName)
        self._set("__inplace_op_priorities", list(map(float, prefs.values())), nodeOutputName)

    def embedReplicationFactor(self, replicationFactor: int) -> None:
        """Note the number of replicas in the model."""
        entry = self._model.metadata_props.add()
        entry.key, entry.value = "__replication_factor", str(int(replicationFactor))
