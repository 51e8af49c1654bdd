"""The float64 reference of batch normalisation, one method a rule, and its mutations."""

from __future__ import annotations

from typing import Optional, Tuple

from torch import Tensor

from .neuron import Reference

Running = Tuple[Tensor, Tensor]  # mean [C], variance [C]


class NormReference(Reference):
    """The rules of neurons, and of the normalisation of x [T, B, C, ...] before them."""

    def statistics(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        """Return mean and biased variance of every channel [C]."""
        flat = x.transpose(0, 2).flatten(1)
        mean = flat.mean(1)
        return mean, (flat - mean[:, None]).square().mean(1)

    def updated(self, running: Running, x: Tensor, momentum: float) -> Running:
        """Return the running statistics after a batch: the variance is unbiased."""
        mean, variance = self.statistics(x)
        count = x.numel() / x.shape[2]
        batch = (mean, variance * count / (count - 1))
        old, new = running, batch
        return tuple((1 - momentum) * a + momentum * b for a, b in zip(old, new))  # type: ignore[return-value]

    def normalised(
        self,
        x: Tensor,
        mean: Tensor,
        variance: Tensor,
        eps: float,
        weight: Optional[Tensor],
        bias: Optional[Tensor],
    ) -> Tensor:
        """Return x of mean 0 and variance 1, scaled and shifted."""

        def channels(values: Tensor) -> Tensor:
            return values.reshape(-1, *[1] * (x.dim() - 3))

        y = (x - channels(mean)) / channels((variance + eps).sqrt())
        y = y if weight is None else y * channels(weight)
        return y if bias is None else y + channels(bias)

    def added(self, y: Tensor, residual: Optional[Tensor]) -> Tensor:
        """Return what the neurons take."""
        return y if residual is None else y + residual


class VarianceIsUnbiased(NormReference):
    """Normalises by the unbiased variance."""

    def statistics(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        mean, variance = super().statistics(x)
        count = x.numel() / x.shape[2]
        return mean, variance * count / max(1.0, count - 1)


class RunningVarianceIsBiased(NormReference):
    """Keeps the biased variance."""

    def updated(self, running: Running, x: Tensor, momentum: float) -> Running:
        count = x.numel() / x.shape[2]
        mean, variance = super().updated(running, x, momentum)
        saved = (1 - momentum) * running[1]
        return mean, saved + (variance - saved) * (count - 1) / count


class MomentumIsOfTheOld(NormReference):
    """Takes the momentum for what stays."""

    def updated(self, running: Running, x: Tensor, momentum: float) -> Running:
        return super().updated(running, x, 1 - momentum)


class EpsOutsideTheRoot(NormReference):
    """Adds eps to the deviation."""

    def normalised(
        self,
        x: Tensor,
        mean: Tensor,
        variance: Tensor,
        eps: float,
        weight: Optional[Tensor],
        bias: Optional[Tensor],
    ) -> Tensor:
        return super().normalised(x, mean, (variance.sqrt() + eps).square(), 0.0, weight, bias)


class StatisticsHaveNoGradient(NormReference):
    """Cuts the gradient through mean and variance."""

    def statistics(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        return super().statistics(x.detach())


class ResidualHasNoGradient(NormReference):
    """Cuts the gradient of the residual."""

    def added(self, y: Tensor, residual: Optional[Tensor]) -> Tensor:
        return super().added(y, None if residual is None else residual.detach())


class ParametersHaveNoGradient(NormReference):
    """Cuts the gradient of the decay, as a kernel that takes it for a constant does."""

    def leak(self, beta: Tensor, left: Tensor, current: Tensor) -> Tensor:
        return super().leak(beta.detach(), left, current)


NORM_MUTATIONS = {
    kind.__name__: kind
    for kind in (
        VarianceIsUnbiased,
        RunningVarianceIsBiased,
        MomentumIsOfTheOld,
        EpsOutsideTheRoot,
        StatisticsHaveNoGradient,
        ResidualHasNoGradient,
        ParametersHaveNoGradient,
    )
}
