"""InferenceSession and TrainingSession: a model that runs step by step."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np
import torch
from torch import Tensor

from .._build import proto
from .._native import native, popart_exception
from .._ops.registry import Pass
from .._settings.dataflow import DataFlow
from .._settings.enums import (
    AnchorReturnTypeId,
    ReductionType,
    SyntheticDataMode,
)
from .._settings.optimizers import Optimizer
from .._settings.options import SessionOptions
from .._settings.tensorinfo import TYPES, TensorInfo, to_torch
from .loss_scale import LossScale
from .program import program_of
from .shapes import infos
from .stepio import IStepIO, PyWeightsIO
from .updates import clip_norms, updated
from .weights import Weights

GRADIENT = "Gradient___"


class InputShapeInfo:
    """Types and shapes of inputs that a model leaves open."""

    def __init__(self) -> None:
        self._infos: dict[str, TensorInfo] = {}

    def add(self, name: str, info: TensorInfo) -> None:
        """Set those of an input."""
        self._infos[name] = info

    def get(self, name: str) -> TensorInfo:
        """Return those of an input."""
        return self._infos[name]

    def has(self, name: str) -> bool:
        """Whether those of an input are set."""
        return name in self._infos

    def all(self) -> dict[str, TensorInfo]:
        """Return all."""
        return dict(self._infos)


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
        if options.groupNormStridedChannelGrouping:
            raise popart_exception(
                "session: groupNormStridedChannelGrouping is not emulated: groups are of "
                "neighbouring channels"
            )
        self.dataFlow = dataFlow
        self.name = name
        self._device_info = deviceInfo
        self._model = proto.parse(fnModel)
        self._program = program_of(self._model)
        self._weights = Weights(self._model, self.replicationFactor)
        given = inputShapeInfo.all() if inputShapeInfo is not None else {}
        self._infos = infos(self._model, None, self._training, given, self._weights.shapes)
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
        flow, out = self.dataFlow, {}
        for anchor in flow.anchors():
            info, kind = self.getInfo(anchor), flow.art(anchor)
            lead = [self.replicationFactor]
            if kind.id() in (AnchorReturnTypeId.All, AnchorReturnTypeId.EveryN):
                every = kind.rp() if kind.id() == AnchorReturnTypeId.EveryN else 1
                lead = [flow.batchesPerStep() // every, self.accumulationFactor, *lead]
            shape = [size for size in lead if size != 1] + info.shape()
            out[anchor] = np.empty(shape, info.dtype)
        return out

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
        """Refuse to write an executable: there is none, the model itself is run."""
        raise popart_exception(
            f"Session::saveExecutable: executables are not emulated, '{path}' is not written: "
            "modelToHost writes the model with its weights"
        )

    def loadExecutable(self, filename: str) -> None:
        """Refuse to read an executable."""
        raise popart_exception(
            f"Session::loadExecutable: executables are not emulated, '{filename}' is not read: a "
            "session takes the model itself"
        )

    def compileAndExport(self, filename: str, err: Any = None) -> None:
        """Refuse to write an executable."""
        self.saveExecutable(filename)

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
        kept: dict[str, list[Any]] = {name: [] for name in flow.anchors()}
        outside = torch.random.get_rng_state()
        torch.random.set_rng_state(self._rng)
        try:
            for batch in range(flow.batchesPerStep()):
                self._batch(io, batch, kept)
            self._rng = torch.random.get_rng_state()
        finally:
            torch.random.set_rng_state(outside)
        for name, values in kept.items():
            io.take(name, values)

    def _batch(self, io: IStepIO, batch: int, kept: dict[str, list[Any]]) -> None:
        self._cycles = 0
        self._begin_batch()
        passes = []
        for micro in range(self.accumulationFactor):
            for replica in range(self.replicationFactor):
                inputs = self._inputs(io)
                state = Pass(self._training, device=self._on())
                state.replicas = self.replicationFactor
                values = self._pass(inputs, replica, state)
                self._cycles += state.cycles if replica == 0 else 0
                for name, value in state.written.items():
                    self._weights.device[replica][name] = value
                passes.append((dict(values), micro, replica))
        self._end_batch()
        for values, micro, replica in passes:
            if micro + 1 == self.accumulationFactor:  # an anchored weight is that after its update
                values.update(self._weights.device[replica])
            self._keep(values, kept, batch, micro, replica)

    def _inputs(self, io: IStepIO) -> dict[str, Tensor]:
        count = self.dataFlow.batchesPerStep() * self.accumulationFactor * self.replicationFactor
        inputs = {}
        for name in self._program.inputs:
            if name in self._program.weights:
                continue
            info = self._infos[name]
            if self.options.syntheticDataMode != SyntheticDataMode.Off:
                inputs[name] = self._synthetic(info)
                continue
            array = io.give(name, info.nelms(), count)
            if array.dtype != info.dtype:
                wider = {np.dtype(np.int64): np.int32, np.dtype(np.float64): np.float32}
                if wider.get(array.dtype) != info.dtype:
                    raise popart_exception(
                        f"Session::run: input '{name}': expected {info.data_type_lcase()}, got "
                        f"{array.dtype}"
                    )
                array = array.astype(info.dtype)
            inputs[name] = to_torch(array.reshape(info.shape()), info.data_type())
        return inputs

    def _synthetic(self, info: TensorInfo) -> Tensor:
        kind, shape = TYPES[info.data_type()][1], info.shape()
        if self.options.syntheticDataMode == SyntheticDataMode.Zeros or not kind.is_floating_point:
            return torch.zeros(shape, dtype=kind)
        normal = self.options.syntheticDataMode == SyntheticDataMode.RandomNormal
        return (torch.randn(shape) if normal else torch.rand(shape)).to(kind)

    def _keep(
        self,
        values: Mapping[str, Any],
        kept: dict[str, list[Any]],
        batch: int,
        micro: int,
        replica: int,
    ) -> None:
        flow = self.dataFlow
        last_batch = batch + 1 == flow.batchesPerStep()
        for name, before in kept.items():
            kind = flow.art(name)
            value = values[name].detach().numpy().astype(self.getInfo(name).dtype)
            if kind.id() == AnchorReturnTypeId.All or (
                kind.id() == AnchorReturnTypeId.EveryN and (batch + 1) % kind.rp() == 0
            ):
                before.append(value)
            elif kind.id() == AnchorReturnTypeId.Final:
                if last_batch and micro + 1 == self.accumulationFactor:
                    before.append(value)
            elif kind.id() == AnchorReturnTypeId.Sum:
                if len(before) <= replica:
                    before.append(value)
                else:
                    before[replica] = before[replica] + value

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


class TrainingSession(Session):
    """A model that runs forward, backward, and updates its weights.

    Parameters
    ----------
    fnModel, dataFlow, deviceInfo, inputShapeInfo, patterns, userOptions, name
        As for `InferenceSession`.
    loss : str
        A tensor of one element.
    optimizer : Optimizer
    """

    _training = True

    def __init__(
        self,
        fnModel: Any,
        dataFlow: DataFlow,
        loss: str,
        optimizer: Optimizer,
        deviceInfo: Any,
        inputShapeInfo: InputShapeInfo | None = None,
        patterns: Any = None,
        userOptions: SessionOptions | None = None,
        name: str = "training",
    ) -> None:
        super().__init__(fnModel, dataFlow, deviceInfo, inputShapeInfo, userOptions, name)
        if not self.hasInfo(loss):
            raise popart_exception(f"session: expected a tensor of the graph as loss, got '{loss}'")
        if self.getInfo(loss).nelms() != 1:
            raise popart_exception(
                f"session: loss '{loss}', of shape {self.getInfo(loss).shape()}, must be a scalar "
                "tensor"
            )
        self._loss = loss
        self._optimizer = optimizer
        self._state: list[dict[str, dict[str, Any]]] = [{} for _ in range(self.replicationFactor)]
        self._sums: list[dict[str, Tensor]] = []
        self._scale = LossScale(self.options.automaticLossScalingSettings)

    def updateOptimizerFromHost(self, optimizer: Optimizer) -> None:
        """Take other numbers of the same kind of optimizer.

        Raises
        ------
        popart_exception
            Where the kind is another.
        """
        same = isinstance(optimizer, type(self._optimizer)) or isinstance(
            self._optimizer, type(optimizer)
        )
        if not same:
            raise popart_exception(
                f"updateOptimizerFromHost: expected {type(self._optimizer).__name__}, got "
                f"{type(optimizer).__name__}"
            )
        self._optimizer = optimizer

    def _begin_batch(self) -> None:
        self._sums = [{} for _ in range(self.replicationFactor)]

    def _factor(self) -> float:
        """Return what the loss is multiplied by before the backward pass."""
        mean = self.options.accumulationAndReplicationReductionType == ReductionType.Mean
        scale = self._optimizer.getLossScalingVal() * self._scale.factor
        return scale / self.replicationFactor if mean else scale

    def _pass(self, inputs: dict[str, Tensor], replica: int, state: Pass) -> Mapping[str, Any]:
        wanted = {n[len(GRADIENT) :] for n in self.dataFlow.anchors() if n.startswith(GRADIENT)}
        values = {**inputs, **self._weights.device[replica]}
        for name, value in values.items():
            trained = name in self._program.weights or name in wanted
            values[name] = value.detach().clone()
            values[name].requires_grad_(trained and value.is_floating_point())
        with torch.enable_grad():
            scope = self._program.run(values, state)
            loss = scope[self._loss].float().sum() * self._factor()
        names = [*self._program.weights, *sorted(wanted - set(self._program.weights))]
        leaves = {name: scope[name] for name in names if scope[name].requires_grad}
        gradients: tuple[Any, ...] = ()
        if loss.requires_grad and leaves:
            gradients = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
        slopes = {name: g for name, g in zip(leaves, gradients) if g is not None}
        for name in self._program.weights:
            if name in slopes:
                sums = self._sums[replica]
                sums[name] = slopes[name].float() + sums.get(name, 0.0)
        out: dict[str, Any] = dict(scope)
        for name in wanted:
            slope = slopes.get(name)
            out[GRADIENT + name] = torch.zeros_like(scope[name]) if slope is None else slope
        return out

    def _end_batch(self) -> None:
        mean = self.options.accumulationAndReplicationReductionType == ReductionType.Mean
        scale = self._optimizer.getLossScalingVal() * self._scale.factor
        divisor = scale * (self.accumulationFactor if mean else 1)
        totals: list[dict[str, Tensor]] = [{} for _ in self._sums]
        for name in self._program.weights:
            for group in self._weights.groups(name):
                parts = [self._sums[r][name] for r in group if name in self._sums[r]]
                for replica in group if parts else ():
                    totals[replica][name] = sum(parts[1:], parts[0]) / divisor
        for replica, gradients in enumerate(totals):
            clipped = clip_norms(gradients, self._optimizer)
            for name, slope in clipped.items():
                state = self._state[replica].setdefault(name, {})
                device = self._weights.device[replica]
                device[name] = updated(name, device[name], slope, self._optimizer, state)
        self._scale.note(self._sums)
