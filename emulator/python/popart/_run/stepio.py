"""Data of a step: arrays, or functions that give and take them."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy as np

from .._native import popart_exception


class IStepIO:
    """Base: gives inputs and takes anchors, one micro-batch after another."""

    def begin(self) -> None:
        """Begin a step."""

    def give(self, name: str, size: int, batches: int) -> Any:
        """Return the elements of one micro-batch of an input, in a flat array.

        Parameters
        ----------
        name : str
        size : int
            Elements of a micro-batch.
        batches : int
            Micro-batches of a step.
        """
        raise NotImplementedError

    def take(self, name: str, values: list[Any]) -> None:
        """Take what an anchor returns, in order."""
        raise NotImplementedError


class PyStepIO(IStepIO):
    """Arrays for all micro-batches of a step.

    Parameters
    ----------
    inputs : mapping of str to array
    outputs : mapping of str to array
        As `initAnchorArrays` makes them; written to.
    """

    def __init__(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        self._inputs = {name: np.ascontiguousarray(value) for name, value in inputs.items()}
        self._outputs = dict(outputs)
        self._places: dict[str, int] = {}
        for name, array in self._outputs.items():
            if not (array.flags["C_CONTIGUOUS"] and array.flags["WRITEABLE"]):
                raise popart_exception(
                    f"PyStepIO: anchor '{name}': expected a contiguous array to write to, got "
                    "another"
                )

    def enableRuntimeAsserts(self, enabled: bool = True) -> None:
        """Accept and ignore: numbers of elements are always checked."""

    def begin(self) -> None:
        """Begin a step."""
        self._places = {}

    def give(self, name: str, size: int, batches: int) -> Any:
        """Return the elements of one micro-batch of an input."""
        if name not in self._inputs:
            raise popart_exception(f"PyStepIO: expected an array for input '{name}', got none")
        values = self._inputs[name].reshape(-1)
        if values.size != size * batches:
            raise popart_exception(
                f"PyStepIO: input '{name}': expected {size * batches} elements for {batches} "
                f"micro-batches of {size}, got {values.size}"
            )
        place = self._places.get(name, 0)
        self._places[name] = place + size
        return values[place : place + size]

    def take(self, name: str, values: list[Any]) -> None:
        """Take what an anchor returns."""
        if name not in self._outputs:
            raise popart_exception(f"PyStepIO: expected an array for anchor '{name}', got none")
        flat = np.concatenate([np.reshape(value, -1) for value in values])
        array = self._outputs[name]
        if array.size != flat.size:
            raise popart_exception(
                f"PyStepIO: anchor '{name}': expected an array of {flat.size} elements, got "
                f"{array.size}"
            )
        array[...] = flat.reshape(array.shape)


class PyStepIOCallback(IStepIO):
    """Functions that give and take arrays of one micro-batch.

    Parameters
    ----------
    input_callback : callable
        Of a name and whether it is asked ahead, which it never is here; returns an array.
    input_complete_callback : callable
        Of a name, when the array is read.
    output_callback : callable
        Of a name; returns an array to write to.
    output_complete_callback : callable
        Of a name, when the array is written.
    """

    def __init__(
        self,
        input_callback: Callable[[str, bool], Any],
        input_complete_callback: Callable[[str], None],
        output_callback: Callable[[str], Any],
        output_complete_callback: Callable[[str], None],
    ) -> None:
        self._input, self._input_done = input_callback, input_complete_callback
        self._output, self._output_done = output_callback, output_complete_callback

    def give(self, name: str, size: int, batches: int) -> Any:
        """Return the elements of one micro-batch of an input."""
        values = np.array(self._input(name, False)).reshape(-1)
        if values.size != size:
            raise popart_exception(
                f"PyStepIOCallback: input '{name}': expected {size} elements, got {values.size}"
            )
        self._input_done(name)
        return values

    def take(self, name: str, values: list[Any]) -> None:
        """Take what an anchor returns."""
        for value in values:
            array = self._output(name)
            array[...] = np.reshape(value, array.shape)
            self._output_done(name)


class PyWeightsIO:
    """Arrays that weights are read into, or written from.

    Parameters
    ----------
    weights : mapping of str to array
    """

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.arrays = dict(weights)
