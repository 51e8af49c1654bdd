"""The diagram of the trust page: promises, their tests, and what shows that the tests see."""

from __future__ import annotations

from .svg import BLUE, GREEN, MUTED, ORANGE, Drawing

ROWS = (
    ("Numbers agree with\nthe documentation", "fuzzers: random cases\nagainst float64 references",
     "150 faults put into\nthe references"),
    ("Results are the same bits\non any tiles, threads, chunks", "equality of all bits,\n"
     "property tests", "each mended fault failed\nits test before"),
    ("An input gets its gradient,\nor the call fails", "every operator,\nevery input, every engine",
     "a search for every autograd\nfunction of the package"),
    ("A mistake is one sentence", "damaged files, limits,\nnulls, bad options",
     "a fuzzer that crashes, loops\nand fails on purpose"),
    ("A killed run continues\nwith the same bits", "crash campaign:\nSIGKILL at any moment",
     "faults put into\nsaving and resuming"),
    ("No invalid access,\nno data race", "sanitizers, memcheck,\nracecheck, vector clocks",
     "kernels with a\nbarrier removed"),
)  # fmt: skip


def trust() -> Drawing:
    """Draw a row for each promise: the promise, its test, and the check of the test."""
    described = "; ".join(
        f"{promise}: {test}; checked by {check}".replace("\n", " ") for promise, test, check in ROWS
    )
    d = Drawing(
        960, 66 + 62 * len(ROWS) + 14, "Promises, tests, and checks of the tests", f"{described}."
    )
    for x, title in ((28, "Promise"), (352, "Test"), (676, "Check of the test")):
        d.text(x, 38, title, size=16, bold=True)
    d.text(396, 38, "a sample in make test, hours by hand", size=12, color=MUTED)
    for i, (promise, test, check) in enumerate(ROWS):
        y = 58 + 62 * i
        d.box(28, y, 256, 48, promise, GREEN)
        d.box(352, y, 256, 48, test, BLUE)
        d.box(676, y, 256, 48, check, ORANGE)
        d.arrow(284, y + 24, 350, y + 24)
        d.arrow(674, y + 24, 610, y + 24)
    return d
