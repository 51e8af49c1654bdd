"""Weights of a session: on the host, on the device of each replica, and in files."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from torch import Tensor

from .._build import proto
from .._build.builder import VARIABLES
from .._native import onnx, popart_exception
from .._settings.enums import CommGroupType, VariableRetrievalMode
from .._settings.tensorinfo import TensorInfo, to_torch
from .._settings.variables import CommGroup, VariableSettings
from .stepio import PyWeightsIO


class Weights:
    """Values of all weights.

    Parameters
    ----------
    model : ModelProto
    replicas : int

    Attributes
    ----------
    host : dict of str to array
        One value for each group of replicas, along dimension 0 where there are several.
    device : list of dict of str to Tensor
        Of each replica.
    """

    def __init__(self, model: Any, replicas: int) -> None:
        self.replicas = replicas
        self.settings = {name: VariableSettings() for name in _names(model)}
        for entry in model.metadata_props:
            if entry.key.startswith(f"{VARIABLES}/"):
                self.settings[entry.key[len(VARIABLES) + 1 :]] = _settings(json.loads(entry.value))
        self.host = {t.name: proto.array_of(t) for t in model.graph.initializer}
        self.types = {name: TensorInfo(array).data_type() for name, array in self.host.items()}
        self.shapes = {
            name: self.settings[name].shapeOnReplica(array.shape, replicas, name)
            for name, array in self.host.items()
        }
        self.device: list[dict[str, Tensor]] = [{} for _ in range(replicas)]
        self.upload()

    def groups(self, name: str) -> list[list[int]]:
        """Return the replicas that hold the same weight."""
        return self.settings[name].groups(self.replicas)

    def upload(self) -> None:
        """Copy all from the host."""
        for name, array in self.host.items():
            groups = self.groups(name)
            for index, group in enumerate(groups):
                value = array if len(groups) == 1 else array[index]
                tensor = to_torch(value, self.types[name])
                for replica in group:
                    self.device[replica][name] = tensor

    def download(self) -> None:
        """Copy all to the host."""
        for name, array in self.host.items():
            groups = self.groups(name)
            values = [self.device[group[0]][name].numpy() for group in groups]
            self.host[name] = np.array(values[0] if len(groups) == 1 else values, array.dtype)

    def read(self, io: PyWeightsIO) -> None:
        """Copy the host's values into arrays, each as often as the variable's settings say."""
        for name, array in io.arrays.items():
            if name in self.host:
                array[...] = self._returned(name).reshape(array.shape)

    def _returned(self, name: str) -> Any:
        value, groups = self.host[name], self.groups(name)
        if self.settings[name].getRetrievalMode() != VariableRetrievalMode.AllReplicas:
            return value
        each = [value] if len(groups) == 1 else list(value)
        owner = {replica: i for i, group in enumerate(groups) for replica in group}
        return np.stack([each[owner[replica]] for replica in range(self.replicas)])

    def write(self, io: PyWeightsIO) -> None:
        """Copy arrays into the host's values.

        Raises
        ------
        popart_exception
            Where an array has another number of elements.
        """
        for name, array in io.arrays.items():
            if name not in self.host:
                continue
            own = self.host[name]
            values = np.asarray(array)
            groups = self.groups(name)
            if values.size == own.size // len(groups) * self.replicas != own.size:
                every = values.reshape(self.replicas, *self.shapes[name])
                values = np.stack([every[group[0]] for group in groups])
            if values.size != own.size:
                raise popart_exception(
                    f"writeWeights: '{name}': expected {own.size} elements, got {values.size}"
                )
            self.host[name] = values.reshape(own.shape).astype(own.dtype)

    def save(self, model: Any, filename: str) -> None:
        """Write the model with the host's values into a file."""
        copy = onnx().ModelProto()
        copy.CopyFrom(model)
        for tensor in copy.graph.initializer:
            array = self.host[tensor.name]
            made = onnx().numpy_helper.from_array(array, tensor.name)
            if array.dtype == np.float32:  # PopART writes them as numbers
                made.ClearField("raw_data")
                made.float_data.extend(array.reshape(-1).tolist())
            tensor.CopyFrom(made)
        onnx().save(copy, filename)

    def reset(self, model: Any, ignore: bool) -> None:
        """Take the host's values from another model.

        Raises
        ------
        popart_exception
            Where that has a weight that there is not here, unless it is to be ignored.
        """
        for tensor in model.graph.initializer:
            if tensor.name in self.host:
                self.host[tensor.name] = proto.array_of(tensor)
            elif not ignore:
                raise popart_exception(
                    f"resetHostWeights: expected a weight of the session, got '{tensor.name}'"
                )


def _names(model: Any) -> list[str]:
    return [tensor.name for tensor in model.graph.initializer]


def _settings(numbers: list[int]) -> VariableSettings:
    kind, size, stride, mode = numbers
    retrieval = VariableRetrievalMode(mode)
    if kind < 0:
        return VariableSettings(stride, size, retrieval)
    return VariableSettings(CommGroup(CommGroupType(kind), size), retrieval)
