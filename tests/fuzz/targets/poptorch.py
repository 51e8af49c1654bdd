"""Random networks through the emulated PopTorch: inference, and a training step's gradients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Dict, List

import torch
from hypothesis import strategies as st
from torch import Tensor, nn

from popsnn import SpikeTensor, poptorch

from ..description import Numbers, networks, options_of, parameters
from ..engine import build, dense_of
from ..gradients import compare_gradients
from ..outcome import REFUSALS, TIE, Comparison, Outcome, refused
from ..references.delay_mutations import FROM_REST
from ..references.mutations import CAPACITIES, NEURONS
from ..references.network import LayerResult, run
from ..references.neuron import UNKNOWN, Reference, Undecided
from ..runs import Run
from ..target import Target
from .networks import SMALL

TOLERANCE = 3e-4


@dataclass(frozen=True)
class Case:
    """A network in a model that cuts its batch.

    Parameters
    ----------
    run : Run
        Its batch is that of a micro-batch.
    training : bool
        Whether a training model takes a step, else an inference model runs.
    lists : bool
        Whether the model's input and output are a SpikeTensor, where it has such an output.
    iterations, accumulation, replicas : int
        What cuts the batch; only inference has iterations, only training accumulates.
    """

    run: Run
    training: bool = False
    lists: bool = False
    iterations: int = 1
    accumulation: int = 1
    replicas: int = 1

    @property
    def parts(self) -> int:
        """Micro-batches of a call."""
        return self.iterations * self.accumulation * self.replicas


class Model(nn.Module):
    """Dense frames [B, T, M] and weights [B, T, N] of the loss, through a network."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, frames: Tensor, weights: Tensor) -> Any:
        out = dense_of(self.net(frames.transpose(0, 1)), torch.float32).transpose(0, 1)
        return out, poptorch.identity_loss((out * weights).sum(), reduction="none")


class ListModel(nn.Module):
    """A SpikeTensor through a network; a readout's membranes come with the batch first."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: SpikeTensor) -> Any:
        out = self.net(x)
        return out if isinstance(out, SpikeTensor) else out.transpose(0, 1)


@st.composite
def cases(draw: Any) -> Case:
    """Draw a case; what drops in a call depends on all calls before, so parts drop nothing."""
    network = draw(networks(SMALL, (1, 2, 3), weight_dtypes=(None, None, "float16")))
    training = draw(st.booleans())
    counts = st.sampled_from((1, 1, 2, 3))
    cut = training or draw(st.booleans())
    case = Case(
        Run(
            network,
            steps=draw(st.sampled_from((1, 2, 3, 5, 9))),
            batch=draw(st.sampled_from((1, 2, 3))),
            density=draw(st.sampled_from((0.3, 0.7, 0.0))),
            trace=False,
            training=training,
        ),
        training=training,
        lists=not training and draw(st.booleans()),
        iterations=1 if training or not cut else draw(counts),
        accumulation=draw(counts) if training else 1,
        replicas=draw(st.sampled_from((1, 1, 2))) if cut else 1,
    )
    if case.training and case.parts > 1:
        layers = tuple(replace(layer, max_activity=None) for layer in network.layers)
        case = replace(case, run=replace(case.run, network=replace(network, layers=layers)))
    return case


def inputs(case: Case) -> Tensor:
    """Return the spikes of all micro-batches, [T, parts * B, M]."""
    return replace(case.run, batch=case.run.batch * case.parts).spikes()


def observe(case: Case) -> Any:
    """Return the output [T, B, N], and the gradients that a step of SGD left in the weights."""
    net = build(replace(case.run, engine="torch"))
    x = inputs(case).float()
    options = poptorch.Options()
    options.deviceIterations(case.iterations)
    options.replicationFactor(case.replicas)
    options.Training.gradientAccumulation(case.accumulation)
    options.outputMode(poptorch.OutputMode.All)
    if case.training:
        return _trained(case, net, x, options)
    if case.lists:
        out = poptorch.inferenceModel(ListModel(net.eval()), options)(SpikeTensor.from_dense(x))
        return out if isinstance(out, SpikeTensor) else out.transpose(0, 1), {}
    model = poptorch.inferenceModel(Model(net.eval()), options)
    out, _ = model(x.transpose(0, 1).contiguous(), _weights(case, net))
    return out.transpose(0, 1), {}


def _weights(case: Case, net: nn.Module) -> Tensor:
    shape = (case.run.batch * case.parts, case.run.steps, net.out_features)
    return case.run.weights("out", shape).float()


def _trained(case: Case, net: nn.Module, x: Tensor, options: Any) -> Any:
    model = Model(net.train())
    before = {name: value.detach().clone() for name, value in net.named_parameters()}
    sgd = poptorch.optim.SGD(model.parameters(), lr=1.0, use_combined_accum=False)
    training = poptorch.trainingModel(model, options=options, optimizer=sgd)
    out, _ = training(x.transpose(0, 1).contiguous(), _weights(case, net))
    training.copyWeightsToHost()
    scale = case.accumulation * case.replicas  # gradients are means over these
    grads = {
        name: scale * (before[name] - value.detach()) for name, value in net.named_parameters()
    }
    return out.transpose(0, 1), grads


def expect(case: Case, rules: Reference, shaken: int = 0) -> Any:
    """Return the reference's layers of each micro-batch, and the gradients of all of them.

    Raises
    ------
    Undecided
        Where a rounding may decide, as nothing is known of spikes within.
    """
    network = case.run.network
    names = dict(build(replace(case.run, engine="torch")).named_parameters())
    numbers = Numbers(network.values + shaken, False)
    named: List[Dict[str, Tensor]] = []
    for index, values in enumerate(parameters(network)):
        own = {}
        for name, value in values.items():
            learnt = names.get(f"layers.{index}.{name}")
            own[name] = value if learnt is None else value.expand(learnt.shape).clone()
            if shaken and not network.exact and not name.endswith(".steps"):
                own[name] = numbers.shaken(own[name], 2.0**-21)
            own[name].requires_grad_(learnt is not None)
        named.append(own)
    x = inputs(case).double()
    weights = _weights(case, build(replace(case.run, engine="torch"))).double().transpose(0, 1)
    if shaken and network.exact:
        weights = numbers.shaken(weights, 2.0**-21)
    followed = None if network.exact else [UNKNOWN] * len(network.layers)
    parts: List[List[LayerResult]] = []
    loss = torch.zeros((), dtype=torch.float64)
    for samples in torch.arange(x.shape[1]).split(case.run.batch):
        layers = run(
            rules,
            network,
            named,
            x[:, samples],
            options=options_of(network),
            seed=rules.call_seed(network.seed, 0),
            followed=followed,
            evaluates=not case.training,
        )
        last = layers[-1]
        out = last.membrane if last.spikes is None else last.spikes
        loss = loss + (out * weights[:, samples]).sum()
        parts.append(layers)
    loss.backward()
    grads = {}
    for full in names:
        _, index, name = full.split(".", 2)
        grad = named[int(index)][name].grad
        grads[full] = torch.zeros_like(named[int(index)][name]) if grad is None else grad
    return parts, grads


def check(case: Case, rules: Reference) -> Outcome:
    """Compare a model's output, and the step that it takes, with the reference's."""
    try:
        out, grads = observe(case)
    except (*REFUSALS, poptorch.Error) as error:
        return refused(error)
    try:
        parts, expected = expect(case, rules)
    except Undecided:
        return Outcome(TIE, "a rounding may decide")
    difference = Comparison()
    last = [layers[-1] for layers in parts]
    if last[0].spikes is None:
        membrane = torch.cat([layer.membrane for layer in last], 1)
        difference.near("output", dense_of(out, torch.float32), membrane, 2e-4)
    else:
        spikes = torch.cat([layer.spikes for layer in last], 1)
        difference.same("output", dense_of(out, torch.float32), spikes)
    if isinstance(out, SpikeTensor):
        dropped = torch.cat([layer.dropped for layer in last], 1)
        difference.same("dropped", out.dropped, dropped)
    if difference.differences or not case.training:
        return difference.outcome()
    return compare_gradients(
        grads,
        expected,
        lambda name: TOLERANCE,
        lambda number: expect(case, rules, number)[1],
    )


TARGET = Target(cases(), check, Reference, {**NEURONS, **CAPACITIES, **FROM_REST})
