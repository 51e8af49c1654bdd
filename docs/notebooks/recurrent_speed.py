# %% [markdown]
# # Speed of recurrent layers
#
# On an H100 or H200 the cuda engine runs a recurrent layer over all steps in one kernel. This
# notebook measures it if there is such a GPU. On other machines it shows the recorded rows of an
# H200 instead, and says so.

# %%
# %matplotlib inline
import json
import time
from pathlib import Path

import torch

from popsnn import functional, plot

on_gpu = torch.cuda.is_available() and torch.cuda.get_device_capability() == (9, 0)
print(torch.cuda.get_device_name() if on_gpu else "no H100 or H200 here: recorded rows follow")

# %% [markdown]
# ## The layer
#
# The same call runs everywhere. Here it is small, on the CPU, in plain PyTorch.

# %%
torch.manual_seed(0)
current = 0.4 * torch.rand(50, 8, 128)
weight = (torch.randn(128, 128) / 128**0.5).requires_grad_()
begin = time.perf_counter()
out = functional.recurrent_lif(current, weight, beta=0.9, backend="torch")
out.spikes.mean().backward()
print(f"activity {out.spikes.mean():.1%}, gradient of the weights {tuple(weight.grad.shape)}")

# %% [markdown]
# ## Measurement
#
# Forward and backward pass of 100 steps and 48 samples with bfloat16 weights. The GPU cell is
# skipped without a GPU.


# %%
def measured(neurons, runs=20):
    """Return the median time in ms of a forward and backward pass on the GPU."""
    current = torch.randn(100, 48, neurons, device="cuda", dtype=torch.bfloat16)
    weight = torch.randn(neurons, neurons, device="cuda") / neurons**0.5
    weight.requires_grad_()
    times = []
    for _ in range(3 + runs):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        out = functional.recurrent_lif(
            current, weight, beta=0.9, weight_dtype=torch.bfloat16, membrane=False
        )
        out.spikes.float().mean().backward()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return sorted(times[3:])[runs // 2]


if on_gpu:
    for neurons in (1024, 2944, 8192):
        print(f"{neurons} neurons: {measured(neurons):.2f} ms")

# %% [markdown]
# ## Recorded rows
#
# `python -m bench recurrent` wrote these rows on an H200. `graph` is a CUDA graph, `eager` a loop
# in PyTorch. The last column is the type of the tensors: the loop, norse and snnTorch ran in
# float32 only.

# %%
newest = {}
for line in Path("bench/results/recurrent-h200.jsonl").read_text().splitlines():
    row = json.loads(line)
    case, subject = row["case"], row["subject"]
    wanted = {"T": 100, "batch": 48, "activity": "5 %"}
    float32 = subject.startswith("popsnn") and row["dtype"] == "float32"
    if row["metric"] != "fwd_bwd_ms" or "neuron" in case or float32:
        continue
    if all(case.get(name) == value for name, value in wanted.items()):
        newest[subject, case["neurons"]] = row
sizes = sorted({neurons for _, neurons in newest})
print(f"{'forward and backward, ms':38}" + "".join(f"{size:>10,}" for size in sizes) + "  neurons")
for subject in dict.fromkeys(subject for subject, _ in newest):
    found = [newest.get((subject, size)) for size in sizes]
    cells = [f"{row['median']:10.2f}" if row else f"{'-':>10}" for row in found]
    print(f"{subject:38}" + "".join(cells) + f"  {next(filter(None, found))['dtype']}")

# %% alt="Milliseconds of forward and backward over the number of neurons"
figure = plot.figure(7, 4)
axes = figure.add_subplot()
for subject in dict.fromkeys(subject for subject, _ in newest):
    found = [(size, newest[subject, size]["median"]) for size in sizes if (subject, size) in newest]
    axes.loglog(*zip(*found), marker="o", color="#1f5fa8" if "popsnn" in subject else "#5b6770")
    axes.annotate(f" {subject}", found[0], va="bottom", fontsize=7)
axes.set_xlabel("neurons")
axes.set_ylabel("ms, recorded on an H200")
figure

# %% [markdown]
# [Recurrent layers: measured figures](../benchmarks/recurrent.md) has all cases, and [recurrent
# layers in one kernel](../explanation/persistent-recurrent.md) says why it is fast.
