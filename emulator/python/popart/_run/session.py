"""InferenceSession, and the base of all sessions: a model that runs step by step."""

from __future__ import annotations

from typing import Any, Mapping

import torch
from torch import Tensor

from .._build import proto
from .._native import native, popart_exception
from .._ops.registry import Pass
from .._settings.dataflow import DataFlow
from .._settings.enums import SyntheticDataMode
from .._settings.options import SessionOptions
from .._settings.tensorinfo import WIDER, TensorInfo
from . import executable
from .anchors import Anchors
from .inputs import InputShapeInfo, read_input, synthetic
from .program import program_of
from .shapes import infos
from .stepio import IStepIO, PyWeightsIO
from .weights import Weights

GRADIENT = "Gradient___"


class Session:
    """Base of the sessions of inference and of training."""

    _training = False

    def __init__(
        self,
        fnModel: Any,
        dataFlow: DataFlow,
        deviceInfo: Any,
        inputShapeInfo: InputShapeInfo | None,
        userOptions: SessionOptions | None,
        name: str,
    ) -> None:
        if deviceInfo is None:
            raise popart_exception("session: expected a device, got none")
        options: Any = userOptions or SessionOptions()
        self.options = options
        self.dataFlow = dataFlow
        self.name = name
        self._device_info = deviceInfo
        self._model = proto.parse(fnModel)
        self._program = program_of(self._model)
        self._weights = Weights(self._model, self.replicationFactor)
        given = inputShapeInfo.all() if inputShapeInfo is not None else {}
        self._infos = infos(self._model, None, self._training, given, self._weights.shapes)
        found = ((name, info.data_type()) for name, info in self._infos.items())
        self._wider = {name: kind for name, kind in found if kind in WIDER}
        for anchor in dataFlow.anchors():
            if not self.hasInfo(anchor):
                raise popart_exception(f"session: expected an anchor of the graph, got '{anchor}'")
        self._rng = torch.Generator().manual_seed(0).get_state()
        self._seed = 0
        self._prepared = False
        self._uploaded = False
        self._cycles = 0

    # What it is.

    @property
    def replicationFactor(self) -> int:
        """Number of replicas."""
        return int(self.options.replicatedGraphCount) if self.options.enableReplicatedGraphs else 1

    @property
    def accumulationFactor(self) -> int:
        """Number of micro-batches of an update."""
        if not self.options.enableGradientAccumulation:
            return 1
        return int(self.options.accumulationFactor)

    def getInfo(self, id: str) -> TensorInfo:
        """Return type and shape of a tensor.

        Raises
        ------
        popart_exception
            Where there is no such tensor.
        """
        key = id[len(GRADIENT) :] if id.startswith(GRADIENT) else id
        if key not in self._infos:
            raise popart_exception(f"session: expected a tensor of the graph, got '{id}'")
        return self._infos[key]

    def hasInfo(self, id: str) -> bool:
        """Whether there is a tensor; gradients are there in training."""
        is_gradient = id.startswith(GRADIENT)
        return (id[len(GRADIENT) :] if is_gradient else id) in self._infos and (
            self._training or not is_gradient
        )

    def getAllTensorIds(self) -> set[str]:
        """Return all tensors."""
        return set(self._infos)

    def initAnchorArrays(self) -> dict[str, Any]:
        """Return an array for each anchor, with dimensions of batches, micro-batches, replicas."""
        return self._anchors().arrays()

    def _anchors(self) -> Anchors:
        named = {name: self.getInfo(name) for name in self.dataFlow.anchors()}
        return Anchors(self.dataFlow, self.accumulationFactor, self.replicationFactor, named)

    # The device.

    def prepareDevice(self, loadEngine: bool = True, err: Any = None) -> None:
        """Compile, and put the weights on the device."""
        self._prepared = True
        self._weights.upload()

    def _check(self, operation: str) -> None:
        if not self._prepared:
            raise popart_exception(
                f"Session::{operation}: expected prepareDevice() before, got none"
            )

    def _on(self) -> Any:
        """Return the device of custom operators."""
        options = self.options
        chosen: dict[str, Any] = {"ipus": max(int(self._device_info.numIpus), 1)}
        if str(self._device_info.type).split(".")[-1] != "Cpu":
            chosen["tiles_per_ipu"] = int(self._device_info.tilesPerIPU)
        else:
            chosen["tiles_per_ipu"] = 1
        chosen["engine_options"] = {str(k): str(v) for k, v in options.engineOptions.items()}
        chosen["codelets"] = list(options.customCodelets)
        chosen["codelet_flags"] = options.customCodeletCompileFlags
        chosen["opx_alias_checking"] = bool(options.opxAliasChecking)
        return native.Device(**chosen)

    def weightsFromHost(self) -> None:
        """Copy weights to the device."""
        self._check("weightsFromHost")
        self._weights.upload()
        self._uploaded = True

    def weightsToHost(self) -> None:
        """Copy weights from the device."""
        self._check("weightsToHost")
        self._weights.download()

    def readWeights(self, weightsIo: PyWeightsIO) -> None:
        """Copy the host's weights into arrays."""
        self._weights.read(weightsIo)

    def writeWeights(self, weightsIo: PyWeightsIO) -> None:
        """Copy arrays into the host's weights; `weightsFromHost` brings them to the device."""
        self._weights.write(weightsIo)

    def weights(self) -> dict[str, Any]:
        """Return the host's weights: those that weightsToHost brought."""
        return dict(self._weights.host)

    def modelToHost(self, filename: str) -> None:
        """Copy weights from the device, and write the model with them into a file."""
        self.weightsToHost()
        self._weights.save(self._model, filename)

    def resetHostWeights(
        self,
        modelProtoOrFilename: Any,
        ignoreWeightsInModelWithoutCorrespondingHostWeight: bool = False,
    ) -> None:
        """Take the host's weights from another model."""
        model = proto.parse(modelProtoOrFilename)
        self._weights.reset(model, ignoreWeightsInModelWithoutCorrespondingHostWeight)

    def setRandomSeed(self, seedValue: int) -> None:
        """Seed the device's random numbers."""
        self._seed = int(seedValue)
        self._rng = torch.Generator().manual_seed(self._seed).get_state()

    def getRandomSeed(self) -> int:
        """Return the seed."""
        return self._seed

    def getRNGState(self) -> list[int]:
        """Return the state of the device's random numbers."""
        return [int(byte) for byte in self._rng]

    def setRNGState(self, rngValue: Any) -> None:
        """Set the state of the device's random numbers."""
        self._rng = torch.tensor(list(rngValue), dtype=torch.uint8)

    def saveExecutable(
        self, path: str, savePopartMetadata: bool = True, saveVariables: bool = True
    ) -> None:
        """Write an executable: the key of the model and its options, and the weights.

        Raises
        ------
        popart_exception
            Where the device is a CPU or not prepared.
        """
        executable.check_device(self._device_info)
        if not self._prepared:
            raise popart_exception(
                "There is no executable. Try calling Session::prepareDevice first."
            )
        executable.save(path, self._key(), self._weights.host if saveVariables else {})

    def loadExecutable(self, filename: str) -> None:
        """Read an executable, with its weights if they are in it.

        Raises
        ------
        popart_exception
            Where it is none, or of another model, options or kind of session.
        """
        for name, array in executable.load(filename, self._key()).items():
            self._weights.host[name] = array
        self._weights.upload()

    def loadExecutableFromFile(self, filename: str) -> None:
        """Read an executable, as `loadExecutable`."""
        self.loadExecutable(filename)

    def compileAndExport(self, filename: str, err: Any = None) -> None:
        """Prepare the device, and write an executable."""
        executable.check_device(self._device_info)
        self.prepareDevice(loadEngine=False)
        self.saveExecutable(filename)

    def _key(self) -> str:
        flow = self.dataFlow
        anchors = [(name, str(flow.art(name).id())) for name in flow.anchors()]
        return executable.key_of(
            self._model,
            type(self).__name__,
            str(flow.batchesPerStep()),
            str(anchors),
            f"{self.replicationFactor} {self.accumulationFactor}",
        )

    def getCycleCount(self, id: str = "") -> int:
        """Return the modelled cycles of the last batch: those of custom operators alone."""
        self._check("getCycleCount")
        return self._cycles

    # Running.

    def run(self, stepio: Any, *names: Any, debugName: str = "") -> None:
        """Run a step: all of its batches.

        Raises
        ------
        popart_exception
            Where the device is not prepared, inputs are missing or have other sizes, or an
            operator refuses them.
        """
        io: IStepIO = names[0] if isinstance(stepio, str) else stepio
        self._check("run")
        if self._training and self._weights.host and not self._uploaded:
            raise popart_exception(
                "Must call weightsFromHost before run as the model has initializers and the "
                "session has been created in training mode"
            )
        io.begin()
        flow = self.dataFlow
        kept = self._anchors()
        outside = torch.random.get_rng_state()
        torch.random.set_rng_state(self._rng)
        try:
            for batch in range(flow.batchesPerStep()):
                self._batch(io, batch, kept)
            self._rng = torch.random.get_rng_state()
        finally:
            torch.random.set_rng_state(outside)
        for name, values in kept.values.items():
            io.take(name, values)

    def _batch(self, io: IStepIO, batch: int, kept: Anchors) -> None:
        self._cycles = 0
        self._begin_batch()
        passes = []
        for micro in range(self.accumulationFactor):
            for replica in range(self.replicationFactor):
                inputs = self._inputs(io)
                state = Pass(self._training, device=self._on())
                state.replicas = self.replicationFactor
                state.strided_groups = bool(self.options.groupNormStridedChannelGrouping)
                state.types.update(self._wider)
                values = self._pass(inputs, replica, state)
                self._cycles += state.cycles if replica == 0 else 0
                for name, value in state.written.items():
                    if name in self._weights.device[replica]:
                        self._weights.device[replica][name] = value
                passes.append((dict(values), micro, replica))
        self._end_batch()
        for values, micro, replica in passes:
            if micro + 1 == self.accumulationFactor:  # an anchored weight is that after its update
                values.update(self._weights.device[replica])
            kept.keep(values, batch, micro, replica)

    def _inputs(self, io: IStepIO) -> dict[str, Tensor]:
        count = self.dataFlow.batchesPerStep() * self.accumulationFactor * self.replicationFactor
        mode, inputs = self.options.syntheticDataMode, {}
        for name in self._program.inputs:
            if name in self._program.weights:
                continue
            info = self._infos[name]
            inputs[name] = (
                read_input(io, name, info, count)
                if mode == SyntheticDataMode.Off
                else synthetic(info, mode)
            )
        return inputs

    def _begin_batch(self) -> None:
        """Begin a batch."""

    def _end_batch(self) -> None:
        """End a batch."""

    def _pass(self, inputs: dict[str, Tensor], replica: int, state: Pass) -> Mapping[str, Any]:
        values = {**inputs, **self._weights.device[replica]}
        with torch.no_grad():
            return self._program.run(values, state)


class InferenceSession(Session):
    """A model that runs forward.

    Parameters
    ----------
    fnModel : bytes or str
        A model of ONNX, or the name of its file.
    dataFlow : DataFlow
    deviceInfo : DeviceInfo
    inputShapeInfo : InputShapeInfo, optional
    patterns : Patterns, optional
        Stored alone.
    userOptions : SessionOptions, optional
    name : str, optional
    """

    def __init__(
        self,
        fnModel: Any,
        dataFlow: DataFlow,
        deviceInfo: Any,
        inputShapeInfo: InputShapeInfo | None = None,
        patterns: Any = None,
        userOptions: SessionOptions | None = None,
        name: str = "inference",
    ) -> None:
        super().__init__(fnModel, dataFlow, deviceInfo, inputShapeInfo, userOptions, name)
