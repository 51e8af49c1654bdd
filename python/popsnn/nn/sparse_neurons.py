"""SparseNeurons: linear and neurons of a user's model, fused, on compacted spikes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Mapping, Sequence

import torch

from .._internal import checks
from .._internal.checks import PerNeuron
from .._internal.spec import LayerSpec
from ..functional import Neuron
from ..surrogate import Surrogate
from . import _options
from ._options import Check
from ._sparse_layer import SparseLayer
from .delays import Delays
from .neuron_model import NeuronModel

if TYPE_CHECKING:
    from .homeostasis import Homeostasis


class SparseNeurons(SparseLayer):
    """A linear map and neurons of the kind `model` that exchange compacted spikes.

    Parameters
    ----------
    in_features, out_features : int
        M and N.
    model : Neuron
        One that spikes. Its codelet is made from its step, unless it brings one by hand.
    parameters : mapping of str to float or float Tensor [N], optional
        Values of the model's parameters by name; the others have their defaults. Each becomes an
        attribute of the layer.
    learn : sequence of str
        Names of those of which to make a parameter [N]. It is clamped to the model's `bounds`
        where it is used.
    bias, recurrent, delay, recurrent_delay, max_activity, max_drops, gain, surrogate, weight_dtype
        As in `SparseLIF`.
    homeostasis : Homeostasis, optional
        As in `SparseLIF`; of a model with a parameter `threshold`.
    grad_threshold : float, optional
        No gradient passes a silent neuron whose membrane lies below.

    Attributes
    ----------
    weight : Parameter [N, M]
    recurrent_weight : Parameter [N, N] or None
    bias : Parameter [N] or None
    capacity : int
        Capacity of the output.

    Raises
    ------
    TypeError, ValueError
        Where an option is out of range.
    """

    CHECKS: ClassVar[Mapping[str, Check]] = {
        "model": lambda _, name, value: _model(name, value),
        "grad_threshold": lambda _, name, value: _grad_threshold(name, value),
    }
    FIXED: ClassVar[tuple[str, ...]] = ("model",)

    model: Neuron

    def __init__(
        self,
        in_features: int,
        out_features: int,
        model: Neuron,
        *,
        parameters: Mapping[str, PerNeuron] | None = None,
        learn: Sequence[str] = (),
        bias: bool = True,
        recurrent: bool = False,
        delay: int | Delays = 0,
        recurrent_delay: Delays | None = None,
        max_activity: float | str | None = None,
        max_drops: Sequence[float] | None = None,
        grad_threshold: float | None = None,
        gain: float = 1.0,
        surrogate: Surrogate | str | None = None,
        weight_dtype: torch.dtype | None = None,
        homeostasis: Homeostasis | None = None,
    ) -> None:
        super().__init__(
            in_features,
            out_features,
            bias=bias,
            recurrent=recurrent,
            delay=delay,
            recurrent_delay=recurrent_delay,
            max_activity=max_activity,
            max_drops=max_drops,
            gain=gain,
            surrogate=surrogate,
            weight_dtype=weight_dtype,
        )
        self.grad_threshold = grad_threshold
        self.model = model
        inputs: dict[str, PerNeuron] = dict(zip(model.parameters, model.defaults))
        self._check_names("parameters", parameters or {})
        self._check_names("learn", learn)
        inputs.update(parameters or {})
        for parameter, value in inputs.items():
            if hasattr(self, parameter):
                raise ValueError(
                    f"{type(self).__name__}: model: expected parameters of other names than the "
                    f"layer's own attributes, got {parameter!r}"
                )
            self._register(parameter, value, parameter in learn, self.out_features)
        self.homeostasis = homeostasis
        self.reset_parameters()

    def _check_names(self, argument: str, names: Mapping[str, PerNeuron] | Sequence[str]) -> None:
        for name in names:
            if name not in self.model.parameters:
                raise ValueError(
                    f"SparseNeurons: {argument}: expected names among {self.model.parameters}, "
                    f"got {name!r}"
                )

    def _check_of(self, name: str) -> Check | None:
        model = vars(self).get("model")  # not there yet in a constructor
        if model is None or name not in model.parameters:
            return super()._check_of(name)
        bounds = model.bounds.get(name)
        return lambda layer, operation, value: _options.within(
            operation, name, value, bounds, layer.out_features
        )

    @property
    def neuron(self) -> Neuron:
        """The model."""
        return self.model

    def spec(self) -> LayerSpec:
        """Return what engines compile in of this layer, by its options as they are now."""
        model = self.model
        spec = replace(super().spec(), model=model.spec(self.surrogate.codelet_source))
        if isinstance(model, NeuronModel):
            return replace(spec, reset=model.reset, detach_reset=model.detach_reset)
        return spec  # the codelet that is made of a step contains its reset

    def extra_repr(self) -> str:
        """Return the options that `print` shows."""
        return f"{super().extra_repr()}, model={self.model}"


def _model(operation: str, value: Any) -> Neuron:
    if not isinstance(value, Neuron) or not value.spiking:
        got = value if isinstance(value, Neuron) else type(value).__name__
        raise TypeError(f"{operation}: model: expected a neuron that spikes, got {got}")
    if len(value.inputs) > 1:
        raise ValueError(
            f"{operation}: model: expected a neuron of one input, the product of one weight, got "
            f"{value} of {len(value.inputs)} ({', '.join(value.inputs)})"
        )
    if len(value.defaults) != len(value.parameters):
        raise ValueError(
            f"{operation}: model: expected a default for each of {value.parameters}, got "
            f"{value.defaults}"
        )
    value.translation()
    return value


def _grad_threshold(operation: str, value: Any) -> float | None:
    return None if value is None else checks.finite(operation, "grad_threshold", value)
