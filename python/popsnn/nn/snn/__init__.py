"""SNN: a stack of layers as one executable."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, Sequence, Union, cast

import torch
from torch import Tensor, nn

from ... import devices
from ..._internal import checks
from ..._internal.decorators import uncompiled
from ..._internal.dispatch import POPTORCH
from ..._internal.hashing import CallSeed, Seed, seed_value
from ..._internal.poptorch import refuse, running
from ...functional import SparseState
from ...spikes import SpikeTensor
from .. import _auto_capacity
from .._options import Check, Options
from .._parts import SpikesOrDense, as_spikes, check_dense, one_step_of_spikes
from .._sparse_layer import SparseLayer, refuse_homeostasis, threshold_update, threshold_versions
from ..delays import longest
from ..engine import (
    FLOAT32,
    PRECISIONS,
    TF32,
    Engine,
    EngineResult,
    EngineState,
    LayerStats,
    PendingStats,
    resolve,
)
from ..pretrained import Network, Pretrained
from ..sparse_li import SparseLI
from ..state import SNNState, check_state
from .finite import FiniteCheck

Output = Union[Tensor, SpikeTensor]


class SNN(Options, Pretrained):
    """A stack of spiking layers that an engine runs as a whole.

    Inside of a PopTorch model it is one operator of PopTorch's device, whatever the `backend`; it
    begins at rest there, and returns its output alone. Of a `device` with all its tiles what
    `replicas`, `segment` and `sizes` say counts there too.

    Parameters
    ----------
    *layers : SparseLIF or SparseNeurons, and one of these or SparseLI as the last
    backend : {"auto", "torch", "ipu", "cuda"}
        "auto" may choose; one that is named runs or raises with the reason. The cuda engine takes
        parameters on a GPU.
    seed : int
        The drop seed: chooses the spikes that a capacity keeps.
    device : str or Device
        What the ipu engine runs on, as `devices.parse` takes it; "host" is an emulated device of
        few and large tiles.
    check_input : bool
        Whether each pass looks for values other than 0 and 1 in dense inputs, and for parameters
        that are not finite, about which engines disagree. Both wait for a GPU.
    checkpoint_interval : int, optional
        Steps of a checkpoint interval: passes of more steps save the state at the beginning of each
        interval alone, and the backward pass repeats one interval at a time, the last first. It
        takes the memory of an interval, and a forward pass more. With a `device` that has
        checkpoint intervals of its own, those are within these. Default: all steps are saved.
    precision : {"float32", "tf32"}
        Least precision of products with weights that have no `weight_dtype`. With "tf32" the cuda
        engine multiplies mantissas of 11 bits or more, which takes less time on tensor cores:
        operands as two terms of bfloat16; recurrent weights, times the gain, as float16, which
        has numbers of 6e-8 to 65504, and their gradients likewise. `forward` refuses a larger
        weight. The other engines multiply float32.

    Raises
    ------
    TypeError, ValueError
        Where layers are of the wrong kind or their sizes do not fit.
    RuntimeError
        Where the named backend is not available.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "layers": lambda _, __, value: _check_layers(value),
        "backend": lambda net, _, value: _check_backend(net, value),
        "seed": lambda _, name, value: checks.integer(name, "seed", value, 0, 0xFFFFFFFF),
        "device": lambda _, __, value: devices.parse(value),
        "check_input": lambda _, name, value: checks.flag(name, "check_input", value),
        "checkpoint_interval": lambda _, name, value: (
            None if value is None else checks.integer(name, "checkpoint_interval", value, 1)
        ),
        "precision": lambda _, name, value: checks.choice(name, "precision", value, PRECISIONS),
    }

    _calls: Tensor
    device: devices.Device
    checkpoint_interval: int | None = None  # of one that was pickled before the option was there
    precision: str = FLOAT32  # as well

    def __init__(
        self,
        *layers: SparseLayer | SparseLI,
        backend: str = "auto",
        seed: int = 0,
        device: devices.DeviceLike = "host",
        check_input: bool = True,
        checkpoint_interval: int | None = None,
        precision: str = FLOAT32,
    ) -> None:
        super().__init__()
        self._warned = False  # of gradients that a capacity drops
        _check_stack(layers)
        self.layers = nn.ModuleList(layers)
        self.seed = seed
        self.device = devices.parse(device)
        self.check_input = check_input
        self.checkpoint_interval = checkpoint_interval
        self.precision = precision
        self.register_buffer("_calls", torch.zeros((), dtype=torch.int64))
        self._stats: list[PendingStats] = []
        self.engine_state: dict[str, EngineState] = {}  # by engine; of this object alone
        self.register_load_state_dict_post_hook(_push)
        self.backend = backend  # an engine that cannot run this says so now

    @property
    def stack(self) -> list[SparseLayer | SparseLI]:
        """The layers, first to last."""
        return cast("list[SparseLayer | SparseLI]", list(self.layers))

    @property
    def in_features(self) -> int:
        """Neurons of the input."""
        return self.stack[0].in_features

    @property
    def out_features(self) -> int:
        """Neurons of the output."""
        return self.stack[-1].out_features

    @property
    def _capped(self) -> bool:
        return any(
            layer.capacity < layer.out_features
            for layer in self.stack
            if isinstance(layer, SparseLayer)
        )

    def automatic_layers(self) -> dict[int, SparseLayer]:
        """Return the layers with `max_activity="auto"` by their number."""
        return {
            index: layer
            for index, layer in enumerate(self.stack)
            if isinstance(layer, SparseLayer) and layer.capacity_control is not None
        }

    def plan_capacities(self) -> bool:
        """Give automatic capacities their next sizes; return whether one has changed.

        A forward pass in training does so by itself. A captured one, which runs no Python, does
        not.
        """
        engine = resolve(self.backend, self)
        return _auto_capacity.plan_capacities(
            _name_of_layer, self.automatic_layers(), lambda: engine.unsupported(self)
        )

    def _warn_dropped_gradients(self) -> None:
        for index, layer in enumerate(self.stack):
            if isinstance(layer, SparseLayer):
                layer.warn_dropped_gradients(_name_of_layer(index))

    @property
    def engine(self) -> str:
        """Name of the engine that the next forward pass runs on."""
        return resolve(self.backend, self).name

    def initial_state(self, batch: int) -> SNNState:
        """Return the state that a pass without one begins with: at rest.

        To learn where a layer begins, replace its `v` by a parameter [N] expanded to [B, N].
        """
        batch = checks.integer("SNN.initial_state", "batch", batch, 1)
        rest = (
            SparseState.at_rest(
                layer.weight,
                batch,
                layer.other_states,
                longest(layer.delay),
                longest(getattr(layer, "recurrent_delay", None)),
            )
            for layer in self.stack
        )
        return SNNState(tuple(rest))

    @uncompiled
    def forward(
        self,
        x: SpikesOrDense,
        state: SNNState | None = None,
        return_state: bool = False,
        trace: bool = False,
    ) -> Output | tuple[Any, ...]:
        """Run the network; `torch.compile` leaves it as it is.

        Parameters
        ----------
        x : SpikeTensor (T, B, N) or dense Tensor [T, B, N] of 0 and 1
        state : SNNState, optional
            What an earlier pass returned, to go on with its sequence; default: at rest. Gradients
            flow back into it; `state.detach()` cuts them.
        return_state : bool
            Whether to return the state after the last step too.
        trace : bool
            Whether to return spikes and membrane of every layer too.

        Returns
        -------
        Tensor [T, B, C] where the last layer is a SparseLI, else SpikeTensor (T, B, C). With
        `return_state` or `trace` a tuple: this, the `SNNState` if asked for, and a list with one
        `LayerTrace` a layer if asked for.

        Raises
        ------
        TypeError, ValueError
            Where `x` or `state` does not fit the network, or a parameter is not finite.
        RuntimeError
            Where a backward pass repeats a forward pass in which spikes may be dropped, other than
            by `torch.utils.checkpoint.checkpoint`, and `state` has no seed. In a backward pass,
            where `checkpoint_interval` would repeat an interval with other values than it had, or
            `torch.utils.checkpoint` a pass with thresholds that homeostasis has moved since.
        """
        if self.training and torch.is_grad_enabled() and not self._warned:
            self._warned = True
            self._warn_dropped_gradients()
        poptorch = running()
        if poptorch is not None:
            refuse("SNN", state=state, return_state=return_state, trace=trace)
            if self.checkpoint_interval is not None:
                raise ValueError(
                    "SNN: checkpoint_interval: expected none inside of a PopTorch model, whose "
                    f"device has one of its own, got {self.checkpoint_interval}"
                )
            return self._in_poptorch(poptorch, as_spikes("SNN", x, self.in_features))
        engine = resolve(self.backend, self)
        spikes = self._input(engine, x)
        if 0 in spikes.shape[:2]:
            raise ValueError(
                f"SNN: x: expected at least one step and one sample, got shape "
                f"{tuple(spikes.shape)}"
            )
        halves = engine.name == "cuda" and self.precision == TF32
        check = FiniteCheck(self.stack, halves) if self.check_input else None
        if state is not None:
            check_state(state, self.stack, spikes.shape[1], spikes.shape[0])
        carried = None if state is None else state.seed
        layers = None if state is None else state.layers
        update = threshold_update(self, self.stack)
        if update and state is None:
            update.move_thresholds()
        with _auto_capacity.followed(
            self,
            self.automatic_layers(),
            CallSeed(self.seed, self._calls, thresholds=threshold_versions(self.stack)),
            _name_of_layer,
            begins=state is None,
            drops=self._capped and carried is None,
            unsupported=lambda: engine.unsupported(self),
        ) as call:
            seed: Seed = call.seed if carried is None else carried
            traced = trace or update is not None
            result = self._run(engine, spikes, seed, traced, layers, return_state)
            if check is not None:
                check.finish()
            call.stats = self._stats = list(result.stats)
        if update:
            assert result.traces is not None
            update.observe([each.spikes for each in result.traces])
        extras: list[Any] = []
        if return_state:
            assert result.states is not None
            extras.append(SNNState(result.states, seed_value(seed)))
        if self.training and carried is None and not call.repeated:
            self._calls += 1
        if trace:
            assert result.traces is not None
            *hidden, last = result.traces
            extras.append([*hidden, last.unaliased()])
        return (result.out, *extras) if extras else result.out

    def step(self, x: SpikesOrDense, state: SNNState | None = None) -> tuple[Output, SNNState]:
        """Run one step of a sequence, and return the state for the next step.

        Steps one by one, each from the state of the one before, have the bits of `forward`. One
        call over all steps is faster.

        Parameters
        ----------
        x : Tensor [B, N] of 0 and 1, or SpikeTensor (1, B, N)
        state : SNNState, optional
            What the step before returned; default: at rest.

        Returns
        -------
        Tensor [B, C] where the last layer is a SparseLI, else SpikeTensor (1, B, C), and the
        `SNNState`.

        Raises
        ------
        TypeError, ValueError
            Where `x` or `state` does not fit the network.
        """
        out, after = self(one_step_of_spikes("SNN", x, self.in_features), state, True)
        return (out if isinstance(out, SpikeTensor) else out[0]), after

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, *args: Any, **kwargs: Any
    ) -> None:
        # Weights from elsewhere have no count of calls: the network's own stays.
        state_dict.setdefault(f"{prefix}_calls", self._calls)
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)

    def _in_poptorch(self, poptorch: Any, x: SpikeTensor) -> Output:
        # PopTorch refuses to change a buffer of several replicas: calls count where spikes drop.
        capped = self._capped
        if self.training:
            _auto_capacity.warn_kept("SNN", self.automatic_layers(), "inside of PopTorch")
            refuse_homeostasis("SNN", self.stack)
        result = POPTORCH["network"](poptorch, self, x, counted=capped)
        if self.training and capped:
            self._calls += 1
        self._stats = list(result.stats)
        return cast(Output, result.out)

    def _run(
        self,
        engine: Engine,
        x: SpikesOrDense,
        seed: Seed,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        if self.checkpoint_interval is None or self.checkpoint_interval >= len(x):
            return engine.run(self, x, seed, trace, state, return_state)
        from .checkpoint_interval import run  # importing popsnn loads little

        return run(self.checkpoint_interval, engine, self, x, seed, trace, state, return_state)

    def _input(self, engine: Engine, x: SpikesOrDense) -> SpikesOrDense:
        if not engine.takes_dense or isinstance(x, SpikeTensor):
            return as_spikes("SNN", x, self.in_features, self.check_input)
        x = check_dense("SNN", x, self.in_features)
        if self.check_input:
            checks.binary("SNN", x)
        return x

    def stats(self) -> list[LayerStats]:
        """Return spike and drop counts of the last forward pass, one entry a layer that spikes."""
        return [stats.read() for stats in self._stats]

    def pending_stats(self) -> list[PendingStats]:
        """Return the same without waiting: what a device has still is `read` when it is wanted."""
        return list(self._stats)

    def dropped(self) -> Tensor:
        """Return the drops of the last forward pass: int32 [layers that spike, 2].

        Spikes, and subthreshold-active neurons, over all steps and samples. Inside of a PopTorch
        model, whose counts stay on its device, `forward` may return it.
        """
        rows = [stats.dropped.sum((0, 1), dtype=torch.int32) for stats in self._stats]
        return torch.stack(rows) if rows else torch.zeros(0, 2, dtype=torch.int32, device="cpu")

    def _configuration(self) -> dict[str, Any]:
        if type(self).__init__ is not SNN.__init__:  # of a subclass with arguments of its own
            return super()._configuration()
        from ..pretrained.layer_records import configuration

        return configuration(self)

    @classmethod
    def _configured(
        cls: type[Network],
        arguments: dict[str, Any],
        tensors: dict[str, Tensor],
        changes: dict[str, Any],
    ) -> Network:
        if cls.__init__ is not SNN.__init__:
            return super()._configured(arguments, tensors, changes)
        from ..pretrained.layer_records import network

        return network(cls, arguments, tensors, changes)

    def _apply(self, *args: Any, **kwargs: Any) -> SNN:
        super()._apply(*args, **kwargs)
        _push(self)
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles hold: nothing of an engine's, but its parameters."""
        return {**self.__dict__, "engine_state": {}}

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        precision = "" if self.precision == FLOAT32 else f", precision={self.precision!r}"
        return f"backend={self.backend!r}, seed={self.seed}{precision}"


def _name_of_layer(index: int) -> str:
    return f"SNN: layer {index}"


def _push(net: SNN, *_: object) -> None:
    for state in net.engine_state.values():
        state.push()


def _check_backend(net: SNN, backend: str) -> str:
    resolve(backend, net)
    return backend


def _check_layers(layers: Any) -> nn.ModuleList:
    if not isinstance(layers, nn.ModuleList):
        raise TypeError(f"SNN: layers: expected a ModuleList, got {type(layers).__name__}")
    _check_stack(layers)
    return layers


def _check_stack(layers: Sequence[Any] | nn.ModuleList) -> None:
    if not layers:
        raise ValueError("SNN: layers: expected at least one layer, got none")
    if len(set(map(id, layers))) < len(layers):
        raise ValueError("SNN: layers: expected each layer once, got one of them twice")
    before: int | None = None
    for i, layer in enumerate(layers):
        last = i == len(layers) - 1
        if not isinstance(layer, (SparseLayer, SparseLI) if last else SparseLayer):
            wanted = (
                "SparseLIF, SparseNeurons or SparseLI" if last else "SparseLIF or SparseNeurons"
            )
            raise TypeError(f"SNN: layer {i}: expected {wanted}, got {type(layer).__name__}")
        if before is not None and layer.in_features != before:
            raise ValueError(
                f"SNN: layer {i}: expected in_features {before} as layer {i - 1} gives, "
                f"got {layer.in_features}"
            )
        before = layer.out_features
