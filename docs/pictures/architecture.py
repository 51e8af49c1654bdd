"""The diagram of the architecture page: folders, and which of them may know which."""

from __future__ import annotations

from .svg import BLUE, GREEN, GREY, MUTED, ORANGE, Drawing


def architecture() -> Drawing:
    """Draw the packages as layers, from the user's modules to the chips."""
    d = Drawing(
        960, 430, "Folders and their dependencies",
        "Four rows. On top the user's side: nn modules, functional operators, training and data. "
        "Below them the dispatcher, which knows no engine. Below it three engines that register "
        "there: ipu, cuda and torch. The ipu engine stands on bindings, poplib and codelets, and "
        "these on Poplar's API, which an SDK or the emulator provides. The cuda engine stands on "
        "launchers, and these on CUDA kernels. The torch engine is the reference itself.",
    )  # fmt: skip
    d.text(28, 36, "python/popsnn", size=16, bold=True)
    d.box(28, 52, 210, 48, "nn, models, training\ndata, cli, profiling", GREY)
    d.box(258, 52, 210, 48, "spec.LayerSpec\none record of a layer", BLUE)
    d.box(488, 52, 210, 48, "functional\nthe reference", GREEN)
    d.box(718, 52, 210, 48, "parallel\nprocesses, time shards", GREY)
    d.box(28, 128, 900, 36, "dispatch: operators, and the backends that run them", BLUE)
    for x in (133, 593):
        d.arrow(x, 100, x, 126)
    d.box(28, 196, 440, 40, "engines: ipu_engine, poptorch_ops", ORANGE)
    d.box(488, 196, 210, 40, "engines: torch_engine", GREEN)
    d.box(718, 196, 210, 40, "engines: cuda_*", BLUE)
    for x in (248, 593, 823):
        d.arrow(x, 196, x, 166)
    d.box(28, 264, 210, 40, "python/bindings", ORANGE)
    d.box(258, 264, 210, 40, "poplib/popart", ORANGE)
    d.box(718, 264, 210, 40, "popsnn.cuda: launchers", BLUE)
    d.arrow(133, 236, 133, 262)
    d.arrow(363, 236, 363, 262)
    d.arrow(823, 236, 823, 262)
    d.box(28, 332, 210, 40, "poplib/src: plan, build, ops", ORANGE)
    d.box(258, 332, 210, 40, "codelets: IPU vertices", ORANGE)
    d.box(718, 332, 210, 72, "cuda/popsnn: kernels\n(headers without torch)", BLUE)
    d.arrow(133, 304, 133, 330)
    d.arrow(330, 304, 200, 330)
    d.arrow(238, 352, 256, 352)
    d.arrow(823, 304, 823, 330)
    d.box(28, 384, 440, 32, "Poplar's API: an SDK, or emulator/", GREY)
    d.arrow(133, 372, 133, 382)
    d.arrow(363, 372, 363, 382)
    d.text(488, 356, "An arrow points to what is used.", color=MUTED)
    d.text(488, 380, "Engines register at the dispatcher.", color=MUTED)
    return d
