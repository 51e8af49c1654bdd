# %% [markdown]
# # An snnTorch model in popsnn
#
# You have a model of snnTorch. This notebook maps it to popsnn by hand, checks that the spikes
# are equal, and copies its weights into sparse layers. It needs `pip install snntorch`.

# %%
import snntorch as snn
import torch
from snntorch import surrogate

from popsnn import nn

torch.manual_seed(0)
T, B = 25, 16
x = (torch.rand(T, B, 64) < 0.2).float()

# %% [markdown]
# ## The model
#
# snnTorch runs one step at a time, and the loop over the steps is yours.

# %%
first, second = torch.nn.Linear(64, 100), torch.nn.Linear(100, 10)
leaky = snn.Leaky(beta=0.9, reset_mechanism="zero", spike_grad=surrogate.atan())
readout = snn.Leaky(beta=0.9, reset_mechanism="none")


def steps(x):
    """Return spikes [T, B, 100] and readout membranes [T, B, 10] of snnTorch."""
    hidden, out = leaky.reset_mem(), readout.reset_mem()
    spikes, membranes = [], []
    for step in x:
        spike, hidden = leaky(first(step), hidden)
        _, out = readout(second(spike), out)
        spikes.append(spike)
        membranes.append(out)
    return torch.stack(spikes), torch.stack(membranes)


# %% [markdown]
# ## The mapping
#
# popsnn runs all steps of x [T, B, ...] at once, so the loop goes away.
#
# | snnTorch | popsnn |
# | --- | --- |
# | `snn.Leaky(beta, reset_mechanism="zero")` | `nn.LIF(beta, reset="zero")` |
# | `snn.Leaky(beta, reset_mechanism="none")`, its membrane | `nn.LeakyIntegrator(beta)` |
# | `snn.Leaky(beta, reset_mechanism="subtract")` | `nn.LIF(beta, reset="subtract_after")` |
# | `spike_grad=surrogate.atan()` | `surrogate="atan"` |
# | `spike_grad=surrogate.fast_sigmoid(slope=25)` | `surrogate=popsnn.surrogate.SuperSpike(25.0)` |
# | `threshold`, `learn_beta`, `learn_threshold` | the same names |

# %%
lif = nn.LIF(0.9, reset="zero", surrogate="atan")
integrator = nn.LeakyIntegrator(0.9)

theirs, their_membranes = steps(x)
ours = lif(first(x))
our_membranes = integrator(second(ours))
print(f"{int(theirs.sum())} spikes, {int((theirs != ours).sum())} of {ours.numel()} differ")
print(f"readout: largest difference {(their_membranes - our_membranes).abs().max():.1e}")
assert torch.equal(theirs, ours)

# %% [markdown]
# The gradients agree as well, because the surrogates are the same functions.

# %%
weights = [first.weight, second.weight]
their_gradients = torch.autograd.grad(their_membranes.mean(), weights)
our_gradients = torch.autograd.grad(our_membranes.mean(), weights)
for name, a, b in zip(("first", "second"), their_gradients, our_gradients):
    print(f"{name}: relative difference of the gradients {(a - b).norm() / a.norm():.1e}")
    torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-7)

# %% [markdown]
# ## Reset by subtraction
#
# snnTorch computes `beta v - threshold` after a spike. `reset="subtract"` of popsnn computes
# `beta (v - threshold)`, and `reset="subtract_after"` has the rule of snnTorch.

# %%
with torch.no_grad():
    other = snn.Leaky(beta=0.9, reset_mechanism="subtract")
    membrane = other.reset_mem()
    spikes = []
    for step in first(x):
        spike, membrane = other(step, membrane)
        spikes.append(spike)
    theirs = torch.stack(spikes)
    ours = nn.LIF(0.9, reset="subtract_after")(first(x))
    decaying = nn.LIF(0.9, reset="subtract")(first(x))
print(f"subtract_after: {int((theirs != ours).sum())} of {ours.numel()} spikes differ")
print(f"subtract: {int((theirs != decaying).sum())} differ")
assert torch.equal(theirs, ours)

# %% [markdown]
# ## Sparse layers
#
# `SparseLIF` is a linear map and its neurons in one layer, which exchange compacted spikes. Copy
# the weights, and the network runs on the ipu and cuda engines. The order of sums differs, so a
# membrane at the threshold may round to the other side.

# %%
net = nn.SNN(
    nn.SparseLIF(64, 100, beta=0.9, reset="zero", surrogate="atan"),
    nn.SparseLI(100, 10, beta=0.9),
    backend="torch",
)
with torch.no_grad():
    for layer, linear in zip(net.layers, (first, second)):
        layer.weight.copy_(linear.weight)
        layer.bias.copy_(linear.bias)
    out, trace = net(x, trace=True)
    expected = integrator(second(lif(first(x))))
difference = int((trace[0].spikes.to_dense() != lif(first(x))).sum())
print(f"{difference} of {T * B * 100} spikes differ")
print(f"readout: largest difference {(out - expected).abs().max():.1e}")
print(net.stats()[0])
assert difference <= 2
