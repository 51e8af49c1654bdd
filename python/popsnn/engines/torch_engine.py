"""The torch engine: the reference. Layer after layer in plain PyTorch, with autograd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from .._internal.hashing import Seed, seed_value
from ..functional import SparseState
from ..nn._parts import SpikesOrDense
from ..nn.engine import Engine, EngineResult, LayerTrace, PendingStats
from ..nn.sparse_li import SparseLI
from ..spikes import SpikeTensor

if TYPE_CHECKING:
    from ..nn.snn import SNN


class TorchEngine(Engine):
    """Runs any network, wherever its parameters are, in their type."""

    name = "torch"

    def unsupported(self, net: SNN) -> str | None:
        return None

    def device(self, net: SNN) -> str:
        return str(next(net.parameters()).device)

    def run(
        self,
        net: SNN,
        x: SpikesOrDense,
        seed: Seed,
        trace: bool,
        state: tuple[SparseState, ...] | None,
        return_state: bool,
    ) -> EngineResult:
        assert isinstance(x, SpikeTensor)
        spikes, drop_seed = x.to(next(net.parameters()).device), seed_value(seed)
        out: Tensor | SpikeTensor = spikes
        traces: list[LayerTrace] = []
        states: list[SparseState] = []
        for index, layer in enumerate(net.stack):
            before = None if state is None else state[index]
            if isinstance(layer, SparseLI):
                out, after = layer.run(spikes, before)
                traces.append(LayerTrace(None, out))
            else:
                spikes, membrane, after = layer.run(spikes, before, seed=drop_seed, layer=index)
                out = spikes
                traces.append(LayerTrace(spikes, membrane))
            states.append(after)
        lists = [entry.spikes for entry in traces if entry.spikes is not None]
        stats = [PendingStats(spikes.counts, spikes.dropped, spikes.size) for spikes in lists]
        return EngineResult(
            out, traces if trace else None, stats, tuple(states) if return_state else None
        )
