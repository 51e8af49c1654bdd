# %% [markdown]
# # A first network
#
# A spiking network learns handwritten digits in a minute on a CPU. Then you look at its spikes,
# its membranes and its learning curves. The notebook needs popsnn and nothing else, and it runs
# on every engine.

# %%
# %matplotlib inline
import torch

import popsnn
from popsnn import nn, plot, training

torch.manual_seed(0)
train, test = popsnn.data.digits(steps=8)
print(train)
print(test)

# %% [markdown]
# Each scan has 64 pixels. A bright pixel fires early, a dark one late or never. A batch is a
# `SpikeTensor`: compacted spikes of T steps, B samples and N neurons.

# %% alt="Spikes of one digit: steps across, 64 input neurons upwards"
spikes, labels = next(test.batches(8))
print(spikes, labels)
_ = plot.raster(spikes, sample=0)

# %% [markdown]
# ## Network
#
# The hidden layer has 256 LIF neurons. At most a quarter of them can fire in one step: this is
# its capacity. Neurons below the gradient threshold of 0.7 pass no gradient. The readout
# integrates, and does not fire.

# %%
hidden = nn.SparseLIF(64, 256, beta=0.9, max_activity=0.25, grad_threshold=0.7)
net = nn.SNN(hidden, nn.SparseLI(256, 10), backend="torch")
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
print(net)

# %% [markdown]
# ## Training
#
# `training.Training` writes a folder with checkpoints, metrics and a summary. A custom loop works
# as well: `net` is a `torch.nn.Module`.

# %%
recipe = training.Recipe(epochs=5, batch_size=64)
run = training.Training(net, optimizer, train, test, "runs/first-network", recipe)
run.start_over(overwrite=True)  # replaces the results of an earlier run
summary = run.run(lambda row: print(f"epoch {row.epoch}: {row.test_accuracy:.1%}"), progress=False)

# %% alt="Training loss, accuracy and activity over five epochs"
plot.curves(run.rows)

# %% [markdown]
# ## Spikes and membranes
#
# A pass with `trace=True` returns the spikes and the membranes of every layer. The rows of the
# picture are the input, the hidden layer and the readout. The bold line is the right class, which
# should end on top.

# %% alt="Four digits: input spikes, hidden spikes, and readout membranes, right class in bold"
_, trace = net.eval()(spikes, trace=True)
readout = trace[-1].membrane
read = readout.mean(0).argmax(-1)
chosen = [0, 1, 2, 3]
plot.samples(
    [f"a {labels[i]}, read as {read[i]}" for i in chosen],
    {
        "input": spikes.select_batch(chosen),
        "hidden": trace[0].spikes.select_batch(chosen),
    },
    readout[:, chosen],
    labels[chosen].tolist(),
)

# %% alt="Membranes of six hidden neurons over the steps, with threshold and gradient threshold"
most = trace[0].membrane[:, 0].amax(0).topk(6).indices
_ = plot.membranes(trace[0].membrane[:, 0, most], threshold=1.0, grad_threshold=0.7)

# %% [markdown]
# ## Counts
#
# `net.stats()` has the counts of the last pass. Nothing is dropped in silence: spikes beyond the
# capacity are counted.

# %%
counts = net.stats()[0]
print(f"activity {counts.activity:.1%}, spikes {counts.spikes}, dropped {counts.dropped_spikes}")
