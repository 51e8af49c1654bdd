"""An emulated PopTorch: the surface of Graphcore's PopTorch 3.4, on a machine without an IPU.

forward() runs in torch, on the types that the device has; operations of PopART libraries run on
the emulated IPU and are differentiated through their gradient operations. Weights live "on the
device" until they are copied back, batches are cut and outputs gathered as there. `is_emulated`
tells it from the real one, which has no such name.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from typing import Any, Callable

import torch

from . import _impl as _impl
from . import enums, optim, options, poptorch_core, profiling, testing
from ._context import isRunningOnIpu
from ._custom_op import custom_op
from ._errors import Error, RecoverableError, UnrecoverableError
from ._executor import PoplarExecutor, hooks_after, hooks_before
from ._files import content_of
from ._graphs.execution import (
    BeginBlock,
    Block,
    BlockFunction,
    NameScope,
    ParallelPhasedExecution,
    Phase,
    PipelinedExecution,
    SerialPhasedExecution,
    ShardedExecution,
    Stage,
    removeBlocks,
)
from ._graphs.multi_conv import MultiConv
from ._loading.async_loader import AsynchronousDataAccessor
from ._loading.dataloader import DataLoader
from ._logging import logger, setLogLevel
from ._native import native
from ._printing import module_repr, print
from ._structure import ICustomArgParser, registerCustomArgParser
from ._training.loss import identity_loss
from ._weights import follows
from .enums import (
    AutoStage,
    CommGroupType,
    ConnectionType,
    DataLoaderMode,
    HalfFloatCastingBehavior,
    Liveness,
    MatMulSerializationMode,
    MeanReductionStrategy,
    MultiConvPlanType,
    OutputMode,
    OverlapMode,
    ReductionType,
    SharingStrategy,
    SyncPattern,
    VariableRetrievalMode,
)
from .ops import (
    CPU,
    cond,
    ctc_beam_search_decoder,
    dynamic_slice,
    dynamic_update,
    for_loop,
    ipu_print_tensor,
    nop,
    recomputationCheckpoint,
    serializedMatMul,
    set_available_memory,
    set_overlap_for_input,
    set_overlap_for_output,
)
from .options import Attribute, Options, TensorLocationSettings

native()  # libpopart is there before a script loads a library of operators
__version__ = "3.4.0+emulated"
is_emulated = True

__all__ = [
    "CPU",
    "AsynchronousDataAccessor",
    "Attribute",
    "AutoStage",
    "BeginBlock",
    "Block",
    "BlockFunction",
    "CommGroupType",
    "ConnectionType",
    "DataLoader",
    "DataLoaderMode",
    "Error",
    "HalfFloatCastingBehavior",
    "ICustomArgParser",
    "Liveness",
    "MatMulSerializationMode",
    "MeanReductionStrategy",
    "MultiConv",
    "MultiConvPlanType",
    "NameScope",
    "Options",
    "OutputMode",
    "OverlapMode",
    "ParallelPhasedExecution",
    "Phase",
    "PipelinedExecution",
    "PoplarExecutor",
    "RecoverableError",
    "ReductionType",
    "SerialPhasedExecution",
    "ShardedExecution",
    "SharingStrategy",
    "Stage",
    "SyncPattern",
    "TensorLocationSettings",
    "UnrecoverableError",
    "VariableRetrievalMode",
    "cond",
    "ctc_beam_search_decoder",
    "custom_op",
    "dynamic_slice",
    "dynamic_update",
    "enums",
    "for_loop",
    "identity_loss",
    "inferenceModel",
    "ipuHardwareIsAvailable",
    "ipuHardwareVersion",
    "ipu_print_tensor",
    "isRunningOnIpu",
    "load",
    "logger",
    "module_repr",
    "nop",
    "optim",
    "options",
    "poptorch_core",
    "print",
    "profiling",
    "recomputationCheckpoint",
    "registerCustomArgParser",
    "registerPostCompileHook",
    "registerPreCompileHook",
    "removeBlocks",
    "serializedMatMul",
    "setLogLevel",
    "set_available_memory",
    "set_overlap_for_input",
    "set_overlap_for_output",
    "testing",
    "trainingModel",
]


def trainingModel(
    model: Any,
    options: Options | None = None,
    optimizer: torch.optim.Optimizer | None = None,
) -> PoplarExecutor:
    """Wrap a model for training on the emulated device.

    Parameters
    ----------
    model : Module
        forward() returns its loss, which is one of torch's losses or went through `identity_loss`.
        Its parameters follow the device until `destroy()`.
    options : Options, optional
    optimizer : Optimizer of `poptorch.optim` or `torch.optim`, optional
        SGD, Adam, AdamW, RMSprop or LAMB; default SGD with a rate of 0.01.

    Returns
    -------
    PoplarExecutor
        Runs forward, backward and the update when it is called.

    Raises
    ------
    RuntimeError
        Where the model is wrapped already.
    """
    if isinstance(model, PoplarExecutor):
        model = model.model
    if follows(model):
        raise RuntimeError(
            "Model has already been wrapped in 'poptorch.trainingModel'. Call model.destroy() on "
            "the model to unwrap before wrapping again."
        )
    return PoplarExecutor(copy.copy(model), options, True, optimizer, model)


def inferenceModel(model: Any, options: Options | None = None) -> PoplarExecutor:
    """Wrap a model for inference on the emulated device.

    Parameters
    ----------
    model : Module or callable
        Where it is being trained by `trainingModel`, weights are copied over before each call.
    options : Options, optional

    Returns
    -------
    PoplarExecutor
    """
    if isinstance(model, PoplarExecutor):
        model = model.model
    return PoplarExecutor(copy.copy(model), options, False, None, model)


def load(filename: str, edit_opts_fn: Callable[[Options], None] | None = None) -> PoplarExecutor:
    """Return a compiled model from a file that `PoplarExecutor.save` wrote with its model.

    Parameters
    ----------
    filename : str
        Of a source that is trusted: reading it can run code, as with pickle.
    edit_opts_fn : callable, optional
        Changes the options before the model is wrapped.

    Returns
    -------
    PoplarExecutor

    Raises
    ------
    AssertionError
        Where there is no model in the file.
    """
    content = content_of(filename)
    if content["model"] is None:
        raise AssertionError(
            f"{filename} is a valid PopTorch file but was created with 'export_model=False' which "
            "means you need to re-create the PopTorch model using poptorch.inferenceModel or "
            f'poptorch.trainingModel then call poptorch_model.loadExecutable("{filename}").'
        )
    chosen = content["options"].clone()
    if edit_opts_fn is not None:
        edit_opts_fn(chosen)
    if content["training"]:
        made = trainingModel(content["model"], chosen, content["optimizer"])
    else:
        made = inferenceModel(content["model"], chosen)
    made.loadExecutable(filename)
    return made


def ipuHardwareIsAvailable(num_ipus: int = 1) -> bool:
    """Whether there are IPUs: never here."""
    return False


def ipuHardwareVersion() -> int:
    """Refuse to tell the version of an IPU that there is not.

    Raises
    ------
    AssertionError
    """
    raise AssertionError("No IPU hardware available on this system")


def registerPreCompileHook(hook: Callable[[], None]) -> torch.utils.hooks.RemovableHandle:
    """Call a function before each compilation, until its handle removes it."""
    return _registered(hooks_before, hook, "Pre-compile")


def registerPostCompileHook(hook: Callable[[], None]) -> torch.utils.hooks.RemovableHandle:
    """Call a function after each compilation, until its handle removes it."""
    return _registered(hooks_after, hook, "Post-compile")


def _registered(
    hooks: OrderedDict[int, Callable[[], None]], hook: Callable[[], None], name: str
) -> torch.utils.hooks.RemovableHandle:
    if not callable(hook):
        raise RuntimeError(f"{name} hook must be callable")
    handle = torch.utils.hooks.RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def __getattr__(name: str) -> Any:
    raise AttributeError(f"poptorch.{name}: the emulated PopTorch does not have it")
