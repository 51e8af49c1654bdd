"""popnn: recurrent layers, LSTM and GRU, with their gradients, against torch in float64."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, List

import numpy as np
import pytest
import torch
from tests.emulator.library_tool import Results, run_program

LSTM_ORDERS = {"order": ["output", "candidate", "forget", "input"]}
GRU_ORDERS = {
    "order": ["candidate", "reset", "update"],
    "after attended": ["candidate", "reset", "update"],
}


@pytest.fixture(scope="module")
def results(program_folder: Path) -> Results:
    return run_program("popnn/recurrent", program_folder)


def leaves(case: Dict[str, np.ndarray]) -> Dict[str, torch.Tensor]:
    return {
        name: torch.tensor(case[name].astype(np.float64), requires_grad=True)
        for name in ("in", "h0", "c0", "wi", "wo", "b", "attention")
        if name in case
    }


def masks(case: Dict[str, np.ndarray], steps: int) -> List[torch.Tensor]:
    """Of each step, which samples have it: [B, 1]."""
    samples = case["in"].shape[1]
    limits = np.broadcast_to(case.get("steps", np.array([steps])), samples)
    return [torch.tensor(step < limits)[:, None] for step in range(steps)]


def close(case: Dict[str, np.ndarray], expected: Dict[str, torch.Tensor], half: bool) -> None:
    tolerance = 2e-2 if half else 2e-5
    for name, value in expected.items():
        got = case[name]
        assert got.shape == tuple(value.shape), name
        np.testing.assert_allclose(
            got, value.detach().numpy(), rtol=tolerance, atol=tolerance, err_msg=name
        )


LSTMS = [
    *("plain", "last", "half", "varying", "latched", "preserved", "one", "order", "sharded"),
    "relu",
]


@pytest.mark.parametrize("name", LSTMS)
def test_lstm(results: Results, name: str) -> None:
    case = results[f"lstm {name}"]
    t = leaves(case)
    order = LSTM_ORDERS.get(name, ["forget", "input", "candidate", "output"])
    activation = torch.relu if name == "relu" else torch.tanh
    h, cell = t["h0"], t["c0"]
    full = name not in ("last", "latched")
    outputs, limited = [], "steps" in case
    for x, has in zip(t["in"], masks(case, len(t["in"]))):
        if not has.any():  # no step after that of the longest sample runs
            outputs.append(torch.zeros_like(h))
            continue
        units = {unit: x @ t["wi"][i] + h @ t["wo"][i] + t["b"][i] for i, unit in enumerate(order)}
        gates = {
            unit: activation(u) if unit == "candidate" else torch.sigmoid(u)
            for unit, u in units.items()
        }
        new_cell = gates["forget"] * cell + gates["input"] * gates["candidate"]
        new_h = gates["output"] * activation(new_cell)
        kept = cell if name == "preserved" else torch.zeros_like(cell)
        h, cell = torch.where(has, new_h, torch.zeros_like(h)), torch.where(has, new_cell, kept)
        outputs.append(h)
    out = torch.stack(outputs) if full else h
    close(case, {"out": out, "inference": out, "cell": cell}, name == "half")

    gradient = torch.tensor(case["gradient"].astype(np.float64))
    if full:
        loss = (out * gradient).sum()
    else:  # each sample's output at its own last step, as poplibs' backward pass has it
        h, cell, loss = t["h0"], t["c0"], torch.zeros(())
        for x, has in zip(t["in"], masks(case, len(t["in"]))):
            units = [x @ t["wi"][i] + h @ t["wo"][i] + t["b"][i] for i in range(4)]
            forget, enter, output = (torch.sigmoid(units[i]) for i in (0, 1, 3))
            new_cell = forget * cell + enter * torch.tanh(units[2])
            h = torch.where(has, output * torch.tanh(new_cell), h)
            cell = torch.where(has, new_cell, cell)
        loss = (h * gradient).sum()
    if not limited:
        loss = loss + (h * torch.tensor(case["dh"].astype(np.float64))).sum()
        loss = loss + (cell * torch.tensor(case["dc"].astype(np.float64))).sum()
    loss.backward()
    gradients = {"in": "d_in", "h0": "dh0", "c0": "dc0", "wi": "d_wi", "wo": "d_wo", "b": "d_b"}
    expected = {theirs: t[ours].grad for ours, theirs in gradients.items()}
    expected.update({"dh0 alone": t["h0"].grad, "d_wo alone": t["wo"].grad})
    close(case, expected, name == "half")


GRUS = [
    *("plain", "last", "half", "varying", "latched", "one", "order", "sharded", "after"),
    *("attended", "after attended", "real"),
]


@pytest.mark.parametrize("name", GRUS)
def test_gru(results: Results, name: str) -> None:
    case = results[f"gru {name}"]
    t = leaves(case)
    order = GRU_ORDERS.get(name, ["reset", "update", "candidate"])
    at = {unit: i for i, unit in enumerate(order)}
    after, full = "after" in name, name not in ("last", "latched", "after")
    h, outputs = t["h0"], []
    wi, wo, b = t["wi"], t["wo"], t["b"]
    for step, (x, has) in enumerate(zip(t["in"], masks(case, len(t["in"])))):
        from_in = {unit: x @ wi[i] + (b[i, 0] if after else b[i]) for unit, i in at.items()}
        from_h = {unit: h @ wo[i] + (b[i, 1] if after else 0) for unit, i in at.items()}
        reset = torch.sigmoid(from_in["reset"] + from_h["reset"])
        update = torch.sigmoid(from_in["update"] + from_h["update"])
        if "attention" in t:
            update = update * (1 - t["attention"][:, step, None])
        recurrence = reset * from_h["candidate"] if after else (reset * h) @ wo[at["candidate"]]
        candidate = torch.tanh(from_in["candidate"] + recurrence)
        h = torch.where(has, update * h + (1 - update) * candidate, h)
        outputs.append(torch.where(has, h, torch.zeros_like(h)))
    out = torch.stack(outputs) if full else h
    (out * torch.tensor(case["gradient"].astype(np.float64))).sum().backward()
    expected = {"out": out, "d_in": t["in"].grad, "dh0": t["h0"].grad}
    expected.update({"d_wi": wi.grad, "d_wo": wo.grad, "d_b": b.grad})
    if "attention" in t:
        expected["d_attention"] = t["attention"].grad
    if "inference" in case:
        expected["inference"] = out
    close(case, expected, name == "half")


@pytest.mark.parametrize("name", ["float", "half", "steps"])
def test_recurrent_layer(results: Results, name: str) -> None:
    case = results[f"vanilla {name}"]
    t = leaves(case)
    h, outputs = t["h0"], []
    for x in t["in"]:
        h = torch.tanh(x @ t["wi"] + h @ t["wo"] + t["b"])
        outputs.append(h)
    out = torch.stack(outputs)
    gradient = torch.tensor(case["gradient"].astype(np.float64)).transpose(0, 1)
    (out * gradient).sum().backward()
    expected = {"out": out, "d_in": t["in"].grad, "d_wi": t["wi"].grad, "d_wo": t["wo"].grad}
    expected["d_b"] = t["b"].grad
    if name == "steps":
        expected["sequence"] = out
    close(case, expected, name == "half")


@pytest.mark.parametrize(
    ("name", "shards"),
    [
        *(("forward", 1), ("reverse", 1), ("shards", 3), ("reverse shards", 3), ("varying", 2)),
        *(("reverse varying", 3), ("one", 2)),
    ],
)
def test_custom_cells(results: Results, name: str, shards: int) -> None:
    c = results[f"rnn {name}"]
    reverse = "reverse" in name or name == "one"
    limits = np.broadcast_to(c.get("steps", np.array([7])), 2)
    h, count = c["h0"][0].copy(), 0
    states = np.zeros((7, 2, 3), np.float32)
    steps = range(int(limits.max()))
    for step in reversed(steps) if reverse else steps:
        h = h + c["in"][step] * (step < limits)[:, None]
        states[step] = h
        count = count * 10 + step
    np.testing.assert_allclose(c["last"], h[None], rtol=1e-6)
    np.testing.assert_allclose(c["states"], states, rtol=1e-6)
    np.testing.assert_allclose(c["doubled"], np.repeat(states, 2, axis=0), rtol=1e-6)
    np.testing.assert_allclose(c["sums"], states.sum(2), rtol=1e-5, atol=1e-5)
    assert c["count_after"] == [count]
    assert c["calls"].tolist() == [shards, 1]
    np.testing.assert_array_equal(c["shifted"], np.concatenate([c["h0"], c["in"][:-1]]))


@pytest.mark.parametrize(
    "name", ["every", "two", "three of shards", "all", "one", "one in a group"]
)
def test_gathered_steps(results: Results, name: str) -> None:
    c = results[f"gather {name}"]
    h, total = c["h0"][0].astype(np.float64), np.zeros((2, 3))
    for step in reversed(range(int(c.get("steps", np.array([7]))[0]))):
        h = (h + c["in"][step]) * c["interim"][step]
        total += h * c["other"][step]
    np.testing.assert_allclose(c["last"][0], h, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(c["total"], total, rtol=1e-5, atol=1e-6)


def test_misuse_is_told_in_a_sentence(results: Results) -> None:
    errors = results.errors
    assert errors["steps"] == "Invalid RNN timeSteps tensor (size != batchSize) && (size != 1)"
    assert errors["rank"] == "Invalid RNN timeSteps tensor (rank != 1)"
    assert errors["layers"] == "Invalid LSTM params (layerSize != 2)"
    assert "LSTM numShards must be within interval [1," in str(errors["shards"])
    assert errors["full"] == "Unhandled recomputation type"
    assert "The inputGradSeq argument should be null if and only if" in str(errors["gradient"])
    assert errors["last output"] == ("The outputFullSequence should be true if realTimeSteps given")
