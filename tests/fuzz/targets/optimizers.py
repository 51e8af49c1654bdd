"""Random trainings with the device's optimizers against torch's in float64."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
from hypothesis import strategies as st
from torch import Tensor

from popsnn import SpikeTensor, optim
from popsnn.devices import Device
from popsnn.nn import SNN

from ..description import networks, options_of, parameters
from ..engine import build, masks_of
from ..outcome import REFUSALS, TIE, Comparison, Outcome, refused
from ..references.network import run
from ..references.neuron import Followed, Reference, Undecided
from ..runs import Run
from ..target import Target
from .networks import devices

TOLERANCE = 1e-3  # relative, of parameters after a few updates
HALF_TOLERANCE = 3e-3  # of weights that are used in float16
# In addition to a training step, which follows each of them.
CALLS = (
    "nothing",
    "pull",
    "read",  # net.state_dict()
    "save and load",  # the optimizer's state
    "renew",  # the optimizer, from its state
    "edit",  # the host's parameters, and push
    "reload",  # the network's parameters
    "evaluate",
    "copy",
    "other rate",
)


@dataclass(frozen=True)
class Optimizer:
    """An optimizer by its name, and its options."""

    kind: str
    lr: float = 0.01
    weight_decay: float = 0.0
    momentum: float = 0.0
    dampening: float = 0.0
    nesterov: bool = False
    betas: Tuple[float, float] = (0.9, 0.99)

    def options(self) -> Dict[str, Any]:
        """Return the keyword arguments, popsnn's and torch's."""
        both = {"lr": self.lr, "weight_decay": self.weight_decay}
        if self.kind == "SGD":
            own = {"momentum": self.momentum, "dampening": self.dampening}
            return {**both, **own, "nesterov": self.nesterov}
        # A large eps: where gradients vanish, Adam divides a rounding by a rounding.
        return {**both, "betas": self.betas, "eps": 1e-2}


@dataclass(frozen=True)
class Case:
    """A network, its optimizer, and what comes before each step with how many samples."""

    run: Run
    optimizer: Optimizer
    steps: Tuple[Tuple[str, int], ...]


class Torch:
    """The reference: an optimizer of torch in float64."""

    def __init__(self) -> None:
        self.network = Reference()

    def optimizer(self, leaves: Sequence[Tensor], optimizer: Optimizer) -> torch.optim.Optimizer:
        """Return torch's optimizer of this name."""
        kind = getattr(torch.optim, optimizer.kind)
        made: torch.optim.Optimizer = kind(leaves, **optimizer.options())
        return made

    def renewed(
        self, old: torch.optim.Optimizer, leaves: Sequence[Tensor], optimizer: Optimizer
    ) -> torch.optim.Optimizer:
        """Return the optimizer after a new one has taken its state."""
        return old


@st.composite
def cases(draw: Any) -> Case:
    """Draw a training of a few steps."""
    network = draw(networks((1, 2, 3, 5, 9, 17, 33), (1, 2, 3), ("lif",), exact=False, spreads=()))
    batch = draw(st.sampled_from((1, 2, 3, 4, 7)))
    device: Optional[Device] = None
    if draw(st.booleans()):
        device = draw(devices(batch, len(network.layers)))
    kind = draw(st.sampled_from(("SGD", "Adam", "AdamW")))
    momentum = draw(st.sampled_from((0.0, 0.9)))
    nesterov = momentum > 0 and draw(st.booleans())
    optimizer = Optimizer(
        kind,
        lr=draw(st.sampled_from((0.01, 0.1, 0.001))),
        weight_decay=draw(st.sampled_from((0.0, 0.01, 0.1))),
        momentum=momentum,
        dampening=0.0 if nesterov else draw(st.sampled_from((0.0, 0.3))),
        nesterov=nesterov,
        betas=draw(st.sampled_from(((0.9, 0.99), (0.5, 0.9)))),
    )
    sizes = st.sampled_from((batch,) if device is not None else (batch, batch, max(1, batch - 1)))
    steps = st.lists(st.tuples(st.sampled_from(CALLS), sizes), min_size=1, max_size=6)
    made = Run(
        network,
        engine="ipu",
        steps=draw(st.sampled_from((1, 2, 3, 5, 8))),
        batch=batch,
        density=draw(st.sampled_from((0.3, 0.7, 0.05))),
        training=True,
        device=device,
    )
    return Case(made, optimizer, tuple(draw(steps)))


class Pair:
    """The network with the device's optimizer, and the reference with torch's."""

    def __init__(self, case: Case, rules: Torch) -> None:
        self.case, self.rules = case, rules
        self.net: SNN = build(case.run)
        self.kind: Callable[..., Any] = getattr(optim, case.optimizer.kind)
        self.optimizer = self.kind(self.net, **case.optimizer.options())
        self.named: List[Dict[str, Tensor]] = []
        self.options = options_of(case.run.network)
        names = dict(self.net.named_parameters())
        for index, values in enumerate(parameters(case.run.network)):
            own = {}
            for name, value in values.items():
                learnt = names.get(f"layers.{index}.{name}")
                own[name] = value if learnt is None else value.expand(learnt.shape).clone()
                own[name].requires_grad_(learnt is not None)
            self.named.append(own)
        self.leaves = {
            name: self.named[int(name.split(".")[1])][name.split(".")[2]] for name in names
        }
        self.reference = rules.optimizer(list(self.leaves.values()), case.optimizer)

    def prepare(self, call: str) -> None:
        """Change on both sides what a training may change between two steps."""
        net, optimizer = self.net, self.optimizer
        if call == "pull":
            optimizer.pull()
        elif call == "read":
            net.state_dict()
        elif call == "save and load":
            optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))
        elif call == "renew":
            state = optimizer.state_dict()
            self.optimizer = self.kind(net, **self.case.optimizer.options())
            self.optimizer.load_state_dict(state)
            leaves = list(self.leaves.values())
            self.reference = self.rules.renewed(self.reference, leaves, self.case.optimizer)
        elif call == "edit":
            optimizer.pull()
            with torch.no_grad():
                for values in (*net.parameters(), *self.leaves.values()):
                    values.mul_(1.5)
            optimizer.push()
        elif call == "reload":
            net.load_state_dict({name: value.clone() for name, value in net.state_dict().items()})
        elif call == "evaluate":
            with torch.no_grad():
                net.eval()(torch.zeros(2, self.case.run.batch, net.in_features))
            net.train()
        elif call == "copy":
            copy.deepcopy(net)
        elif call == "other rate":
            for each in (optimizer, self.reference):
                each.param_groups[0]["lr"] = self.case.optimizer.lr / 4

    def train(self, run_: Run, calls: int) -> None:
        """Take a step on both sides.

        Raises
        ------
        Undecided
            Where a rounding decides on a drop or a gradient.
        """
        x = run_.spikes()
        self.optimizer.zero_grad()
        out, traces = self.net(x.float(), trace=True)
        dense = out.to_dense() if isinstance(out, SpikeTensor) else out
        weights = run_.weights("out", dense.shape)
        (dense * weights.float()).mean().backward()
        masks: List[Optional[Followed]] = [masks_of([trace.spikes]) for trace in traces]
        self.optimizer.step()
        seed = self.rules.network.call_seed(run_.network.seed, calls)
        layers = run(
            self.rules.network,
            run_.network,
            self.named,
            x.double(),
            options=self.options,
            seed=seed,
            followed=masks,
        )
        last = layers[-1]
        self.reference.zero_grad()
        (weights * (last.membrane if last.spikes is None else last.spikes)).mean().backward()
        for leaf in self.leaves.values():
            leaf.grad = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        self.reference.step()


def check(case: Case, rules: Torch) -> Outcome:
    """Compare the parameters after each step."""
    try:
        pair = Pair(case, rules)
        difference = Comparison()
        for number, (call, batch) in enumerate(case.steps):
            pair.prepare(call)
            network = replace(case.run.network, values=case.run.network.values + number)
            pair.train(replace(case.run, network=network, batch=batch), number)
            pair.optimizer.pull()
            for name, parameter in pair.net.named_parameters():
                half = case.run.network.layers[int(name.split(".")[1])].weight_dtype is not None
                tolerance = HALF_TOLERANCE if half else TOLERANCE
                difference.near(f"{name} {number}", parameter, pair.leaves[name], tolerance)
            if difference.differences:
                break
    except REFUSALS as error:
        return refused(error)
    except Undecided:
        return Outcome(TIE, "a rounding decides on a drop or a gradient")
    return difference.outcome()


class Changed(Torch):
    """Takes other options."""

    def __init__(self, **changes: Any) -> None:
        super().__init__()
        self.changes = changes

    def optimizer(self, leaves: Sequence[Tensor], optimizer: Optimizer) -> torch.optim.Optimizer:
        return super().optimizer(leaves, replace(optimizer, **self.changes))


class OtherDecay(Torch):
    """Swaps Adam's decay, which the gradient gains, and AdamW's, which shrinks the weights."""

    def optimizer(self, leaves: Sequence[Tensor], optimizer: Optimizer) -> torch.optim.Optimizer:
        other = {"Adam": "AdamW", "AdamW": "Adam"}.get(optimizer.kind, optimizer.kind)
        return super().optimizer(leaves, replace(optimizer, kind=other))


class StateIsLost(Torch):
    """Begins anew where a new optimizer takes a state."""

    def renewed(
        self, old: torch.optim.Optimizer, leaves: Sequence[Tensor], optimizer: Optimizer
    ) -> torch.optim.Optimizer:
        return self.optimizer(leaves, optimizer)


MUTATIONS = {
    "NoWeightDecay": lambda: Changed(weight_decay=0.0),
    "NoDampening": lambda: Changed(dampening=0.0),
    "NoNesterov": lambda: Changed(nesterov=False),
    "OtherBetas": lambda: Changed(betas=(0.9, 0.95)),
    "OtherDecay": OtherDecay,
    "StateIsLost": StateIsLost,
}
TARGET = Target(cases(), check, Torch, MUTATIONS)
