"""PoplarExecutor: a model that runs on the emulated device, batch by batch and step by step."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from typing import Any, Callable, Iterator

import torch
from torch import Tensor

from . import enums, optim
from ._context import Run, on_device, unchecked
from ._errors import Error
from ._files import Files
from ._graphs.anchors import GRADIENT, LOSS_SCALE, UPDATED, Anchors
from ._graphs.graph import Graph, finish_graph, module_names, new_graph
from ._graphs.graph_rules import GraphRules
from ._logging import logger
from ._native import device_of
from ._printing import module_repr
from ._readings import NOT_COMPILED, Readings
from ._settings.session_options import check_options
from ._structure import rebuilt, tensors
from ._training.device_optimizer import DeviceOptimizer, settings
from ._training.loss import final_loss
from ._training.loss_scaling import LossScaler
from ._training.optimizer_log import AttributeCheck, log_settings
from ._transfers.inputs import ArgumentBinder, Inputs, micro_batches, synthetic
from ._transfers.outputs import gathered, kept_outputs
from ._transfers.timing import Timestamps
from ._weights import DeviceWeights, Followers
from .options import Options

# Ordered dictionaries, since a handle that removes a hook refers to them weakly.
hooks_before: OrderedDict[int, Callable[[], None]] = OrderedDict()
hooks_after: OrderedDict[int, Callable[[], None]] = OrderedDict()


class PoplarExecutor(Readings, Files):
    """Result of `trainingModel` and `inferenceModel`; call it as the model.

    Parameters
    ----------
    model : Module
        Runs on the device.
    options : Options or None
    training : bool
    optimizer : Optimizer, optional
        Default in training: `SGD` with a rate of 0.01.
    user_model : Module, optional
        The model on the host, which follows the device in training.
    """

    def __init__(
        self,
        model: Any,
        options: Options | None,
        training: bool,
        optimizer: torch.optim.Optimizer | None = None,
        user_model: Any = None,
    ) -> None:
        self._options = _own_options(options, training)
        self._model = model
        self._user_model = model if user_model is None else user_model
        self._training = training
        self._binder = ArgumentBinder(model)
        self._inputs: Inputs | None = None
        self._weights: DeviceWeights | None = None
        self._attached = False
        self._dirty = False
        self._host_version = 0
        self._seen_version = 0
        self._rng: Tensor | None = None
        self._cycles: int | None = None
        self._graph: Graph | None = None
        self._anchors = Anchors(self._options)
        self._anchored: dict[str, Tensor] = {}
        self._times = Timestamps()
        self._compile_time = 0.0
        self._structure: Any = None
        self._optimizer: Any = None
        self._on_device: DeviceOptimizer | None = None
        self._check_attributes = AttributeCheck()
        self._followers: Followers | None = None
        if training:
            self.setOptimizer(optimizer or optim.SGD(self._user_model.parameters(), lr=0.01))
            self._followers = Followers(self._user_model, self)  # last: what fails wraps nothing
        self._options._freeze()

    @property
    def model(self) -> Any:
        """The wrapped model."""
        return self._user_model

    @property
    def options(self) -> Options:
        """The options, as they were when the model was wrapped."""
        return self._options

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_user_model" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self._user_model, name)

    def __repr__(self) -> str:
        return module_repr(self._user_model)

    # Compilation and the device.

    @torch.inference_mode(False)
    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile for inputs as these, and run nothing that changes a state.

        Raises
        ------
        Error, AssertionError
            Where inputs, operations or the loss are wrong.
        """
        inputs = self._binder.bind(args, kwargs)
        if self.isCompiled():
            logger.warning("Call to compile() ignored: the executable is already compiled")
            return
        first = next(micro_batches(inputs, self._options))
        self._compile(inputs)
        rng = torch.random.get_rng_state()
        try:
            scratch = DeviceWeights(self._model)
            _, run = self._forward(inputs, first, scratch, 0)
            if self._training:
                final_loss(run.losses)
        except BaseException:
            self._drop()
            raise
        finally:
            torch.random.set_rng_state(rng)

    def _compile(self, inputs: Inputs) -> None:
        started = time.perf_counter()
        _check_period(self._options)
        check_options(self._options.toDict())
        for hook in list(hooks_before.values()):
            hook()
        if any(value.requires_grad for value in inputs.tensors()):
            logger.warning(
                "Input tensor has requires_grad=True set. This tensor will be detached because "
                "backward pass via inputs is not supported."
            )
        self._weights = DeviceWeights(self._model, self._options.replication_factor)
        self._check_named_buffers(self._weights)
        self._inputs = inputs
        if self._training and self._followers is None:  # destroyed, and called again
            self._followers = Followers(self._user_model, self)
            if isinstance(self._optimizer, optim.Optimizer) and self._on_device is not None:
                self._optimizer.attach(self._on_device.read, self._on_device.write)
        self._seed()
        for hook in list(hooks_after.values()):
            hook()
        self._attached = self._options.connection_type != enums.ConnectionType.Never
        self._begin_optimizer()
        self._compile_time = time.perf_counter() - started

    def _seed(self) -> None:
        if self._rng is None:
            with torch.random.fork_rng(devices=[]):  # the host's next numbers stay as they were
                seed = int(torch.randint(2**31 - 1, ()))
            chosen = self._options.random_seed if self._options.exists("random_seed") else seed
            self._rng = torch.Generator().manual_seed(chosen).get_state()

    def isCompiled(self) -> bool:
        """Whether there is an executable."""
        return self._weights is not None

    def isAttachedToDevice(self) -> bool:
        """Whether it is on a device."""
        return self.isCompiled() and self._attached

    def attachToDevice(self) -> None:
        """Take a device, and copy weights to it.

        Raises
        ------
        Error
            Where the model is not compiled, or is on a device.
        """
        self._device_weights()
        if self._options.connection_type == enums.ConnectionType.Never:
            raise AssertionError("Trying to attach to an offline device (ConnectionType.Never)")
        if self._attached:
            raise Error("Device is already attached")
        self._attached = True
        self.copyWeightsToDevice()
        self._begin_optimizer()

    def detachFromDevice(self) -> None:
        """Give the device back; weights and states stay on the host.

        Raises
        ------
        Error
            Where the model is not compiled, or not on a device.
        """
        self._device_weights()
        if not self._attached:
            raise Error("Device is not attached")
        self.copyWeightsToHostIfNeeded()
        if isinstance(self._optimizer, optim.Optimizer):
            self._optimizer.ipu_state()
            self._optimizer.ipu_state_is_dirty = self._optimizer.has_state()
        self._attached = False

    def destroy(self) -> None:
        """Release the executable and the device; weights and states stay on the host."""
        self.copyWeightsToHostIfNeeded()
        if isinstance(self._optimizer, optim.Optimizer):
            self._optimizer.attach(None, None)
        self._drop()
        if self._followers is not None:
            self._followers.release()
            self._followers = None

    def _drop(self) -> None:
        self._weights = None
        self._inputs = None
        self._graph = None
        self._attached = False
        self._dirty = False
        self._cycles = None

    def _device_weights(self) -> DeviceWeights:
        if self._weights is None:
            raise Error(NOT_COMPILED)
        return self._weights

    # Weights.

    def copyWeightsToHost(self) -> None:
        """Copy parameters and buffers into the model on the host.

        Raises
        ------
        Error
            Where the model is not compiled.
        """
        weights = self._device_weights()
        logger.debug("copyWeightsToHost()")
        self._dirty = False  # first, since what follows reads the host's
        weights.download()
        self._host_version += 1

    def copyWeightsToHostIfNeeded(self) -> bool:
        """Copy back what has been trained since the last copy; return whether anything has."""
        if not self._dirty:
            return False
        self.copyWeightsToHost()
        return True

    def copyWeightsToDevice(self) -> None:
        """Copy parameters and buffers of the model on the host to the device.

        Raises
        ------
        Error
            Where the model is not compiled.
        """
        weights = self._device_weights()
        self._dirty = False
        weights.upload()

    def copyNamedBuffersToDevice(self) -> None:
        """Copy the buffers of `Options.updatableNamedBuffers` to the device.

        Raises
        ------
        Error
            Where the model is not compiled, or no buffer was chosen.
        """
        weights = self._device_weights()
        chosen = self._options._Popart.options.get("updatableNamedBuffers")
        if chosen is None:
            raise Error("No named buffers marked as updatable via updatableNamedBuffers option")
        weights.upload(chosen)

    def _check_named_buffers(self, weights: DeviceWeights) -> None:
        for name in self._options._Popart.options.get("updatableNamedBuffers", []):
            if name not in weights.hosts:
                self._weights = None
                raise Error(f"updatableNamedBuffers: expected a buffer of the model, got {name!r}.")

    def load_state_dict(self, state_dict: dict[str, Any], strict: bool = True) -> Any:
        """Load into the model on the host and, where there is one, on the device."""
        loaded = self._user_model.load_state_dict(state_dict, strict)
        if self.isAttachedToDevice():
            self.copyWeightsToDevice()
        return loaded

    # The optimizer.

    def setOptimizer(self, optimizer: torch.optim.Optimizer) -> None:
        """Give the device the settings of an optimizer, as they are now.

        Raises
        ------
        AssertionError, ValueError
            Where the device has no such rule, or a parameter is not the model's.
        """
        names: dict[int, str] = {}
        for name, parameter in self._user_model.named_parameters():
            names.setdefault(id(parameter), name)
        chosen = settings(optimizer, names)
        self._match_reduction(optimizer)
        if not self._options.relax_optimizer_checks:
            self._check_attributes(optimizer)
        same = optimizer is self._optimizer and self._on_device is not None
        alike = self._on_device is not None and self._on_device.settings == chosen
        if same and alike:
            return
        if not alike:  # else there is nothing to change on the device
            log_settings(optimizer, chosen)
        if same and self._on_device is not None:
            self._on_device.settings = chosen
            return
        if isinstance(self._optimizer, optim.Optimizer):
            self._optimizer.attach(None, None)
        self._on_device = DeviceOptimizer(chosen)
        self._optimizer = optimizer
        if isinstance(optimizer, optim.Optimizer):
            optimizer.ipu_state_is_dirty = optimizer.has_state()
            optimizer.attach(self._on_device.read, self._on_device.write)
            self._begin_optimizer()

    def _begin_optimizer(self) -> None:
        """Make the optimizer's states, where the model is on a device."""
        if not self.isAttachedToDevice() or self._on_device is None:
            return
        if self._options.Training.automatic_loss_scaling and self._on_device.scaler is None:
            self._on_device.scaler = LossScaler()
        self._on_device.begin(self._device_weights().trained)
        if isinstance(self._optimizer, optim.Optimizer):
            self._optimizer.host_state_is_dirty = True
            if self._optimizer.ipu_state_is_dirty:
                self._upload_optimizer()

    def _upload_optimizer(self) -> None:
        if isinstance(self._optimizer, optim.Optimizer) and self._optimizer.ipu_state_is_dirty:
            self.copyWeightsToHostIfNeeded()  # a device takes both at once
            self._optimizer.upload()

    def _match_reduction(self, optimizer: torch.optim.Optimizer) -> None:
        """Choose the running mean for gradients that are summed in halves, as PopTorch does."""
        half = getattr(optimizer, "accum_type", None) == torch.float16
        if not half or getattr(optimizer, "use_combined_accum", False):
            return
        running = enums.MeanReductionStrategy.Running
        training = self._options.Training
        if not self.isCompiled():
            self._options._freeze(False)
            training.setMeanAccumulationAndReplicationReductionStrategy(running)
            self._options._freeze()
        elif training.meanAccumulationAndReplicationReductionStrategy != running:
            raise ValueError(
                "Invalid optimizer: the new optimizer would require changing options.Training."
                "meanAccumulationAndReplicationReductionStrategy to "
                "poptorch.MeanReductionStrategy.Running but the executable is already compiled."
            )

    # Running.

    @torch.inference_mode(False)
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run all micro-batches of these inputs, in training with the updates of the weights.

        Returns
        -------
        What forward() returns, over the batches that the options' output mode asks for.

        Raises
        ------
        Error, AssertionError
            Where inputs, operations or the loss are wrong.
        """
        if self._options.connection_type == enums.ConnectionType.Never:
            raise AssertionError(
                "Trying to run a model on an offline device (ConnectionType.Never): use "
                "model.compile(inputs) instead of model(inputs)"
            )
        inputs = self._binder.bind(args, kwargs)
        if self._inputs is not None:
            self._inputs.check(inputs)
        batches = micro_batches(inputs, self._options)
        fresh = not self.isCompiled()
        if fresh:
            self._compile(inputs)
        elif not self._attached:
            self.attachToDevice()
        self._follow_training()
        self._upload_optimizer()
        outside = torch.random.get_rng_state()
        assert self._rng is not None
        torch.random.set_rng_state(self._rng)
        try:
            outputs = self._run(inputs, batches)
            self._rng = torch.random.get_rng_state()
        except BaseException:
            if fresh:
                self._drop()
            else:  # what was trained before the error belongs to the optimizer's state
                self._dirty = self._training
            raise
        finally:
            torch.random.set_rng_state(outside)
        self._dirty = self._training
        if isinstance(self._optimizer, optim.Optimizer):
            self._optimizer.host_state_is_dirty = True
        if self._structure is None:
            return None
        results = gathered(outputs, self._options)
        self._times.keep_outputs(kept_outputs(self._options))
        if self._synthetic():
            results = [torch.zeros_like(value) for value in results]
            self._times.clear()
        return rebuilt(self._structure, iter(results))

    def _synthetic(self) -> bool:
        return bool(self._options._Popart.options.get("syntheticDataMode"))

    def _run(self, inputs: Inputs, batches: Iterator[list[Tensor]]) -> list[list[Tensor]]:
        options = self._options
        weights = self._device_weights()
        groups = options.replication_factor // options.input_group_size
        accumulation = options.Training.gradient_accumulation
        outputs = []
        cycles = 0
        self._anchors = Anchors(options)
        self._times.clear()
        for _ in range(options.device_iterations):
            sums: dict[str, Tensor] = {}
            for _ in range(accumulation):
                own = list(itertools.islice(batches, groups))
                for replica in range(options.replication_factor):
                    batch = own[self._input_group(replica)]
                    self._times.note("input", len(batch))
                    out, run = self._forward(inputs, batch, weights, replica)
                    self._times.note("output", len(out))
                    if self._training:
                        self._add_gradients(sums, run)
                    outputs.append(out)
                    self._times.note("output_complete", len(out))
                    cycles += run.cycles if replica == 0 else 0
            if self._training:
                self._update(sums, accumulation * options.replication_factor)
        self._cycles = cycles
        self._anchored = self._anchors.result()
        return outputs

    def _input_group(self, replica: int) -> int:
        options = self._options
        if options.input_cgt == enums.CommGroupType.Orthogonal:
            return int(replica % (options.replication_factor // options.input_group_size))
        return int(replica // options.input_group_size)

    def _forward(
        self, inputs: Inputs, batch: list[Tensor], weights: DeviceWeights, replica: int
    ) -> tuple[list[Tensor], Run]:
        """Run forward() on one micro-batch; return the outputs, and what it has marked."""
        own = [value.clone() for value in batch]
        if self._synthetic():
            batch = own = [synthetic(value) for value in batch]
        unchanged = [value._version for value in own]
        self._times.note("input_complete", len(own))
        args, kwargs = inputs.call(own)
        run = Run(self._training, device_of(self._options))
        popart = self._options._Popart.options
        run.strided_groups = bool(popart.get("groupNormStridedChannelGrouping"))
        if self._graph is None or self._anchors:
            run.graph = new_graph(self._options, weights, own, self._graph is None)
        shared = self._options.broadcast_buffers and self._options.replication_factor > 1
        gradients = torch.enable_grad() if self._training else torch.no_grad()
        names = module_names(self._model, run.graph, self._options)
        on_replica = weights.swapped_in(replica, shared)
        with on_replica, gradients, on_device(run), GraphRules(run), names, unchecked():
            result = self._model(*args, **kwargs)
        if run.graph is not None:
            self._finish(run, tensors(result))
        for value, copy, version in zip(batch, own, unchanged):
            if copy._version != version:  # what forward() does in place, the caller sees
                with torch.no_grad():
                    value.copy_(copy)
        self._structure = result
        outputs = [value.detach() for value in tensors(result)]
        if self._options._Popart.options.get("enableFloatingPointChecks"):
            _check_finite(outputs)
        return outputs, run

    def _finish(self, run: Run, results: Iterator[Tensor]) -> None:
        """Check the graph of a pass, and keep what is anchored of it."""
        finish_graph(run, results, self._options)
        for loss in run.losses[-1:]:
            if run.graph.name_of(loss) is None:
                run.graph.named("loss", loss)
        if self._graph is None:
            self._graph = run.graph
            self._graph.add_updates(self._on_device)
            self._anchors.log()
            self._anchors.check(self.getTensorNames())
        self._anchors.take_graph(run.graph)

    def _add_gradients(self, sums: dict[str, Tensor], run: Run) -> None:
        assert self._on_device is not None
        options = self._on_device.settings.options
        trained = self._device_weights().trained
        loss = final_loss(run.losses)
        if not trained or not loss.requires_grad:
            return
        seed = torch.full_like(loss, self._on_device.loss_scaling())
        with on_device(run):
            grads = torch.autograd.grad(loss, list(trained.values()), seed, allow_unused=True)
        known = {name: grad for name, grad in zip(trained, grads) if grad is not None}
        self._anchors.take(GRADIENT, known)
        if self._on_device.scaler is not None:
            self._on_device.scaler.count(known.values())
        for name, gradient in known.items():
            added = gradient.to(options["accum_type"])
            sums[name] = sums[name] + added if name in sums else added

    def _update(self, sums: dict[str, Tensor], count: int) -> None:
        assert self._on_device is not None
        kind = self._options.Training.accumulation_and_replication_reduction_type
        factor = 1.0 / count if kind == enums.ReductionType.Mean else 1.0
        gradients = {name: total.float() * factor for name, total in sums.items()}
        scale = torch.tensor(self._on_device.loss_scaling())
        self._on_device.step(self._device_weights().trained, gradients)
        self._anchors.take(UPDATED, self._device_weights().trained)
        self._anchors.take(LOSS_SCALE, {"": scale})

    def _follow_training(self) -> None:
        """Copy weights that another executor has trained, where both run the same model."""
        pull = getattr(self._user_model, "copyWeightsToHostIfNeeded", None)
        if self._training or pull is None:
            return
        pull()
        version = self._user_model._host_weights_version()
        if version != self._seen_version:
            self.copyWeightsToDevice()
            self._seen_version = version


def _own_options(options: Options | None, training: bool) -> Options:
    """Return a copy of the options with an output mode."""
    if options is not None and not isinstance(options, Options):
        raise Error(
            f"Invalid type: 'options' is of type {type(options)} (Expected poptorch.Options)"
        )
    if options is not None:
        options._freeze()
    own: Options = Options() if options is None else options.clone()
    if own.defaultOutputMode():
        own.outputMode(enums.OutputMode.Final if training else enums.OutputMode.All)
    if not training and own.Training.gradient_accumulation != 1:
        raise Error(
            "You must set poptorch.Options().Training.gradientAccumulation to 1 or leave it as "
            "its default value (1) when running a poptorch.inferenceModel(). Use "
            "poptorch.Options().deviceIterations to process a sufficient number of batches each "
            "run for pipelined execution instead."
        )
    return own


def _check_period(options: Options) -> None:
    """Refuse a number of iterations that the period of outputs does not divide."""
    period = options.output_return_period
    if options.output_mode == enums.OutputMode.EveryN and options.device_iterations % period:
        raise Error(
            f"OutputMode.EveryN: expected a period that divides {options.device_iterations} "
            f"device iterations, got {period}.",
            "popart_exception",
        )


def _check_finite(outputs: list[Tensor]) -> None:
    for i, value in enumerate(outputs):
        if value.is_floating_point() and not bool(value.isfinite().all()):
            raise Error(f"Floating point exception: output {i} of the model is not finite.")
