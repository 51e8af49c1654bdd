"""A training step as one CUDA graph: one launch for all that it does on the GPU."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import Callable, Generic, Iterator, Tuple, TypeVar, Union

import torch
from torch import Tensor

from ...spikes import SpikeTensor

Input = Union[Tensor, SpikeTensor]
Result = TypeVar("Result")

WARMUP = 3  # calls before the capture: kernels are compiled, the optimizer makes its state


class CapturedStep(Generic[Result]):
    """A call whose work on the GPU is recorded once and then replayed for other inputs.

    What the call does on the host happens while it is recorded and never again: it must not wait
    for the GPU (no `.item()`, no check of values), nor choose by its inputs. A training step of
    an `SNN(check_input=False)` on the cuda engine, with an optimizer made with `capturable=True`,
    keeps to that; each replay has a drop seed of its own.

    Parameters
    ----------
    step : callable
        Takes as many inputs as there are examples.
    *examples : Tensor or SpikeTensor on a CUDA device
        Inputs of the shapes, types and capacities that all others have. `step` is called `warmup`
        times with them, and does then what it does: a training step trains.
    warmup : int

    Raises
    ------
    ValueError
        Where an example is not on a GPU.
    Exception
        What the call raises; of torch, where it does something that no graph can hold.
    """

    def __init__(self, step: Callable[..., Result], *examples: Input, warmup: int = WARMUP) -> None:
        self._step = step  # what it holds, such as an optimizer's state, the graph reads
        self._inputs = tuple(_copy(tensor) for tensor in examples)
        where = [tensor.device for captured in self._inputs for tensor in _tensors(captured)]
        for device in where:
            if device.type != "cuda":
                raise ValueError(
                    f"CapturedStep: examples: expected tensors on a CUDA device, got one on the "
                    f"{device.type}"
                )
        # Of a step on another device than the current one nothing would be recorded.
        with torch.cuda.device(where[0] if where else None):
            self._record(step, warmup)

    def _record(self, step: Callable[..., Result], warmup: int) -> None:
        current = torch.cuda.current_stream()
        side = torch.cuda.Stream()
        side.wait_stream(current)
        with torch.cuda.stream(side):
            for _ in range(warmup):
                step(*self._inputs)
        current.wait_stream(side)
        self._graph = torch.cuda.CUDAGraph()
        # Before what runs next to it (side_stream.py), where both wait for a multiprocessor.
        first = torch.cuda.Stream(priority=-1)
        failed: BaseException | None = None
        try:
            # In the current stream's own context, as a capture that fails may leave its stream
            # behind. What other threads ask of CUDA meanwhile, such as pinned memory, is theirs.
            with no_collection(), torch.cuda.stream(current), torch.cuda.graph(
                self._graph, stream=first, capture_error_mode="thread_local"
            ):
                try:
                    self._result = step(*self._inputs)
                except BaseException as error:
                    failed = error
                    raise
        except BaseException:
            if failed is None:
                raise
        try:
            if failed is not None:  # not that the capture's end failed too, which came of it
                raise failed
        finally:
            del failed  # whose traceback holds this frame, and so the graph

    def __call__(self, *inputs: Input) -> Result:
        """Run the recorded work on these inputs.

        They may be on the CPU. What lies in pinned memory is copied after this has returned, and
        must not change before the GPU has come there.

        Returns
        -------
        What `step` returned while it was recorded; its tensors hold the results of the last call.

        Raises
        ------
        ValueError, TypeError
            Where the inputs are not such as the examples are.
        """
        if len(inputs) != len(self._inputs):
            raise ValueError(
                f"CapturedStep: inputs: expected {len(self._inputs)} as of the examples, "
                f"got {len(inputs)}"
            )
        for index, (captured, passed) in enumerate(zip(self._inputs, inputs)):
            _check_alike(index, captured, passed)
        for captured, passed in zip(self._inputs, inputs):
            for to, tensor in zip(_tensors(captured), _tensors(passed)):
                to.copy_(tensor, non_blocking=True)
        self._graph.replay()
        return self._result


@contextmanager
def no_collection() -> Iterator[None]:
    """Have Python's collector of cycles at work before what runs with this, and not during it.

    A graph in a cycle that nobody holds would be destroyed while the next one is recorded, which
    CUDA refuses, and what was recorded is lost (pytorch/pytorch#161037). Before, it gives its
    memory back.
    """
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _check_alike(index: int, captured: Input, new: Input) -> None:
    """Raise where the input at `index` is not such as its example."""
    if type(captured) is not type(new):
        raise TypeError(
            f"CapturedStep: input {index}: expected a {type(captured).__name__} as the "
            f"example, got {type(new).__name__}"
        )
    if (
        isinstance(captured, SpikeTensor)
        and isinstance(new, SpikeTensor)
        and captured.size != new.size
    ):
        raise ValueError(
            f"CapturedStep: input {index}: expected spikes of {captured.size} neurons as the "
            f"example, got {new.size}"
        )
    for to, tensor in zip(_tensors(captured), _tensors(new)):
        if to.shape != tensor.shape or to.dtype != tensor.dtype:
            raise ValueError(
                f"CapturedStep: input {index}: expected {to.dtype} of shape "
                f"{tuple(to.shape)} as the example, got {tensor.dtype} of shape "
                f"{tuple(tensor.shape)}"
            )


def _tensors(example: Input) -> Tuple[Tensor, ...]:
    return (
        (example.ids, example.counts, example.dropped)
        if isinstance(example, SpikeTensor)
        else (example,)
    )


def _copy(example: Input) -> Input:
    if isinstance(example, SpikeTensor):
        ids, counts, dropped = (copied.clone() for copied in _tensors(example))
        return SpikeTensor(ids, counts, example.size, dropped=dropped, check=False)
    return example.clone()
