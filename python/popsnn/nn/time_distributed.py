"""TimeDistributed: modules without time, applied to every step."""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn

from ..spikes import SpikeTensor


class TimeDistributed(nn.Sequential):
    """Modules without time over x [T, B, ...]: steps are folded into the batch, and unfolded again.

    Convolutions, poolings, normalisations and dropout run once over all T * B samples. Dropout
    draws another mask at each step, and batch normalisation has one mean for all steps.

    Parameters
    ----------
    *modules : torch.nn.Module
        Applied one after the other, each to [T * B, ...].

    Raises
    ------
    TypeError, ValueError
        Where x has no steps and samples, or a result is no tensor [T * B, ...].

    Examples
    --------
    >>> net = torch.nn.Sequential(
    ...     nn.TimeDistributed(torch.nn.Conv2d(2, 16, 3), torch.nn.AvgPool2d(2)), nn.LIF()
    ... )
    """

    def __init__(self, *modules: nn.Module) -> None:
        super().__init__(*modules)

    def forward(self, x: Tensor | SpikeTensor) -> Tensor:
        """Return the modules' result [T, B, ...] of `x` [T, B, ...]; spikes are made dense."""
        if isinstance(x, SpikeTensor):
            x = x.to_dense()
        if not isinstance(x, Tensor):
            raise TypeError(f"TimeDistributed: x: expected a tensor, got {type(x).__name__}")
        if x.dim() < 3:
            hint = ": one step x of a batch is x[None]" if x.dim() == 2 else ""
            raise ValueError(
                f"TimeDistributed: x: expected shape [T, B, ...], got {tuple(x.shape)}{hint}"
            )
        steps, batch = x.shape[:2]
        result = cast(Tensor, super().forward(x.flatten(0, 1)))
        if not isinstance(result, Tensor) or not result.dim() or len(result) != steps * batch:
            got = tuple(result.shape) if isinstance(result, Tensor) else type(result).__name__
            raise ValueError(
                f"TimeDistributed: modules: expected a result [T * B, ...] for T * B = "
                f"{steps * batch}, got {got}"
            )
        return result.unflatten(0, (steps, batch))
