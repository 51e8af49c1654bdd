"""Diagrams of the IPU engine: a time step, dense weight gradients, the cycle model."""

from __future__ import annotations

from .svg import BLUE, GREEN, GREY, INK, MUTED, ORANGE, Drawing

# Fired samples of each input, and the gradient current of each sample, in the dense gradient.
FIRED = ((1, 0, 1, 0), (0, 0, 0, 0), (1, 1, 0, 0), (0, 1, 1, 1), (1, 0, 1, 0))


def ipu_step() -> Drawing:
    """Draw the compute sets of a forward and a backward time step, by tiles."""
    d = Drawing(
        960, 470, "Compute sets of a time step",
        "Forward: step on the layer tiles sends masks of two bits a neuron to the compaction "
        "tiles, where scan and lists make spike indices, which return to the layer tiles. "
        "Backward: dense rows of spike gradients go to step on the layer tiles, products adds "
        "weight gradients and makes partial sums, reduce sums them, and lists adds them to the "
        "dense rows of the layer below.",
    )  # fmt: skip
    for y, title in ((40, "Forward time step"), (256, "Backward time step")):
        d.text(28, y, title, size=16, bold=True)
        d.text(28, y + 48, "layer tiles", color=ORANGE, bold=True)
        d.text(28, y + 66, "weights, gradients, states", size=12, color=MUTED)
        d.text(28, y + 142, "compaction tiles", color=BLUE, bold=True)
        d.text(28, y + 160, "spike indices, history", size=12, color=MUTED)
    d.box(230, 70, 150, 44, "step", ORANGE)
    d.box(400, 164, 140, 44, "scan", BLUE)
    d.box(580, 164, 140, 44, "lists", BLUE)
    d.box(760, 70, 150, 44, "step of t + 1", ORANGE)
    d.arrow(340, 116, 430, 162)
    d.text(240, 146, "masks: 2 bits a neuron", size=12)
    d.arrow(542, 186, 578, 186)
    d.arrow(700, 162, 790, 118)
    d.text(770, 146, "indices: 16 bits", size=12)
    d.line(28, 226, 932, 226, color=GREY)
    d.box(230, 286, 130, 44, "step", ORANGE)
    d.box(390, 286, 130, 44, "products", ORANGE)
    d.box(550, 332, 130, 44, "reduce", GREEN)
    d.box(720, 380, 130, 44, "lists", BLUE)
    d.arrow(362, 308, 388, 308)
    d.arrow(522, 312, 556, 330)
    d.text(548, 308, "partial sums of dL/d(spike)", size=12)
    d.arrow(682, 356, 730, 378)
    d.text(744, 362, "sums", size=12)
    d.arrow(718, 410, 250, 410, 250, 334, color=BLUE)
    d.text(262, 430, "dense rows dL/d(spike), sliced by tile; indices of the previous step",
           size=12, color=BLUE)  # fmt: skip
    d.text(390, 276, "weight gradient: adds to the rows of fired inputs", size=12, color=MUTED)
    d.text(28, 456, "Weights, gradients and membranes stay on their tile during a pass.",
           size=12, color=MUTED)  # fmt: skip
    return d


def ipu_patterns() -> Drawing:
    """Draw how the bits of an input select a sum over samples."""
    d = Drawing(
        960, 350, "Dense weight gradient of four samples",
        "A table has one row for each of the sixteen patterns of four samples: the sum of the "
        "gradient currents of the samples in the pattern. Each input has four bits, one for each "
        "sample that fired it. The bits select a row, which is added to the gradient row of the "
        "input.",
    )  # fmt: skip
    d.text(28, 40, "Samples that fired an input", size=15, bold=True)
    d.text(372, 40, "Sums of dL/d(current)", size=15, bold=True)
    d.text(700, 40, "Gradient rows", size=15, bold=True)
    for b in range(4):
        d.text(136 + 36 * b, 68, f"b{b}", size=12, color=MUTED, anchor="middle")
    patterns = ("0000", "1010", "1100", "0111")
    for i, pattern in enumerate(patterns):
        y = 84 + 50 * i
        samples = [f"g{b}" for b in range(4) if pattern[b] == "1"]
        d.box(372, y, 64, 32, pattern, BLUE)
        d.box(440, y, 150, 32, " + ".join(samples) or "0", GREY)
    d.text(372, 84 + 50 * len(patterns) + 14, "... 16 patterns", size=12, color=MUTED)
    for i, bits in enumerate(FIRED):
        y = 84 + 42 * i
        d.text(28, y + 21, f"input {i}")
        for b, bit in enumerate(bits):
            d.box(120 + 36 * b, y, 32, 32, str(bit), ORANGE if bit else GREY)
        row = patterns.index("".join(map(str, bits)))
        d.arrow(266, y + 16, 368, 84 + 50 * row + 16, color=BLUE)
        d.arrow(592, 84 + 50 * row + 16, 696, y + 16, color=GREEN)
        d.box(700, y, 220, 32, f"dL/dW of input {i} += row", GREEN)
    d.text(28, 330, "One addition for each input and group of samples, instead of one for each "
           "sample that fired it. A group has up to eight samples: 2^8 rows.",
           size=12, color=MUTED)  # fmt: skip
    return d


def ipu_delays() -> Drawing:
    """Draw where delays store: a ring of currents on layer tiles, bits on others."""
    d = Drawing(
        960, 300, "Rings of delays",
        "Dendritic delays: the products of a step are added by taps to rows of a ring of currents "
        "on the layer tile, and the neurons take the row of the present step. Axonal delays: the "
        "indices that fired are put into rows of bits on a tile with little work, and the row of "
        "the present step is the list of indices that arrive.",
    )  # fmt: skip
    d.text(28, 36, "Dendritic: layer tiles", color=ORANGE, bold=True)
    d.box(28, 60, 150, 44, "products W x", ORANGE)
    d.arrow(180, 82, 258, 82)
    d.text(196, 72, "taps", size=12)
    d.box(262, 60, 250, 44, "D + 1 rows of currents", ORANGE)
    d.arrow(514, 82, 622, 82)
    d.text(526, 72, "row of the step", size=12)
    d.box(626, 60, 130, 44, "neurons", ORANGE)
    d.arrow(758, 82, 796, 82)
    d.text(804, 87, "indices that fired", size=12)
    d.line(28, 140, 932, 140, color=GREY)
    d.text(28, 176, "Axonal: tiles with little work", color=BLUE, bold=True)
    d.box(28, 200, 150, 44, "indices that fired", BLUE)
    d.arrow(180, 222, 258, 222)
    d.text(206, 212, "put", size=12)
    d.box(262, 200, 250, 44, "rows of bits by step", BLUE)
    d.arrow(514, 222, 622, 222)
    d.text(552, 212, "take", size=12)
    d.box(626, 200, 190, 44, "indices that arrive", BLUE)
    d.text(28, 284, "D is the longest delay. Nothing that waits is dropped.", size=12, color=MUTED)
    return d


def cycle_model() -> Drawing:
    """Draw the parts of an execution step on four tiles."""
    d = Drawing(
        960, 350, "Cycles of one execution step",
        "Four tiles exchange, synchronise, compute for different times, synchronise and exchange "
        "again. The busiest tile sets the length of each part. A tile's compute time is six times "
        "the largest sum of cycles of one of its six workers.",
    )  # fmt: skip
    d.text(28, 40, "One execution step on four tiles", size=16, bold=True)
    left, pitch = 110, 46
    for i, (before, busy, after) in enumerate(((70, 300, 60), (110, 190, 80), (40, 410, 30),
                                               (90, 240, 110))):  # fmt: skip
        y = 76 + pitch * i
        d.text(28, y + 20, f"tile {i}")
        d.bar(left, y, before, 28, BLUE)
        d.bar(left + 150, y, busy, 28, ORANGE)
        d.line(left + 150 + busy, y + 14, left + 560, y + 14, color=GREY, dashed=True)
        d.bar(left + 600, y, after, 28, BLUE)
    for x in (left + 110, left + 560):
        d.rect(x, 70, 40, 190, GREY)
        d.text(x + 20, 166, "sync", size=12, anchor="middle")
    d.text(left, 282, "exchange: most bytes", size=12, color=BLUE)
    d.text(left, 298, "of any tile", size=12, color=BLUE)
    d.text(left + 160, 282, "compute: 6 times the largest sum of a worker, plus multi-vertices;",
           size=12, color=ORANGE)  # fmt: skip
    d.text(left + 160, 298, "the slowest tile (here tile 2) sets the length, the others wait",
           size=12, color=ORANGE)  # fmt: skip
    d.text(left + 600, 282, "exchange: writes to", size=12, color=BLUE)
    d.text(left + 600, 298, "other tiles", size=12, color=BLUE)
    d.arrow(left, 322, 930, 322, color=INK)
    d.text(920, 340, "cycles", size=12, anchor="end")
    return d
