"""The neurons with explicit state in and explicit state out, in plain PyTorch.

This is the reference that the other engines are tested against. Everything is time-major:

    I[t] = gain * (W x[t - delay] + V s[t-1] + b)
    v[t] = beta * r(v[t-1], s[t-1]) + I[t]
    s[t] = v[t] >= threshold, as far as the layer's capacity goes

with the reset r: "zero" v (1 - s), "subtract" v - threshold s, "none" v. The other two resets
act on v[t]: "subtract_after" takes threshold s[t-1], "zero_after" leaves v[t] (1 - s[t-1]).
`delay` is a number of steps, or a `DelaySteps` of one for each neuron or each weight.
"""

from __future__ import annotations

from ._adaptive_lif import AdaptiveLIFOutput, AdaptiveLIFState, adaptive_lif
from ._delays import DelaySteps, delay_taps, delayed, last_steps
from ._li import LIOutput, li
from ._lif import LIFOutput, LIFState, lif
from ._readout_loss import ReadoutLoss, readout_loss
from ._recurrent_adaptive_lif import recurrent_adaptive_lif
from ._recurrent_lif import recurrent_lif
from ._recurrent_scan import recurrent_scan
from ._scan import BACKENDS, ScanOutput, pack_bits, scan, unpack_bits
from ._synaptic_lif import SynapticLIFOutput, SynapticLIFState, synaptic_lif
from .batch_norm import BatchNormLIFOutput, batch_norm, batch_norm_lif
from .bits import BitSpikes
from .losses import (
    count_loss,
    first_spike_times,
    latency_loss,
    membrane_loss,
    rate_loss,
    step_loss,
)
from .neuron import Custom, Neuron
from .sparse import (
    SparseLIFOutput,
    SparseLIOutput,
    SparseState,
    sparse_li,
    sparse_lif,
    sparse_neurons,
)

__all__ = [
    "BACKENDS",
    "AdaptiveLIFOutput",
    "AdaptiveLIFState",
    "BatchNormLIFOutput",
    "BitSpikes",
    "Custom",
    "DelaySteps",
    "LIFOutput",
    "LIFState",
    "LIOutput",
    "Neuron",
    "ReadoutLoss",
    "ScanOutput",
    "SparseLIFOutput",
    "SparseLIOutput",
    "SparseState",
    "SynapticLIFOutput",
    "SynapticLIFState",
    "adaptive_lif",
    "batch_norm",
    "batch_norm_lif",
    "count_loss",
    "delay_taps",
    "delayed",
    "first_spike_times",
    "last_steps",
    "latency_loss",
    "li",
    "lif",
    "membrane_loss",
    "pack_bits",
    "rate_loss",
    "readout_loss",
    "recurrent_adaptive_lif",
    "recurrent_lif",
    "recurrent_scan",
    "scan",
    "sparse_li",
    "sparse_lif",
    "sparse_neurons",
    "step_loss",
    "synaptic_lif",
    "unpack_bits",
]
