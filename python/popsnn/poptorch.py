"""PopTorch: the real one where it is installed, else the emulated one that popsnn carries.

`from popsnn import poptorch` gives all names of PopTorch; `poptorch.is_emulated` says which it is,
and `popsnn info` too. Once this module is imported, a plain `import poptorch` is the same PopTorch.
`SpikeTensor`s may be inputs and outputs of its models: their batch is what PopTorch cuts. The
package's own PopART operators are registered, for the layers of `popsnn.nn` and for `custom_op`.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from types import ModuleType
from typing import Any, Iterator

from torch import Tensor

from ._internal.paths import poptorch_folder
from .engines.poptorch_ops import load
from .spikes import SpikeTensor


def _find() -> ModuleType:
    """Import PopTorch; where there is none, the emulated one from the end of `sys.path`."""
    try:
        import poptorch
    except ModuleNotFoundError as error:
        if error.name != "poptorch":
            raise
        sys.path.append(str(poptorch_folder()))
        import poptorch
    return poptorch


_module: Any = _find()
is_emulated: bool = getattr(_module, "is_emulated", False)


def adopt_spikes(module: Any) -> None:
    """Let models of this PopTorch take and return `SpikeTensor`s."""

    class Spikes(module.ICustomArgParser):  # type: ignore[misc]
        """Lists with the batch first, which is the dimension that PopTorch cuts."""

        def yieldTensors(self, struct: SpikeTensor) -> Iterator[Tensor]:
            """Yield ids [B, T, S], counts [B, T, 2] and drops [B, T, 2], all int32."""
            for lists in (struct.ids, struct.counts, struct.dropped):
                yield lists.transpose(0, 1).contiguous()

        def reconstruct(
            self, original_structure: SpikeTensor, tensor_iterator: Iterator[Tensor]
        ) -> SpikeTensor:
            """Return spikes of the next tensors."""
            ids, counts, dropped = (next(tensor_iterator).transpose(0, 1) for _ in range(3))
            size = original_structure.size
            return SpikeTensor(ids, counts, size, dropped=dropped, check=False)

    module.registerCustomArgParser(SpikeTensor, Spikes())


adopt_spikes(_module)
with suppress(FileNotFoundError):  # made for no SDK: the layers that need it say so
    load(is_emulated)


def __getattr__(name: str) -> Any:
    return getattr(_module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_module)})
