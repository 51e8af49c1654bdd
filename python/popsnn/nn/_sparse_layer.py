"""Base of the layers of spiking neurons on compacted spikes, whatever their neuron."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Mapping, Sequence, cast

import torch
from torch import Tensor, nn

from .. import functional
from .._internal import checks, renamed
from .._internal.auto_capacity import CapacityControl, bounds_of
from .._internal.checks import PerNeuron
from .._internal.decorators import uncompiled
from .._internal.dispatch import POPTORCH
from .._internal.hashing import CallSeed
from .._internal.poptorch import refuse, running
from .._internal.spec import LayerSpec
from ..functional import Neuron, SparseLIFOutput, SparseState
from ..spikes import SpikeTensor
from ..surrogate import NAMED, SuperSpike, Surrogate, resolve
from . import _auto_capacity, _options
from ._options import Check, Options, clamped, shown
from ._parts import (
    SpikesOrDense,
    as_spikes,
    init_weights,
    learnt_fields,
    one_step_of_spikes,
    rounded,
)
from ._recomputation import version_of
from .delays import Delays, as_delay, as_recurrent_delay, delay_now, shown_delay, undelayed
from .engine import PendingStats

if TYPE_CHECKING:
    from .homeostasis import Homeostasis, ThresholdUpdate

CAPACITY = "capacity_control"  # entry of a state dict, where max_activity is "auto"
RATE, THRESHOLD = "running_rate", "threshold"  # buffers [N], where there is a homeostasis


def threshold_update(module: nn.Module, stack: Sequence[nn.Module]) -> ThresholdUpdate | None:
    """Return the layers of a stack whose thresholds follow their rates in the next pass, if any.

    Passes in training do that ask for gradients, the first time that they run.
    """
    layers = {
        index: layer
        for index, layer in enumerate(stack)
        if isinstance(layer, SparseLayer) and layer.homeostasis is not None
    }
    counts = module.training and torch.is_grad_enabled()
    if not layers or not counts or torch._C._current_graph_task_id() != -1:
        return None
    from .homeostasis import ThresholdUpdate  # importing popsnn loads little

    return ThresholdUpdate(layers)


def threshold_versions(stack: Sequence[nn.Module]) -> tuple[int, ...]:
    """Return how often the thresholds of a stack that homeostasis moves have changed in place."""
    return tuple(
        version_of(cast(Tensor, layer.threshold))
        for layer in stack
        if isinstance(layer, SparseLayer) and layer.homeostasis is not None
    )


def refuse_homeostasis(operation: str, stack: Sequence[nn.Module]) -> None:
    """Raise where thresholds would have to move inside of a PopTorch model."""
    if any(getattr(layer, "homeostasis", None) is not None for layer in stack):
        raise ValueError(
            f"{operation}: homeostasis: expected None for training inside of a PopTorch model, "
            "whose device keeps the thresholds, got a Homeostasis"
        )


class SparseLayer(Options):
    """Base: a linear map of compacted spikes and `out_features` neurons of the kind `neuron`.

    The neuron's parameters are attributes of the layer by their names.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "in_features": lambda _, name, value: checks.integer(name, "in_features", value, 1),
        "out_features": lambda _, name, value: checks.integer(name, "out_features", value, 1),
        "delay": lambda layer, _, value: as_delay(
            layer, "delay", value, layer.in_features, layer.out_features
        ),
        "recurrent_delay": lambda layer, _, value: as_recurrent_delay(
            layer, value, layer.out_features
        ),
        "max_activity": lambda layer, _, value: layer._set_capacity(value),
        "max_drops": lambda layer, _, value: layer._set_bounds(value),
        "gain": lambda _, name, value: checks.finite(name, "gain", value),
        "surrogate": lambda _, __, value: resolve(value),
        "weight_dtype": lambda _, name, value: _options.weight_dtype(name, value),
        "homeostasis": lambda layer, name, value: layer._set_homeostasis(name, value),
    }
    FIXED: ClassVar[tuple[str, ...]] = ("in_features", "out_features", "capacity")

    in_features: int
    out_features: int
    capacity: int
    capacity_control: CapacityControl | None
    grad_threshold: float | None
    surrogate: Surrogate
    weight: nn.Parameter
    recurrent_weight: nn.Parameter | None
    delay: int | Delays
    recurrent_delay: Delays | None
    bias: nn.Parameter | None
    homeostasis: Homeostasis | None = None  # of one that was pickled before the option was there

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        bias: bool,
        recurrent: bool,
        delay: int | Delays,
        recurrent_delay: Delays | None,
        max_activity: float | str | None,
        max_drops: Sequence[float] | None,
        gain: float,
        surrogate: Surrogate | str | None,
        weight_dtype: torch.dtype | None,
    ) -> None:
        super().__init__()
        self._warned = False
        name = type(self).__name__
        self.in_features = in_features
        self.out_features = out_features
        self.delay = delay
        self.max_activity = max_activity
        self.max_drops = max_drops
        self.gain = gain
        self.surrogate = resolve(surrogate)
        self.weight_dtype = weight_dtype
        size = self.out_features
        self.weight = nn.Parameter(torch.empty(size, self.in_features))
        loops = checks.flag(name, "recurrent", recurrent)
        self.recurrent_weight = nn.Parameter(torch.empty(size, size)) if loops else None
        has_bias = checks.flag(name, "bias", bias)
        self.bias = nn.Parameter(torch.empty(size)) if has_bias else None
        self.recurrent_delay = recurrent_delay

    def _set_capacity(self, max_activity: Any) -> float | str | None:
        """Give the layer the capacity that follows from `max_activity`, which it returns."""
        operation = type(self).__name__
        capacity = _options.capacity(operation, max_activity, self.out_features)
        control = None
        if isinstance(max_activity, str):
            bounds = bounds_of(operation, vars(self).get("max_drops"))
            control = CapacityControl(self.out_features, bounds)
        vars(self).update(capacity=capacity, capacity_control=control)
        return cast("float | str | None", max_activity)

    def _set_bounds(self, max_drops: Any) -> tuple[float, float] | None:
        """Give an automatic capacity its bounds, which it returns."""
        operation = type(self).__name__
        bounds = bounds_of(operation, max_drops)
        if self.capacity_control is not None:
            self.capacity_control.bounds = bounds
        elif max_drops is not None:
            raise ValueError(
                f"{operation}: max_drops: expected None where max_activity is not 'auto', got "
                f"{max_drops!r}"
            )
        return None if max_drops is None else bounds

    def _set_homeostasis(self, operation: str, value: Any) -> Homeostasis | None:
        """Give the layer what its homeostasis changes, or take its running rates."""
        if value is None:
            self._buffers.pop(RATE, None)
            return None
        from .homeostasis import attach  # importing popsnn loads little

        return attach(self, operation, value)

    def _checked(self, name: str, value: Any) -> Any:
        value = super()._checked(name, value)
        if self.homeostasis is None or name not in (THRESHOLD, "grad_threshold"):
            return value
        from .homeostasis import option_of  # importing popsnn loads little

        return option_of(self, type(self).__name__, name, value)

    @property
    def neuron(self) -> Neuron:
        """The neuron: its states, its parameters and one step."""
        raise NotImplementedError

    @property
    def decays(self) -> tuple[str, ...]:
        """The neuron's parameters that stay in [0, 1] where they are learnt."""
        return self.neuron.decays

    leaks = renamed.alias("leaks", "decays")
    states_beside = renamed.alias("states_beside", "other_states")

    @property
    def other_states(self) -> int:
        """Number of the neuron's states other than its membrane and its spikes."""
        return len(self.neuron.states) - 2

    def neuron_parameters(self) -> tuple[PerNeuron, ...]:
        """Return the neuron's parameters in its order, each a float or a Tensor [N]."""
        neuron = self.neuron
        return tuple(
            clamped(getattr(self, name), neuron.bounds.get(name)) for name in neuron.parameters
        )

    def warn_dropped_gradients(self, where: str) -> None:
        """Warn where the capacity has to hold every silent neuron too, and cannot.

        Parameters
        ----------
        where : str
            The layer's name in the message.
        """
        if self.grad_threshold is not None:
            return
        if self.capacity_control is not None:
            warnings.warn(
                f"{where}: grad_threshold: expected a number where max_activity is 'auto', got "
                f"None: each silent neuron has a gradient, so that the capacity stays all "
                f"{self.out_features} neurons",
                stacklevel=2,
            )
            return
        if self.capacity >= self.out_features:
            return
        warnings.warn(
            f"{where}: grad_threshold: expected a number where max_activity limits the capacity to "
            f"{self.capacity} of {self.out_features} neurons, got None: the gradient of each "
            "silent neuron takes a place of the capacity too, and those that find none are dropped",
            stacklevel=2,
        )

    @property
    def recurrent(self) -> bool:
        """Whether the layer's spikes come back to it."""
        return self.recurrent_weight is not None

    def spec(self) -> LayerSpec:
        """Return what engines compile in of this layer, by its options as they are now."""
        named = type(self.surrogate) in NAMED  # else the model's codelet brings it
        return LayerSpec(
            "SparseLif",
            self.in_features,
            self.out_features,
            capacity=self.capacity,
            delay=undelayed(self, "delay"),
            recurrent=self.recurrent,
            bias=self.bias is not None,
            gain=self.gain,
            surrogate=type(self.surrogate if named else SuperSpike()).__name__,
            surrogate_parameter=float(self.surrogate.parameter) if named else 0.0,
            half_weights=self.weight_dtype == torch.float16,
            **learnt_fields(self),
        )

    def reset_parameters(self) -> None:
        """Draw new weights; parameters of the neuron that were learnt stay.

        A few input spikes within the decay time reach the threshold. Recurrent weights have mean
        zero and half of that spread: as many spikes of the layer itself add a quarter of the
        variance, so that the input rules the activity, and with a reset it ends after the input.
        """
        init_weights(self.weight, self.bias, spread=1.0)
        if self.recurrent_weight is not None:
            init_weights(self.recurrent_weight, None, spread=0.5)

    def run(
        self,
        x: SpikeTensor,
        state: SparseState | None = None,
        *,
        seed: int = 0,
        layer: int = 0,
    ) -> SparseLIFOutput:
        """Return everything that `functional.sparse_neurons` does with this layer's options."""
        loops = self.recurrent_weight
        return functional.sparse_neurons(
            x,
            rounded(self.weight, self.weight_dtype),
            self.bias,
            state,
            neuron=self.neuron,
            parameters=self.neuron_parameters(),
            recurrent_weight=None if loops is None else rounded(loops, self.weight_dtype),
            gain=self.gain,
            delay=delay_now(self.delay),
            recurrent_delay=delay_now(self.recurrent_delay),
            surrogate=self.surrogate,
            grad_threshold=self.grad_threshold,
            capacity=self.capacity,
            seed=seed,
            layer=layer,
            operation=type(self).__name__,
        )

    @uncompiled
    def forward(
        self,
        x: SpikesOrDense,
        state: SparseState | None = None,
        return_state: bool = False,
        *,
        seed: int = 0,
    ) -> SpikeTensor | tuple[SpikeTensor, SparseState]:
        """Run this layer alone on the torch engine, or as an operator inside of a PopTorch model.

        Parameters
        ----------
        x : SpikeTensor (T, B, M) or dense Tensor [T, B, M] of 0 and 1
        state : SparseState, optional
        return_state : bool
        seed : int
            The drop seed, where spikes exceed the capacity.
        """
        name = type(self).__name__
        spikes, poptorch = as_spikes(name, x, self.in_features), running()
        checks.integer(name, "seed", seed, 0, 0xFFFFFFFF)
        if self.training and torch.is_grad_enabled() and not self._warned:
            self._warned = True
            self.warn_dropped_gradients(name)
        if poptorch is not None:
            refuse(name, state=state, return_state=return_state)
            if self.capacity_control is not None and self.training:
                _auto_capacity.warn_kept(name, {0: self}, "inside of PopTorch")
            if self.training:
                refuse_homeostasis(name, [self])
            return cast(SpikeTensor, POPTORCH["sparse_layer"](poptorch, self, spikes, seed))
        update = threshold_update(self, [self])
        if update and state is None:
            update.move_thresholds()
        if self.capacity_control is None and self.homeostasis is None:
            out = self.run(spikes, state, seed=seed)
        else:
            calls = torch.zeros((), dtype=torch.int64, device="cpu")
            first = CallSeed(seed, calls, thresholds=threshold_versions([self]))
            automatic = {} if self.capacity_control is None else {0: self}
            with _auto_capacity.followed(
                self, automatic, first, lambda _: name, begins=state is None
            ) as call:
                out = self.run(spikes, state, seed=seed)
                counts, dropped = out.spikes.counts, out.spikes.dropped
                call.stats = [PendingStats(counts, dropped, self.out_features)]
        if update:
            update.observe([out.spikes])
        return (out.spikes, out.state) if return_state else out.spikes

    def step(
        self, x: SpikesOrDense, state: SparseState | None = None, *, seed: int = 0
    ) -> tuple[SpikeTensor, SparseState]:
        """Run one step: return the spikes (1, B, N), and the state for the next step.

        Parameters
        ----------
        x : Tensor [B, M] of 0 and 1, or SpikeTensor (1, B, M)
        state : SparseState, optional
            What the step before returned; default: at rest.
        seed : int
            As in `forward`.
        """
        x = one_step_of_spikes(type(self).__name__, x, self.in_features)
        spikes, after = self(x, state, True, seed=seed)
        return spikes, after

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        if self.capacity_control is not None:
            destination[prefix + CAPACITY] = self.capacity_control.numbers()

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, *args: Any, **kwargs: Any
    ) -> None:
        # Weights from elsewhere have none, and a capacity by a number takes none.
        numbers, control = state_dict.pop(prefix + CAPACITY, None), self.capacity_control
        if self.homeostasis is None:
            state_dict.pop(prefix + RATE, None)
        else:
            self._load_homeostasis(state_dict, prefix)
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)
        if numbers is None or control is None:
            return
        try:
            control.load(numbers)
        except ValueError as error:
            raise ValueError(f"{type(self).__name__}: {prefix}{CAPACITY}: {error}") from error
        vars(self)["capacity"] = control.capacity

    def _load_homeostasis(self, state_dict: dict[str, Any], prefix: str) -> None:
        """Keep the layer's own thresholds and rates where a state dict has none, as of a number."""
        from .homeostasis import check_bounds  # importing popsnn loads little

        for name in (RATE, THRESHOLD):
            state_dict.setdefault(prefix + name, self._buffers[name])
        thresholds, rule = state_dict[prefix + THRESHOLD], cast("Homeostasis", self.homeostasis)
        if isinstance(thresholds, Tensor):
            check_bounds(f"{type(self).__name__}: {prefix}{THRESHOLD}", rule, thresholds)

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return (
            f"{self.in_features}, {self.out_features}, bias={self.bias is not None}, "
            f"recurrent={self.recurrent}, {shown_delay('delay', self.delay)}"
            f"{shown_delay('recurrent_delay', self.recurrent_delay)}"
            f"{shown(self, *self.neuron.parameters)}, gain={self.gain:g}, "
            f"capacity={self.capacity}{' (auto)' if self.capacity_control else ''}, "
            f"grad_threshold={self.grad_threshold}, "
            f"surrogate={self.surrogate}, weight_dtype={self.weight_dtype}"
        )
