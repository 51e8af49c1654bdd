"""Pretrained: networks as a folder of a configuration and weights."""

from __future__ import annotations

import os
from functools import wraps
from typing import Any, Callable, TypeVar, Union

from torch import Tensor, nn

__all__ = ["Network", "Pretrained"]

Network = TypeVar("Network", bound="Pretrained")
Folder = Union[str, "os.PathLike[str]"]


class Pretrained(nn.Module):
    """Base of networks that `save_pretrained` and `from_pretrained` write to a folder and read.

    The folder holds `model.safetensors`, which has the parameters and buffers and, as metadata, the
    arguments of the constructor, and a copy of these for readers, `config.json`. No code runs when
    they are read. A save that is cut off leaves the earlier network.

    Arguments are numbers, strings, None, dtypes, surrogates and neurons of this package, and lists,
    tuples and dictionaries of these. `SNN` is such a network, with its layers as arguments.

    Examples
    --------
    >>> class Net(nn.Pretrained):
    ...     def __init__(self, inputs: int, hidden: int = 128, beta: float = 0.9) -> None:
    ...         super().__init__()
    ...         self.layers = torch.nn.Sequential(torch.nn.Linear(inputs, hidden), nn.LIF(beta))
    ...
    ...     def forward(self, x):
    ...         return self.layers(x)
    >>> Net(64).save_pretrained("net")
    >>> net = Net.from_pretrained("net")
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Let the constructor keep its arguments, unless the class knows how to find them."""
        super().__init_subclass__(**options)
        if "__init__" in vars(cls) and "_configuration" not in vars(cls):
            cls.__init__ = _keeping(cls.__init__)  # type: ignore[method-assign]

    def save_pretrained(self, folder: Folder) -> None:
        """Write the network to a folder, which is made where it is not there.

        Which engine and device it runs on is not part of it, nor which parameters are frozen.

        Parameters
        ----------
        folder : str or Path

        Raises
        ------
        TypeError, ValueError
            Where an argument, a layer or a change that was made since cannot be written, by name.
        ImportError
            Where the package safetensors is not installed.
        OSError
            Where a file cannot be written.
        """
        from . import files  # with the packages that it needs

        files.save(self, folder)

    @classmethod
    def from_pretrained(cls: type[Network], folder: Folder, **changes: Any) -> Network:
        """Return the network in a folder, on the default device and in evaluation mode.

        Parameters
        ----------
        folder : str or Path
        **changes
            Arguments of the constructor in place of those that were saved. For an `SNN`: `backend`,
            `device`, `seed`, `check_input`, `checkpoint_interval` and `precision`.

        Raises
        ------
        FileNotFoundError
            Where the file is missing.
        TypeError, ValueError
            Where the file is of another network, or tensors do not fit the configuration.
        ImportError
            Where the package safetensors is not installed.
        """
        from . import files

        return files.load(cls, folder, changes)

    def _configuration(self) -> dict[str, Any]:
        """Return the arguments of the constructor that makes this network, as `values` has them."""
        from .values import Refused

        name = type(self).__name__
        arguments: dict[str, Any] | None = vars(self).get("_pretrained_arguments")
        if arguments is None:
            raise TypeError(
                f"{name}.save_pretrained: expected a class with its own constructor, got {name}"
            )
        for argument, value in arguments.items():
            if isinstance(value, Refused):
                raise TypeError(f"{name}.save_pretrained: argument {argument}: {value}")
        return arguments

    @classmethod
    def _configured(
        cls: type[Network],
        arguments: dict[str, Any],
        tensors: dict[str, Tensor],
        changes: dict[str, Any],
    ) -> Network:
        """Return a network of such arguments, whose tensors are loaded later."""
        from .values import decoded

        values = {name: decoded(value) for name, value in arguments.items()}
        return cls(**{**values, **changes})


def _keeping(constructor: Callable[..., None]) -> Callable[..., None]:
    @wraps(constructor)
    def keep(self: Any, *args: Any, **kwargs: Any) -> None:
        if "_pretrained_arguments" not in vars(self):  # else the constructor of a subclass calls it
            from .values import arguments_of

            vars(self)["_pretrained_arguments"] = arguments_of(constructor, self, args, kwargs)
        constructor(self, *args, **kwargs)

    return keep
