"""Pictures of spikes, networks and trainings.

Functions that take `ax` draw on it. Without it they draw on a new figure, which is `ax.figure` of
the axes that they return. The figure needs no display; where `matplotlib.pyplot` was imported
before, as in a notebook, it is a figure of pyplot and is shown.
"""

from .animation import animated_raster
from .curves import curves, learning_curves, sparse_and_dense
from .matrices import confusion, weights
from .spikes import activity, membranes, raster, samples
from .style import figure

__all__ = [
    "activity",
    "animated_raster",
    "confusion",
    "curves",
    "figure",
    "learning_curves",
    "membranes",
    "raster",
    "samples",
    "sparse_and_dense",
    "weights",
]
