"""Recurrent layers: RNN, GRU and LSTM of ONNX, and PopART's own LSTM."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor

from .._native import popart_exception
from .registry import GRAPHCORE, Node, op

_FUNCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "Tanh": torch.tanh,
    "Sigmoid": torch.sigmoid,
    "Relu": torch.relu,
    "Gelu": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    "Swish": torch.nn.functional.silu,
}
_GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
_DEFAULTS = {
    "RNN": ["Tanh"],
    "GRU": ["Sigmoid", "Tanh"],
    "LSTM": ["Sigmoid", "Tanh", "Tanh"],
}
Step = Callable[[Tensor, Tensor, Tensor], "tuple[Tensor, Tensor]"]


def _activations(node: Node, direction: int) -> list[Callable[[Tensor], Tensor]]:
    default = _DEFAULTS[node.type]
    # Of several activations PopART's LSTM takes the first for the gates, the second for the cell.
    names = (node.get("activations") or default) + default
    names = [names[0], *([names[1]] * 2 if node.type == "LSTM" else names[1:2])]
    for name in names:
        if name not in _FUNCTIONS:
            raise popart_exception(
                f"Activation type '{name}' is not supported for {node.type} ({node.name}): "
                f"expected one of {', '.join(sorted(_FUNCTIONS))}"
            )
    return [_FUNCTIONS[name] for name in names[: len(default)]]


def _check(node: Node, size: int, peepholes: Any) -> None:
    """Refuse what PopART's own layers refuse."""
    kind, names = node.type, node.get("activations")
    where = f"{kind} ({node.name})"
    refused = ["activation_alpha", "activation_beta", "clip"]
    for name in (*refused, "activations") if kind == "GRU" else refused:
        if name in node.attributes:
            raise popart_exception(f"Attribute `{name}' of {where} is not supported")
    if kind != "GRU" and node.get("direction", "forward") != "forward":
        raise popart_exception(f"{where} only supports `forward' direction")
    if node.get("input_forget", 0):
        raise popart_exception(f"{kind}Op attribute `input_forget' must be set to 0")
    if kind == "RNN" and names is not None and len(names) != 1:
        raise popart_exception(f"{where} only supports 1 activation, {len(names)} were specified")
    if kind == "LSTM" and names is not None and len(names) not in (0, 1, 2, 3):
        raise popart_exception(
            f"Too many activations ({len(names)}) specified. Number of activations should be 1 "
            "or 3."
        )
    if kind == "LSTM" and peepholes is not None:
        raise popart_exception("Popart does not support peephole connections")
    wanted = node.get("hidden_size")
    if wanted is not None and wanted != size:
        raise popart_exception(
            f"{where}: attribute hidden_size ({wanted}) does not match that of the weights ({size})"
        )


def _lstm_step(w: Tensor, r: Tensor, b: Tensor, p: Tensor | None, f: Any) -> Step:
    """Return a step of ONNX's gates in the order input, output, forget, cell."""

    def step(x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        i, o, forget, cell = (x @ w.t() + h @ r.t() + b).chunk(4, -1)
        if p is not None:
            peep_i, peep_o, peep_f = p.chunk(3)
            i, forget = i + peep_i * c, forget + peep_f * c
        c = f[0](forget) * c + f[0](i) * f[1](cell)
        o = o if p is None else o + peep_o * c
        return f[0](o) * f[2](c), c

    return step


def _gru_step(w: Tensor, r: Tensor, b: Tensor, linear: int, f: Any) -> Step:
    """Return a step of ONNX's gates in the order update, reset, hidden."""
    size = r.shape[1]
    wb, rb = b.chunk(2)

    def step(x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        xs = x @ w.t() + wb
        z, reset = f[0](xs[:, : 2 * size] + h @ r[: 2 * size].t() + rb[: 2 * size]).chunk(2, -1)
        if linear:
            inner = reset * (h @ r[2 * size :].t() + rb[2 * size :])
        else:
            inner = (reset * h) @ r[2 * size :].t() + rb[2 * size :]
        hidden = f[1](xs[:, 2 * size :] + inner)
        return (1 - z) * hidden + z * h, c

    return step


def _rnn_step(w: Tensor, r: Tensor, b: Tensor, f: Any) -> Step:
    def step(x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        return f[0](x @ w.t() + h @ r.t() + b), c

    return step


def _run(step: Step, x: Tensor, h: Tensor, c: Tensor, lengths: Any) -> Any:
    """Return the outputs of all steps and the last states; a sequence's states stop at its end."""
    outputs = []
    for t, value in enumerate(x):
        new_h, new_c = step(value, h, c)
        if lengths is not None:
            alive = (t < lengths).unsqueeze(1)
            outputs.append(torch.where(alive, new_h, torch.zeros_like(new_h)))
            h, c = torch.where(alive, new_h, h), torch.where(alive, new_c, c)
        else:
            h, c = new_h, new_c
            outputs.append(h)
    return torch.stack(outputs), h, c


@op("RNN", "GRU", "LSTM")
def recurrent(
    node: Node,
    x: Tensor,
    w: Tensor,
    r: Tensor,
    bias: Tensor | None = None,
    lengths: Tensor | None = None,
    h: Tensor | None = None,
    c: Tensor | None = None,
    peepholes: Tensor | None = None,
) -> Any:
    """Run a layer over the steps of its input, in one or both directions."""
    kind, dtype = node.type, x.dtype
    x, w, r = x.float(), w.float(), r.float()
    directions, size = w.shape[0], r.shape[2]
    _check(node, size, peepholes)
    zeros = torch.zeros(directions, x.shape[1], size)
    bias = torch.zeros(directions, 2 * _GATES[kind] * size) if bias is None else bias.float()
    hs, cs = zeros if h is None else h.float(), zeros if c is None else c.float()
    all_outputs, last_h, last_c = [], [], []
    for d in range(directions):
        f = _activations(node, d)
        w_bias, r_bias = bias[d].chunk(2)
        if kind == "LSTM":
            peep = None if peepholes is None else peepholes[d].float()
            step = _lstm_step(w[d], r[d], w_bias + r_bias, peep, f)
        elif kind == "GRU":
            step = _gru_step(w[d], r[d], bias[d], node.get("linear_before_reset", 0), f)
        else:
            step = _rnn_step(w[d], r[d], w_bias + r_bias, f)
        backwards = d == 1 or node.get("direction", "forward") == "reverse"
        given = _turned(x, lengths) if backwards else x
        outputs, one_h, one_c = _run(step, given, hs[d], cs[d], lengths)
        all_outputs.append(_turned(outputs, lengths) if backwards else outputs)
        last_h.append(one_h)
        last_c.append(one_c)
    result = [torch.stack(all_outputs, 1), torch.stack(last_h)]
    if kind == "LSTM":
        result.append(torch.stack(last_c))
    return tuple(value.to(dtype) for value in result)


def _turned(x: Tensor, lengths: Tensor | None) -> Tensor:
    """Return sequences from their last step to the first."""
    if lengths is None:
        return x.flip(0)
    steps = torch.arange(x.shape[0]).unsqueeze(1)
    ends = lengths.long().unsqueeze(0)
    order = torch.where(steps < ends, ends - 1 - steps, steps)
    return x.gather(0, order.unsqueeze(-1).expand_as(x))


@op("LSTM", domains=GRAPHCORE)
def own_lstm(
    node: Node, x: Tensor, weights: Tensor, bias: Tensor | None = None, start: Any = None
) -> Any:
    """Run popnn's LSTM: gates forget, input, cell, output; return outputs and the last cell."""
    dtype = x.dtype
    value, inner = x.float(), weights.float()
    features, size = x.shape[2], weights.shape[2]
    w, r = inner[:, :features], inner[:, features:]
    b = torch.zeros(4, size) if bias is None else bias.float()
    zeros = torch.zeros(x.shape[1], size)
    h, c = (zeros, zeros) if start is None else (start[0].float(), start[1].float())
    outputs = []
    for given in value:
        f, i, cell, o = (given @ w[k] + h @ r[k] + b[k] for k in range(4))
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(cell)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    full = node.get("outputFullSequence", 1)
    return (torch.stack(outputs) if full else h).to(dtype), c.to(dtype)
