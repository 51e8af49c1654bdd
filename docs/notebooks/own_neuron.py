# %% [markdown]
# # A custom neuron in torch
#
# A neuron of popsnn is one time step. You write it in torch, train with it at once, and make it
# fast later. Our neuron is quadratic: near its threshold its membrane rises faster.

# %%
# %matplotlib inline
import torch

import popsnn
from popsnn import functional, nn, plot


class QuadraticLIF(popsnn.Neuron):
    """A membrane that rises faster near the threshold."""

    states = ("v", "s")  # carried from step to step; "s", the spikes, is the last
    parameters = {"beta": 0.9, "kappa": 0.2}  # names and defaults

    def step(self, x, state, p, fire):
        """Return the states after a time step with the current x."""
        left = self.after_reset(state.v, state.s, 1.0)
        v = left * (p.beta + p.kappa * left) + x
        return v, fire(v, 1.0)


quadratic = QuadraticLIF()

# %% [markdown]
# `state` holds the membrane and the spikes of the step before. `left` is the membrane after the
# reset to zero. `fire` compares with the threshold of 1, and differentiates with the surrogate.

# %% alt="Membranes of a LIF and a quadratic neuron for the same current"
current = torch.full((40, 1, 1), 0.12)
lif = functional.lif(current, beta=0.9).membrane
curved = functional.scan(
    "quadratic", quadratic, current, None, {"beta": 0.9, "kappa": 0.2}
).membrane
axes = plot.membranes(torch.cat([lif, curved], -1)[:, 0], threshold=1.0)
axes.set_title("the same current: LIF, and the quadratic neuron, which rises faster")

# %% [markdown]
# ## A layer
#
# A module holds the parameters. A tensor parameter has a gradient like every other.


# %%
class Quadratic(torch.nn.Module):
    """Quadratic neurons over x [T, B, N], one learnt kappa each."""

    def __init__(self, features):
        super().__init__()
        self.kappa = torch.nn.Parameter(torch.full((features,), 0.1))

    def forward(self, x):
        parameters = {"beta": 0.9, "kappa": self.kappa}
        return functional.scan("quadratic", quadratic, x, None, parameters).spikes


torch.manual_seed(0)
net = torch.nn.Sequential(
    torch.nn.Linear(64, 64), Quadratic(64), torch.nn.Linear(64, 10), nn.LeakyIntegrator(0.9)
)
train, test = popsnn.data.digits(steps=8)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(6):
    for spikes, labels in train.batches(64, shuffle=True, drop_last=True):
        loss = torch.nn.functional.cross_entropy(net(spikes.to_dense()).mean(0), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
spikes, labels = next(test.batches(len(test)))
with torch.no_grad():
    accuracy = (net(spikes.to_dense()).mean(0).argmax(-1) == labels).float().mean()
kappa = net[1].kappa.detach()
print(f"accuracy {accuracy:.1%}; kappa from {kappa.min():.2f} to {kappa.max():.2f}")
assert accuracy > 0.9

# %% [markdown]
# ## A check of the gradient
#
# The gradients of a neuron are right if they are those of a smooth function. With `smooth=True`
# spikes are the surrogate's integral, and finite differences can check them in float64.

# %%
x = torch.randn(4, 2, 3, dtype=torch.float64, requires_grad=True)
kappa = torch.full((3,), 0.1, dtype=torch.float64, requires_grad=True)
attached = QuadraticLIF(detach_reset=False)


def smooth(x, kappa):
    """Return smooth spikes [T, B, N]."""
    parameters = {"beta": 0.9, "kappa": kappa}
    return functional.scan("attached", attached, x, None, parameters, smooth=True).spikes


print(torch.autograd.gradcheck(smooth, (x, kappa)))

# %% [markdown]
# ## A fast version
#
# There is nothing to add. On a GPU the same function is one kernel over all time steps, and
# `nn.SparseNeurons` runs it on an IPU: [a custom neuron](../tutorial/your-own-neuron.md).
