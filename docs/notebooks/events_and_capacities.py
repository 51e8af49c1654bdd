# %% [markdown]
# # Event data and capacities
#
# An event camera or a silicon cochlea sends events. popsnn bins them into compacted spikes,
# without a dense tensor. A capacity limits the spikes of a layer in a step. This notebook shows
# what each of them keeps and drops.

# %%
# %matplotlib inline
import numpy as np
import torch

from popsnn import data, nn, plot

event = np.dtype([("t", np.int64), ("x", np.int16), ("y", np.int16), ("p", bool)])


def recording(label, seed):
    """Return a second of a bar that moves to the right (label 1) or to the left (label 0)."""
    generator = np.random.default_rng(seed)
    events = np.zeros(1500, event)
    events["t"] = np.sort(generator.integers(0, 1_000_000, len(events)))
    where = events["t"] / 1_000_000
    where = where if label else 1 - where
    events["x"] = np.clip(32 * where + generator.normal(0, 1.5, len(events)), 0, 31)
    events["y"] = generator.integers(0, 24, len(events))
    events["p"] = generator.integers(0, 2, len(events))
    return events, label


def dataset(number, seed):
    """Return recordings as compacted spikes: T = 40 steps of 25 ms, 2 x 2 pixels a neuron."""
    recordings = [recording(index % 2, seed + index) for index in range(number)]
    return data.compact(
        recordings, sensor_size=(32, 24, 2), classes=2, steps=40, dt=0.025, downsample=2
    )


train, test = dataset(80, seed=0), dataset(40, seed=1000)
print(train)
print(f"late {train.late}, merged {train.merged}")

# %% [markdown]
# `late` counts events after the last step. `merged` counts events of a neuron and step that
# already had a spike. Neither is lost in silence.

# %% alt="Spikes of one recording: a bar that moves across 384 neurons in 40 steps"
spikes, labels = next(test.batches(len(test)))
print(spikes)
_ = plot.raster(spikes, sample=1)

# %% [markdown]
# ## Input capacity
#
# `capacity=S` keeps at most S input spikes a step. Ask the data what a limit costs before you set
# it.

# %%
for capacity in (16, 24, 32, 48):
    limited = data.compact(
        [recording(index % 2, index) for index in range(20)],
        sensor_size=(32, 24, 2),
        classes=2,
        steps=40,
        dt=0.025,
        downsample=2,
        capacity=capacity,
    )
    dropped = int(limited.spikes.dropped.sum())
    kept = int(limited.spikes.counts[..., 0].sum())
    print(f"capacity {capacity:2}: {dropped / (kept + dropped):6.1%} of the spikes dropped")

# %% [markdown]
# ## Capacity of a layer
#
# `max_activity` is the fraction of a layer's neurons that its capacity holds. `grad_threshold`
# keeps silent neurons out of the active set. A small capacity without it drops gradients, so use
# them together.


# %%
def trained(max_activity):
    """Return the accuracy and the counts of a network with this capacity."""
    torch.manual_seed(0)
    hidden = nn.SparseLIF(train.spikes.size, 64, max_activity=max_activity, grad_threshold=0.8)
    net = nn.SNN(hidden, nn.SparseLI(64, 2), backend="torch")
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(4):
        for x, label in train.batches(20, shuffle=True):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x).mean(0), label).backward()
            optimizer.step()
    accuracy = (net.eval()(spikes).mean(0).argmax(-1) == labels).float().mean()
    return float(accuracy), net.stats()[0]


for max_activity in (0.05, 0.1, 0.25, 1.0):
    accuracy, counts = trained(max_activity)
    dropped = counts.dropped_spikes / max(1, counts.spikes + counts.dropped_spikes)
    print(
        f"capacity {max_activity:4.0%}: accuracy {accuracy:.1%}, activity {counts.activity:.1%}, "
        f"{dropped:.1%} of the spikes dropped"
    )

# %% [markdown]
# This task is easy, so that even small capacities cost no accuracy. Read the table of your
# task before you choose.
#
# [Compacted spikes and capacity](../explanation/compacted-spikes.md) has the rule by which a
# capacity chooses, and [use a dataset or custom recordings](../how-to/use-your-own-data.md) more
# sources of events.
