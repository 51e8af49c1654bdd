"""The readable state of a model on the device: cycles, times, names and values of tensors."""

from __future__ import annotations

import datetime
from typing import Any, Callable

import torch
from torch import Tensor

from ._errors import Error
from ._graphs.anchors import GRADIENT, UPDATED
from ._graphs.graph import Graph
from ._training.device_optimizer import DeviceOptimizer
from ._training.optimizer_numbers import numbers
from ._transfers.timing import Timestamps

NOT_COMPILED = "Model has not been compiled or has been destroyed."


class Readings:
    """The part of an executor that only reads."""

    _graph: Graph | None
    _on_device: DeviceOptimizer | None
    _options: Any
    _rng: Tensor | None
    _cycles: int | None
    _compile_time: float
    _times: Timestamps
    _anchored: dict[str, Tensor]
    _device_weights: Callable[..., Any]
    isCompiled: Callable[[], bool]

    @property
    def rng_state(self) -> list[int]:
        """State of the device's random numbers.

        Raises
        ------
        Error
            Where the model is not compiled.
        """
        self._device_weights()
        assert self._rng is not None
        return [int(byte) for byte in self._rng]

    @rng_state.setter
    def rng_state(self, state: list[int]) -> None:
        self._device_weights()
        self._rng = torch.tensor(state, dtype=torch.uint8)

    def getTensorNames(self) -> list[str]:
        """Return the names of the compiled graph's tensors, which `Options.anchorTensor` takes.

        Raises
        ------
        AssertionError
            Where the model is not compiled.
        """
        if self._graph is None:
            raise AssertionError("Model must be compiled before calling getTensorNames")
        names = self._graph.names()
        if self._on_device is not None:
            trained = self._device_weights().trained
            names += [prefix + name for prefix in (GRADIENT, UPDATED) for name in trained]
            names += numbers(self._on_device.settings)
        return names

    def getAnchoredTensor(self, short_name: str) -> Tensor:
        """Return what the last run has kept by `Options.anchorTensor`.

        Raises
        ------
        AssertionError
            Where there is nothing of that name.
        """
        if short_name not in self._anchored:
            raise AssertionError(f"No tensor with name {short_name} found.")
        return self._anchored[short_name]

    def getPerfCounters(self) -> dict[str, list[list[float]]]:
        """Return when the last run has read each input and written each output, in seconds.

        These are times of the emulation on the host, by a clock that starts anywhere.

        Returns
        -------
        dict of str to list over tensors of list over micro-batches
            "input", "input_complete", "output" and "output_complete".
        """
        return self._times.counters()

    def getHostIpuLatency(self) -> tuple[float, float, float]:
        """Return the least, greatest and mean seconds that reading the inputs took."""
        return self._times.latency("input", min, "input_complete", max)

    def getComputeLatency(self) -> tuple[float, float, float]:
        """Return the least, greatest and mean seconds from the last input to the first output."""
        return self._times.latency("input_complete", max, "output", min)

    def getIpuHostLatency(self) -> tuple[float, float, float]:
        """Return the least, greatest and mean seconds that writing the outputs took."""
        return self._times.latency("output", min, "output_complete", max)

    def getLatency(self) -> tuple[float, float, float]:
        """Return the least, greatest and mean seconds from the first input to the last output."""
        return self._times.latency("input", min, "output_complete", max)

    def _debugGetPopartIR(self) -> str:
        if self._graph is None:
            raise AssertionError("Model must be compiled before calling _debugGetPopartIR")
        return self._graph.as_json()

    def cycleCount(self) -> int:
        """Return the modelled cycles of the last run: those of custom operations alone.

        A device counts all that it does; here what torch computes has no cycles. The figure is of
        the cycle model, of the first replica, and never one of hardware.

        Raises
        ------
        Error
            Where `Options.logCycleCount` is off, or nothing has run.
        """
        if not self._options._Popart.options["instrumentWithHardwareCycleCounter"]:
            raise Error(
                "Cycle count logging is disabled. Please set option logCycleCount to True to "
                "enable."
            )
        if self._cycles is None:
            raise Error("Please run the model at least once before obtaining cycle count.")
        return self._cycles

    def compilationTime(self) -> datetime.timedelta:
        """Return how long compilation took.

        Raises
        ------
        Error
            Where the model is not compiled, or `Options.showCompilationProgressBar` is off.
        """
        if not self.isCompiled():
            raise Error("Please compile the model before obtaining compilation time.")
        if not self._options.show_compilation_progress_bar:
            raise Error("Please set showCompilationProgressBar option to obtain compilation time.")
        return datetime.timedelta(seconds=self._compile_time)
