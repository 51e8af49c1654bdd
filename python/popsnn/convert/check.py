"""The check of a converted network against the run that it was made of."""

from __future__ import annotations

from typing import Any, Mapping

import torch
from torch import Tensor, fx

from .graph import Chain
from .record import flat

TOLERANCE = 1e-4  # of the largest value: sums over time have another order


class Checked(fx.Interpreter):
    """Runs a network on the recorded input, and compares each neuron with its recorded calls.

    A neuron gets the recorded currents: so a spike that rounding turns makes no difference to the
    layers behind it.
    """

    def __init__(
        self, operation: str, network: fx.GraphModule, chains: Mapping[str, Chain], one_step: bool
    ) -> None:
        super().__init__(network)
        self.extra_traceback = False  # an error has one sentence
        self.operation = operation
        self.chains = chains
        self.one_step = one_step

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Compare what a neuron takes and gives, and return what was recorded."""
        chain = self.chains.get(target)
        if chain is None:
            return super().call_module(target, args, kwargs)
        module: Any = self.fetch_attr(target)
        x = chain.inputs[0] if chain.plan.sequence else torch.stack(chain.inputs)
        if chain.plan.before is not None:
            x = chain.plan.before(x)
        self._compare(chain.name, "input", args[0], x)
        backend, module.backend = module.backend, "torch"
        try:
            got = module(x, **kwargs)
        finally:
            module.backend = backend
        found = []
        for index, role in enumerate(chain.plan.roles):
            if role != "state":
                each = [result[index] for result in chain.results]
                found.append((role, each[0] if chain.plan.sequence else torch.stack(each)))
        several = isinstance(got, tuple)
        recorded = dict(reversed(found))
        wanted = ("spikes", "membrane") if several else (found[0][0],)
        for role, ours in zip(wanted, got if several else (got,)):
            self._compare(chain.name, role, ours, recorded[role])
        made = tuple(recorded[role].to(x.dtype) for role in wanted)
        return made if several else made[0]

    def _compare(self, name: str, what: str, got: Tensor, expected: Tensor) -> None:
        got, expected = got.detach(), expected.detach().to(got.dtype)
        if got.shape != expected.shape:
            raise ValueError(
                f"{self.operation}: {name}: expected its {what} as in the model, of shape "
                f"{tuple(expected.shape)}, got shape {tuple(got.shape)}"
            )
        scale = float(expected.abs().max()) if expected.numel() else 0.0
        error = float((got - expected).abs().max()) if expected.numel() else 0.0
        if not error <= TOLERANCE * max(scale, 1e-6):
            raise ValueError(
                f"{self.operation}: {name}: expected its {what} as in the model, got another: a "
                f"difference of {error:.3g}"
            )

    def against(self, inputs: tuple[Any, ...], result: Any) -> None:
        """Raise ValueError where the network's result is another than the model's."""
        given = list(inputs)
        if self.one_step:
            given = [each[None] if isinstance(each, Tensor) else each for each in given]
        with torch.no_grad():
            ours = [each for each in flat(self.run(*given)) if isinstance(each, Tensor)]
        theirs = [each for each in flat(result) if isinstance(each, Tensor)]
        for got, expected in zip(ours, theirs):
            self._compare("result", "value", got, expected[None] if self.one_step else expected)
