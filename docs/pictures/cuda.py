"""Diagrams of the cuda engine: streams of a step, strategies and blocks of recurrent layers."""

from __future__ import annotations

from .svg import BLUE, GREEN, GREY, MUTED, ORANGE, Drawing


def cuda_streams() -> Drawing:
    """Draw a captured training step in several streams."""
    d = Drawing(
        960, 380, "Streams of a captured training step",
        "Forward: the neurons of layer 1 run in two time chunks; while the second chunk runs, the "
        "product of layer 2 and its neurons process the first. Backward: layer_backward and the "
        "products of the spikes' gradients follow each other; the weights' gradients run in "
        "another stream.",
    )  # fmt: skip
    d.text(28, 38, "Forward pass", size=16, bold=True)
    d.text(28, 212, "Backward pass", size=16, bold=True)
    for y, name in ((56, "stream 0"), (112, "stream 1"), (230, "stream 0"), (286, "stream 1")):
        d.text(28, y + 26, name, color=MUTED)
    d.box(120, 56, 150, 42, "product 1,\nall steps", GREY, 12)
    d.box(274, 56, 150, 42, "neurons 1,\nchunk a", ORANGE, 12)
    d.box(428, 56, 150, 42, "neurons 1,\nchunk b", ORANGE, 12)
    d.box(428, 112, 74, 42, "product 2,\nchunk a", GREY, 12)
    d.box(506, 112, 150, 42, "neurons 2,\nchunk a", BLUE, 12)
    d.box(660, 112, 74, 42, "product 2,\nchunk b", GREY, 12)
    d.box(738, 112, 150, 42, "neurons 2,\nchunk b", BLUE, 12)
    d.arrow(390, 100, 426, 126)
    d.arrow(560, 100, 690, 110)
    d.text(596, 84, "spikes of a chunk, when it is ready", size=12, color=MUTED)
    d.line(28, 180, 932, 180, color=GREY)
    d.box(120, 230, 150, 42, "layer_backward 2", BLUE, 12)
    d.box(274, 230, 150, 42, "product: gradients\nof spikes 1", GREY, 12)
    d.box(428, 230, 150, 42, "layer_backward 1", ORANGE, 12)
    d.box(274, 286, 230, 42, "product: gradient of weights 2", GREEN, 12)
    d.box(582, 286, 230, 42, "product: gradient of weights 1", GREEN, 12)
    d.arrow(240, 274, 276, 296)
    d.arrow(560, 274, 584, 292)
    d.text(28, 360, "layer_backward is limited by memory, so it leaves the tensor cores to the "
           "products of the other stream.", size=12, color=MUTED)  # fmt: skip
    return d


def recurrent_strategies() -> Drawing:
    """Draw where the weights of a recurrent layer are, and how spikes travel."""
    d = Drawing(
        960, 360, "Strategies of recurrent kernels",
        "Cluster: the blocks of a cluster hold the weights in registers and write spikes into each "
        "other's shared memory. Whole GPU: all blocks hold the weights in registers and publish "
        "messages in the L2 cache. Streamed: blocks read the weights from memory at each step and "
        "exchange partial sums and spikes through L2.",
    )  # fmt: skip
    for x, title, note in ((28, "Cluster", "up to 1024 neurons, bfloat16"),
                           (340, "Whole GPU", "up to 3072 neurons, bfloat16"),
                           (652, "Streamed", "any number of neurons, float32 too")):  # fmt: skip
        d.text(x, 38, title, size=16, bold=True)
        d.text(x, 58, note, size=12, color=MUTED)
    for i in range(2):
        for j in range(2):
            d.box(36 + 150 * i, 84 + 116 * j, 110, 66, "block:\nweights in\nregisters", ORANGE, 12)
    for y in (117, 233):
        d.arrow(150, y - 8, 182, y - 8, color=BLUE)
        d.arrow(182, y + 8, 150, y + 8, color=BLUE)
    for x in (91, 241):
        d.arrow(x - 8, 154, x - 8, 196, color=BLUE)
        d.arrow(x + 8, 196, x + 8, 154, color=BLUE)
    d.text(36, 296, "spikes: shared memory", size=12, color=BLUE)
    d.text(36, 312, "of the other blocks", size=12, color=BLUE)
    d.text(36, 336, "a cluster waits for no other cluster", size=12, color=MUTED)
    for i in range(3):
        x = 344 + 92 * i
        d.box(x, 84, 82, 66, "block:\nweights in\nregisters", ORANGE, 12)
        d.arrow(x + 28, 154, x + 28, 214, color=BLUE)
        d.arrow(x + 54, 214, x + 54, 154, color=BLUE)
    d.box(344, 218, 266, 44, "L2: one message for each block,\nstep and group of samples", BLUE, 12)
    d.text(344, 296, "a receiver polls its messages;", size=12, color=BLUE)
    d.text(344, 312, "no barrier over the GPU", size=12, color=BLUE)
    for i in range(3):
        x = 656 + 92 * i
        d.box(x, 84, 82, 66, "block:\ntile of\nneurons", ORANGE, 12)
        d.arrow(x + 28, 154, x + 28, 214, color=BLUE)
        d.arrow(x + 54, 214, x + 54, 154, color=GREEN)
    d.box(656, 218, 266, 44, "memory and L2: weights,\npartial sums, spikes", GREY, 12)
    d.text(656, 296, "weights of the next step", size=12, color=GREEN)
    d.text(656, 312, "arrive during the wait", size=12, color=GREEN)
    d.text(656, 336, "two waits a step: team, all blocks", size=12, color=BLUE)
    return d


def recurrent_gathered() -> Drawing:
    """Draw a time step of a layer that gathers the weights of active neurons."""
    d = Drawing(
        960, 380, "One time step by spikes, forward",
        "Each block publishes in the L2 cache a word for each of its neurons that fired, with the "
        "neuron, the samples and a tag of the time step. The warps of a block poll these words, "
        "copy the weights of the neurons they name from memory to shared memory, and multiply them "
        "on tensor cores. The warps' sums meet in shared memory, the block steps its neurons and "
        "publishes those that fired.",
    )  # fmt: skip
    d.text(28, 38, "One time step of a block, forward", size=16, bold=True)
    d.box(28, 66, 176, 104, "L2: spikes of all blocks,\nstep t - 1; a word is\n"
          "tag, neuron, samples", BLUE, 12)  # fmt: skip
    d.text(28, 206, "weights by source", size=12, bold=True)
    for row in range(12):
        fired = row in (2, 3, 8)
        d.bar(28, 216 + 9 * row, 176, 7, ORANGE if fired else "#e2e8f0")
    d.text(28, 342, "only the rows of neurons that", size=12, color=ORANGE)
    d.text(28, 358, "fired in any sample are read", size=12, color=ORANGE)
    d.rect(262, 58, 480, 266, GREY)
    for i in range(3):
        y = 74 + 80 * i
        d.box(282, y, 176, 62, "warp: polls some blocks,\ncopies 16 rows together,\ntensor cores",
              ORANGE, 12)  # fmt: skip
        d.arrow(460, y + 31, 500, 176 + 10 * i)
        d.arrow(206, 110 + 14 * i, 278, y + 20, color=BLUE)
        d.arrow(206, 238 + 18 * i, 278, y + 44, color=ORANGE)
    d.box(504, 150, 92, 84, "sums of the\nwarps, in\nshared\nmemory", GREY, 12)
    d.box(632, 150, 94, 84, "threads step\nthe block's\nneurons", GREEN, 12)
    d.box(790, 140, 142, 104, "L2: spikes of\nthis block, step t;\na word for each\n"
          "neuron that fired", BLUE, 12)  # fmt: skip
    d.arrow(598, 192, 628, 192)
    d.arrow(728, 192, 786, 192)
    d.text(746, 132, "publish", size=12)
    d.text(262, 352, "No barrier over the blocks: the tag of a word says of which time step it is.",
           size=12, color=MUTED)  # fmt: skip
    return d


def recurrent_block() -> Drawing:
    """Draw the roles of the warps of one block that holds its weights in registers."""
    d = Drawing(
        960, 330, "One block of the whole-GPU strategy",
        "Messages of all blocks arrive in L2. Twelve product warps hold the weights from all "
        "neurons to the block's 24 neurons in registers and multiply them by the messages. Their "
        "sums go through shared memory to three neuron warps, which step the neurons and publish "
        "24 bits for each sample. While one group of samples waits, another is computed.",
    )  # fmt: skip
    d.text(28, 38, "One block, forward", size=16, bold=True)
    d.rect(196, 60, 560, 186, GREY)
    d.box(28, 100, 130, 100, "L2:\nmessages of\nall blocks,\nstep t - 1", BLUE, 12)
    d.box(216, 86, 190, 128, "12 product warps:\nweights in registers,\n24 neurons of all\n"
          "senders", ORANGE, 12)  # fmt: skip
    d.box(446, 106, 110, 88, "sums in\nshared memory", GREY, 12)
    d.box(596, 86, 140, 128, "3 neuron warps:\nstep 24 neurons,\nstates in float32", GREEN, 12)
    d.box(800, 100, 132, 100, "L2: message of\nthis block,\n24 bits for each\nsample, step t",
          BLUE, 12)  # fmt: skip
    for x0, x1 in ((160, 212), (408, 442), (558, 592), (738, 796)):
        d.arrow(x0, 150, x1, 150)
    d.text(162, 140, "poll", size=12)
    d.text(752, 140, "publish", size=12)
    d.text(28, 280, "Groups of 16 samples alternate: while the messages of one group travel, the "
           "block works on another group.", size=12, color=MUTED)  # fmt: skip
    d.text(28, 302, "Backward, two blocks form a pair: each reads half of the messages, and sends "
           "the other block its sums.", size=12, color=MUTED)  # fmt: skip
    return d


def recurrent_safety() -> Drawing:
    """Draw what ends a call whose messages never arrive."""
    d = Drawing(
        960, 250, "End of every wait",
        "The cooperative launch starts all blocks or none; a GPU with too little room is refused. "
        "A running block polls for a message. Where it has not arrived after four seconds, the "
        "kernel aborts with NaN and writes a word to host memory, which the next call raises as "
        "an error.",
    )  # fmt: skip
    d.box(28, 60, 150, 56, "cooperative launch:\nall blocks or none", GREY, 12)
    d.box(28, 166, 150, 50, "error: GPU has\ntoo little room", ORANGE, 12)
    d.box(250, 60, 150, 56, "block polls for\na message", BLUE, 12)
    d.box(480, 60, 150, 56, "next step", GREEN, 12)
    d.box(480, 166, 190, 50, "abort: results NaN,\na word in host memory", ORANGE, 12)
    d.box(760, 166, 172, 50, "next call raises\nthe error", ORANGE, 12)
    d.arrow(180, 88, 246, 88)
    d.text(190, 80, "room", size=12)
    d.arrow(103, 118, 103, 162)
    d.text(110, 144, "no room", size=12)
    d.arrow(402, 88, 476, 88)
    d.text(412, 80, "arrived", size=12)
    d.arrow(340, 118, 340, 192, 476, 192)
    d.text(350, 150, "4 s without a message", size=12)
    d.arrow(672, 192, 756, 192)
    d.arrow(555, 58, 555, 36, 325, 36, 325, 56, color=GREEN)
    d.text(400, 28, "T steps", size=12, color=MUTED)
    return d
