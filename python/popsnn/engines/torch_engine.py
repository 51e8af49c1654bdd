"""The torch engine: the definition. Layer after layer in plain PyTorch; autograd goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ..nn.li import LI
from ..spikes import SpikeTensor
from .types import Engine, EngineResult, LayerStats, LayerTrace

if TYPE_CHECKING:
    from ..nn.snn import SNN


class TorchEngine(Engine):
    """Runs any network, wherever its parameters are, in their type."""

    name = "torch"

    def unsupported(self, net: SNN) -> str | None:
        return None

    def device(self, net: SNN) -> str:
        return str(next(net.parameters()).device)

    def forward(self, net: SNN, x: SpikeTensor, seed: int, trace: bool) -> EngineResult:
        spikes = x.to(next(net.parameters()).device)
        out: Tensor | SpikeTensor = spikes
        traces: list[LayerTrace] = []
        for index, layer in enumerate(net.stack):
            if isinstance(layer, LI):
                out = layer.run(spikes).membrane
                traces.append(LayerTrace(None, out))
            else:
                result = layer.run(spikes, seed=seed, layer=index)
                out = spikes = result.spikes
                traces.append(LayerTrace(spikes, result.membrane))
        lists = [entry.spikes for entry in traces if entry.spikes is not None]
        stats = [LayerStats.of(one.counts, one.dropped, one.size) for one in lists]
        return EngineResult(out, traces if trace else None, stats)


ENGINE = TorchEngine()
