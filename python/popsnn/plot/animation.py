"""A raster that grows step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping

from .._internal.extras import extra
from ..spikes import SpikeTensor
from .spikes import raster
from .style import HIDDEN, INK, INPUT, figure

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation


def animated_raster(
    layers: Mapping[str, SpikeTensor], *, sample: int = 0, steps_per_second: float = 20.0
) -> FuncAnimation:
    """Return an animation of one sample: the layers' spikes appear time step by time step.

    Parameters
    ----------
    layers : SpikeTensors (T, B, N) by the name to show, the input first
    sample : int
        Which b.
    steps_per_second : float

    Returns
    -------
    FuncAnimation
        ``save("raster.gif")`` writes it; in a notebook, ``HTML(animation.to_jshtml())`` shows it.

    Raises
    ------
    ValueError
        Where there is no layer, or layers differ in T.
    """
    with extra("plot.animated_raster", "matplotlib", "plot"):
        from matplotlib.animation import FuncAnimation

    steps = {spikes.shape[0] for spikes in layers.values()}
    if len(steps) != 1:
        raise ValueError(
            "plot.animated_raster: layers: expected at least one layer, all of the same number of "
            f"steps, got {sorted(steps)}"
        )
    (last,) = steps
    made = figure(4.5, 1.8 * len(layers))
    grid: Any = made.subplots(len(layers), 1, squeeze=False, sharex=True)
    drawn: List[Any] = []
    cursors: List[Any] = []
    for (ax,), (index, (name, spikes)) in zip(grid, enumerate(layers.items())):
        raster(spikes, ax, sample=sample, color=HIDDEN if index else INPUT)
        ax.set_ylabel(name, color=INK)
        drawn.append((ax.collections[0], ax.collections[0].get_offsets().copy()))
        cursors.append(ax.axvline(-0.5, color=INK, linewidth=0.8))
    grid[-1][0].set_xlabel("step", color=INK)

    def show(step: int) -> List[Any]:
        for (dots, offsets), cursor in zip(drawn, cursors):
            dots.set_offsets(offsets[offsets[:, 0] <= step])
            cursor.set_xdata([step, step])
        return [*(dots for dots, _ in drawn), *cursors]

    return FuncAnimation(made, show, frames=last, interval=1e3 / steps_per_second)
