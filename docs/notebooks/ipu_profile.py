# %% [markdown]
# # Cost on an IPU
#
# popsnn compiles a network for an IPU and runs it on an emulated one. The emulator counts cycles
# and bytes by a model of the chip. All numbers on this page are **modelled**: none is a
# measurement. The notebook needs popsnn with its native part, which `popsnn info` names as the
# engine `ipu`.

# %%
import torch

from popsnn import nn, profiling

torch.manual_seed(0)


def network(max_activity):
    """Return two sparse layers of 256 neurons and a readout, with random weights."""
    options = {"max_activity": max_activity, "grad_threshold": 0.8, "delay": 1, "gain": 2.0}
    return nn.SNN(
        nn.SparseLIF(128, 256, **options),
        nn.SparseLIF(256, 256, **options),
        nn.SparseLI(256, 10, delay=1),
        backend="torch",
    )


# %% [markdown]
# ## A training step
#
# The device is a Bow IPU with 64 of its tiles, so that the emulation takes seconds. The step is
# forward pass, backward pass and an Adam update on the device: 8 samples, 20 time steps, 16 input
# spikes in each.

# %%
sizes = {"steps": 20, "batch": 8, "input_capacity": 16, "emulated_steps": 4}
report = profiling.profile(network(0.1), "bow:tiles=64", title="two layers of 256", **sizes)
print(f"modelled: {report.step_ms:.3f} ms a training step, {report.samples_per_s:,.0f} samples/s")
print(f"modelled: {report.cycles_per_timestep:,.0f} cycles a time step")
print(f"modelled: {report.tile_bytes_max:,} bytes on the fullest tile")

# %% [markdown]
# ## Phases
#
# An IPU alternates between computing, synchronising and exchanging. These are the phases that
# cost most, in cycles of one run.

# %%
phases = sorted(report.as_dict()["phases"], key=lambda phase: -phase["cycles"])
print(f"{'program':9}{'phase':42}{'cycles':>8}{'compute':>9}{'exchange':>10}{'sync':>6}{'host':>8}")
for phase in phases[:10]:
    print(
        f"{phase['program']:9}{phase['name'][:40]:42}{phase['cycles']:8,.0f}{phase['compute']:9,.0f}"
        f"{phase['exchange']:10,.0f}{phase['sync']:6,.0f}{phase['host']:8,.0f}"
    )

# %% [markdown]
# ## Capacity and time
#
# A smaller capacity means fewer spike indices to send and fewer rows of weights to add. This is
# why a sparse network is faster on this machine.

# %%
for max_activity in (0.05, 0.2, 1.0):
    report = profiling.profile(network(max_activity), "bow:tiles=64", **sizes)
    print(
        f"capacity {max_activity:4.0%}: modelled {report.step_ms:.3f} ms a training step, "
        f"{report.exchange_bytes_per_timestep:,.0f} bytes exchanged a time step"
    )

# %% [markdown]
# `popsnn profile` prints the whole report, and `--html` writes it as a page: [`popsnn
# profile`](../reference/profile.md). [The cycle and memory model](../explanation/cycle-model.md)
# says what the model knows, and what it does not.
