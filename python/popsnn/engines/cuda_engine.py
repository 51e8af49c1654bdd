"""The cuda engine: elementwise neurons have kernels; a network as one executable has none yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from .types import Engine

if TYPE_CHECKING:
    from ..nn.snn import SNN


class CudaEngine(Engine):
    """Runs `popsnn.nn.LIF` and its like on CUDA tensors, and no `SNN`."""

    name = "cuda"

    def unsupported(self, net: SNN) -> str:
        return "its kernels are those of popsnn.nn.LIF and the other neurons over dense tensors"

    def device(self, net: SNN) -> NoReturn:
        raise RuntimeError(f"SNN: backend 'cuda' cannot run this network: {self.unsupported(net)}")

    def forward(self, net: SNN, *_: Any, **__: Any) -> NoReturn:
        self.device(net)


ENGINE = CudaEngine()
