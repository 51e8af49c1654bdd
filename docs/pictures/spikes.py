"""Diagrams of compacted spikes and of time: active set, checkpoints, temporal fusion."""

from __future__ import annotations

from .svg import BLUE, GREEN, GREY, INK, MUTED, ORANGE, Drawing

MEMBRANES = (
    0.2, 0.1, 0.35, 1.2, 0.5, 0.8, 0.15, 0.3, 0.55, 1.1, 0.25, 0.4, 0.9, 0.1, 0.45, 0.6, 0.3, 1.35,
    0.2, 0.5, 0.75, 0.35, 0.1, 0.4,
)  # fmt: skip
THRESHOLD, GRADIENT_THRESHOLD = 1.0, 0.7


def compacted_spikes() -> Drawing:
    """Draw the membranes of a step and the active sets of two capacities."""
    d = Drawing(
        960, 356, "Active set of one step",
        "Membranes of 24 neurons. Neurons 3, 9 and 17 reach the threshold and fired. Neurons 5, 12 "
        "and 20 lie between the two thresholds and are subthreshold-active. With a capacity of 8 "
        "all six are kept. With a capacity of 4 and a cyclic order that starts at neuron 7, the "
        "three fired neurons and neuron 12 are kept; neurons 20 and 5 are dropped.",
    )  # fmt: skip
    d.text(28, 36, "Membranes of one step, 24 neurons", size=16, bold=True)
    left, base, scale, pitch = 40, 250, 130, 19
    fired = [i for i, v in enumerate(MEMBRANES) if v >= THRESHOLD]
    near = [i for i, v in enumerate(MEMBRANES) if GRADIENT_THRESHOLD <= v < THRESHOLD]
    for i, v in enumerate(MEMBRANES):
        color = ORANGE if i in fired else BLUE if i in near else GREY
        d.bar(left + i * pitch, base - scale * v, pitch - 6, scale * v, color)
        if color != GREY:
            d.text(left + i * pitch + 6, base + 18, str(i), size=12, color=color, anchor="middle")
    right = left + len(MEMBRANES) * pitch
    for level, name in ((THRESHOLD, "threshold"), (GRADIENT_THRESHOLD, "grad_threshold")):
        d.line(left - 6, base - scale * level, right, base - scale * level, dashed=True)
        d.text(right + 4, base - scale * level + 4, name, size=12)
    d.line(left - 6, base, right, base)
    for x, color, text in ((28, ORANGE, "fired"), (110, BLUE, "subthreshold-active")):
        d.bar(x, 288, 12, 12, color)
        d.text(x + 18, 299, text)
    d.bar(28, 314, 12, 12, GREY)
    d.text(46, 325, "outside of the active set: nothing is sent")

    x = 612
    d.text(x, 66, "Capacity S = 8", bold=True)
    _ids(d, x, 80, fired, near, 8)
    d.text(x, 140, "counts = 3 fired, 6 in the active set", size=12, color=MUTED)
    d.text(x, 158, "dropped = 0, 0", size=12, color=MUTED)
    d.text(x, 226, "Capacity S = 4, cyclic order from neuron 7", bold=True)
    _ids(d, x, 240, fired, [12], 4)
    d.text(x, 300, "1. fired neurons: 9, 17, 3", size=12, color=MUTED)
    d.text(x, 318, "2. subthreshold-active: 12 is kept", size=12, color=MUTED)
    d.text(x, 336, "counts = 3, 4; dropped = 0, 2 (20 and 5)", size=12, color=MUTED)
    return d


def _ids(d: Drawing, x: float, y: float, fired: list[int], near: list[int], size: int) -> None:
    for i in range(size):
        part = (ORANGE, fired[i]) if i < len(fired) else None
        if part is None and i - len(fired) < len(near):
            part = (BLUE, near[i - len(fired)])
        color, value = part or (GREY, 0)
        d.box(x + 36 * i, y, 34, 34, str(value), color)


def checkpoints() -> Drawing:
    """Draw a pass of nine steps in three checkpoint intervals."""
    d = Drawing(
        960, 330, "Checkpoint intervals",
        "Nine steps in three checkpoint intervals. The forward pass saves a checkpoint before the "
        "second and the third interval, and the states of the third. The backward pass runs "
        "through the third interval, recomputes the second from its checkpoint and runs through "
        "it, and then does the same with the first.",
    )  # fmt: skip
    left, width = 190, 78
    rows = ((70, "forward pass"), (150, "3. interval, backward"), (200, "2. interval"),
            (250, "1. interval"))  # fmt: skip
    for y, name in rows:
        d.text(28, y + 19, name, bold=y == 70)
    for t in range(9):
        saved = t >= 6
        d.box(left + width * t, 70, width - 8, 30, f"t = {t}", GREEN if saved else GREY, 12)
    for t in (0, 3, 6):
        x = left + width * t - 5
        d.line(x, 52, x, 290, color=ORANGE, dashed=True)
    for t, text in ((0, "initial state"), (3, "checkpoint"), (6, "checkpoint")):
        d.text(left + width * t, 46, text, size=12, color=ORANGE)
    d.text(left + width * 6, 120, "states saved for every step", size=12, color=GREEN)
    _back(d, left + width * 6, 150, width)
    for first, y in ((3, 200), (0, 250)):
        x = left + width * first
        d.arrow(x, y + 7, x + 3 * width - 12, y + 7, color=GREEN)
        d.text(x + 3 * width + 8, y + 11, "recompute the states", size=12, color=GREEN)
        _back(d, x, y + 14, width)
    d.text(28, 312, "Spike indices of all steps stay in the history: nothing is compacted twice.",
           size=12, color=MUTED)  # fmt: skip
    return d


def _back(d: Drawing, x: float, y: float, width: float) -> None:
    d.arrow(x + 3 * width - 12, y + 15, x, y + 15, color=BLUE)
    d.text(x + 3 * width + 8 if x < 600 else x + 40, y + (19 if x < 600 else 8),
           "backward pass", size=12, color=BLUE)  # fmt: skip


def temporal_fusion() -> Drawing:
    """Draw a loop over steps and one kernel, with the traffic of device memory."""
    d = Drawing(
        960, 340, "Loop over steps and fused kernel",
        "Left: each step is a kernel that reads the input and the state from device memory and "
        "writes spikes and the state back. Right: one kernel keeps the state in registers over "
        "all steps, and reads the input and writes spikes alone.",
    )  # fmt: skip
    for x, title in ((28, "Loop over steps: a kernel for each operation"),
                     (510, "Temporal fusion: one kernel")):  # fmt: skip
        d.text(x, 36, title, size=16, bold=True)
        d.rect(x, 260, 420, 40, GREY)
        d.text(x + 210, 285, "device memory", anchor="middle")
    for i in range(3):
        x = 40 + 140 * i
        d.box(x, 100, 110, 60, f"step {i}", ORANGE)
        for dx, text, up in ((14, "x", True), (42, "v", True), (68, "s", False), (96, "v", False)):
            ends = (258, 164) if up else (162, 256)
            color = INK if text in "xs" else ORANGE
            d.arrow(x + dx, ends[0], x + dx, ends[1], color=color)
            d.text(x + dx + 4, 216, text, size=12, color=color)
    d.text(28, 326, "The state v crosses device memory twice at each step.", size=12, color=MUTED)
    d.rect(522, 70, 396, 110, ORANGE)
    d.text(534, 92, "thread: some neurons, all steps", size=12)
    for i in range(3):
        x = 540 + 134 * i
        d.box(x, 110, 96, 50, f"step {i}", GREY)
        if i < 2:
            d.arrow(x + 98, 135, x + 132, 135, color=ORANGE)
            d.text(x + 110, 128, "v", size=12, color=ORANGE)
        d.arrow(x + 24, 258, x + 24, 164)
        d.text(x + 28, 216, "x", size=12)
        d.arrow(x + 72, 162, x + 72, 256)
        d.text(x + 76, 216, "s", size=12)
    d.text(510, 326, "v stays in registers; a checkpoint of v leaves every 32 steps.",
           size=12, color=MUTED)  # fmt: skip
    return d
