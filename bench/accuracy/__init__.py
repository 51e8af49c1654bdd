"""Whether sparse training loses accuracy: dense next to capped networks, on data that is here.

Digits and FSDD, feed-forward and recurrent, without a cap and with caps of 10, 5 and 1 % of the
hidden neurons, each without and with the gradient threshold, five seeds. Dense is without either.
Cases of `max_activity="auto"` are in `auto.py`, quiet networks in `quiet.py`. `choose.py` compares
settings on other seeds.
All else is the dataset's configuration, with what `digits` and `fsdd` change of it. Of each case

- `accuracy` is that of the test set after the last epoch, and `highest_accuracy` the highest of all
  epochs, which is chosen by the test set; median, least and largest of the seeds;
- `mean_accuracy` and `mean_highest_accuracy` are the means of the seeds, with min and max the 95 %
  confidence interval of that mean (Student's t);
- `epochs_to_highest` is the first epoch that has it, `epochs_to_target` the first from a fixed
  accuracy on (no row where a seed does not get there);
- `activity` is the fraction of hidden neurons that fire in the last epoch, `mean_activity` its mean
  over the seeds with the interval, and `dropped` the spikes above the capacity, of all that would
  have fired in all epochs.

Networks run on the ipu engine, emulated, and on the cuda engine, in float32 and each step as one
CUDA graph, as far as they are here (`--only popsnn-cuda` leaves one alone): accuracies are measured
on both, of the same arithmetic. Runs of one seed take the same batches, which are made once and
kept, 2 GiB of their ids at most, on a GPU a twentieth of its memory: a process of spoken digits
takes some 3 GB. There are as many processes as cores, ten on a GPU. `--case network=recurrent`
trains what has that alone, so that several GPUs can split the study.
`python -m bench.accuracy.page` makes plot and table of the rows.
"""

from __future__ import annotations

from typing import Iterator

from bench.accuracy import auto, digits, quiet, spoken, study
from bench.rows import Row

PARTS = (*digits.PARTS, *spoken.PARTS, *quiet.PARTS, *auto.PARTS)


def run() -> Iterator[Row]:
    """Yield the rows of all parts."""
    return study.run(PARTS)
