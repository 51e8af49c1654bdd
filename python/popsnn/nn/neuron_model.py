"""NeuronModel: an earlier form of custom neurons, with a codelet by hand."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from .._internal import checks, renamed
from .._internal.spec import ModelSpec
from ..functional import Neuron


class NeuronCycles(NamedTuple):
    """Bundles that a worker issues in each function of a codelet for one neuron.

    Count one for each operation on values that lie in registers, as
    `codelets/neurons/cycles.hpp` does; `grad` is without the surrogate's derivative.
    """

    step: int
    fires: int
    near: int
    grad: int


@dataclass(frozen=True, eq=False, repr=False)
class NeuronModel(Neuron):
    """An earlier base of custom neurons, which warns: write a subclass of `popsnn.Neuron`.

    A subclass sets the attributes below and writes `step` in torch, which is the reference: the
    torch engine runs it, autograd differentiates it. The codelet is a header next to the
    subclass's file with a C++ struct as `popsnn/codelets/neurons/neuron_model.hpp` describes
    it. It is compiled when a network is built for an IPU, and kept by its content.

    Parameters
    ----------
    reset : {"zero", "subtract", "none"}
    detach_reset : bool
        Whether the gradient is cut through the spike inside of the reset.

    Attributes
    ----------
    states : tuple of str
        Names of the states of a time step, in the codelet's order, and "s", the spikes, as the
        last. "v" is the membrane. The current enters the first state with factor 1.
    parameters : tuple of str
        In the codelet's order; each has a gradient.
    defaults : tuple of float
        Their values.
    decays : tuple of str
        The parameters that stay in [0, 1]: decay factors. `leaks` is the earlier name.
    codelet : str
        The header, relative to the file of the subclass.
    struct : str
        The C++ struct's name with its namespace.
    cycles : NeuronCycles

    Raises
    ------
    TypeError, ValueError
        Where an attribute or an option is out of range.
    """

    reset: str = "zero"
    detach_reset: bool = True

    resets = checks.RESETS_BEFORE_DECAY  # those of codelets
    defaults: ClassVar[tuple[float, ...]]
    decays: ClassVar[tuple[str, ...]] = ()
    codelet: ClassVar[str]
    struct: ClassVar[str]
    cycles: ClassVar[NeuronCycles]

    leaks = renamed.alias("leaks", "decays")

    def __init_subclass__(cls, **options: object) -> None:
        """Warn; take `decays` from the earlier name `leaks`, and bounds from both."""
        super().__init_subclass__(**options)
        if NeuronModel in cls.__bases__:
            renamed.replaced(cls.__name__, "a subclass of popsnn.Neuron, not of nn.NeuronModel")
        if "leaks" in vars(cls):
            renamed.warn(cls.__name__, "leaks", "decays")
            cls.decays = vars(cls)["leaks"]
        cls.bounds = {**cls.bounds, **dict.fromkeys(cls.decays, (0.0, 1.0))}

    def __post_init__(self) -> None:
        name = type(self).__name__
        for attribute in ("states", "parameters", "defaults", "codelet", "struct", "cycles"):
            if not hasattr(self, attribute):
                raise TypeError(f"{name}: {attribute}: expected the class to set it, got none")
        super().__post_init__()
        if "v" not in self.states[:-1] or self.states[-1:] != ("s",):
            raise ValueError(
                f'{name}: states: expected "v" among them and "s" as the last, got {self.states}'
            )
        if len(self.defaults) != len(self.parameters):
            raise ValueError(
                f"{name}: defaults: expected one for each of {self.parameters}, got {self.defaults}"
            )
        strangers = [decay for decay in self.decays if decay not in self.parameters]
        if strangers:
            raise ValueError(
                f"{name}: decays: expected names among {self.parameters}, got {strangers[0]!r}"
            )
        if not self.codelet_path.is_file():
            raise ValueError(
                f"{name}: codelet: expected a file {self.codelet_path}, found none there"
            )

    @property
    def codelet_path(self) -> Path:
        """Path of the codelet."""
        owner = next(kind for kind in type(self).__mro__ if "codelet" in vars(kind))
        if Path(self.codelet).is_absolute():
            return Path(self.codelet)
        try:
            folder = Path(inspect.getfile(owner)).resolve().parent
        except (TypeError, OSError) as error:  # a class that was typed into a prompt
            raise ValueError(
                f"{type(self).__name__}: codelet: expected an absolute path of a class without a "
                f"file, got {self.codelet!r}"
            ) from error
        return folder / self.codelet

    def spec(self, derivative: str | None = None) -> ModelSpec:
        """Return what the native part is told of the codelet, which has the named surrogates."""
        return ModelSpec(
            self.struct,
            str(self.codelet_path),
            len(self.states) - 1,  # spikes follow from the others
            len(self.parameters) + 1,  # and theta_grad
            len(self.parameters),
            *self.cycles,
            self.membrane,
        )

    @property
    def cuda_source(self) -> str | None:
        """C++ for the cuda engine, as `functional.Custom` makes it; the base class has none."""
        return None
