from __future__ import annotations

from typing import Any

import pytest
import torch

from popsnn import functional
from popsnn._internal.dispatch import Implementation, Operator
from popsnn.functional._scan import SCAN


class Doubler(Implementation):
    def __init__(self, **answers: Any) -> None:
        self.answers = answers

    def unavailable(self) -> str | None:
        return self.answers.get("unavailable")

    def suits(self, *call: Any, **options: Any) -> bool:
        return bool(self.answers.get("suits", True))

    def unsupported(self, number: int, *, sign: int) -> str | None:
        return None if number < 10 else f"{number} is more than 9"

    def run(self, number: int, *, sign: int) -> tuple[str, int]:
        return "kernel", sign * 2 * number


def operator(**answers: Any) -> Operator:
    made = Operator(lambda number, *, sign: ("reference", sign * 2 * number))
    made.register("cuda", Doubler(**answers))
    return made


def test_auto_takes_the_first_backend_that_can() -> None:
    assert operator().run("double", "auto", 4, sign=-1) == ("kernel", -8)
    assert operator().run("double", "auto", 12, sign=1) == ("reference", 24)
    assert operator(suits=False).run("double", "auto", 4, sign=1) == ("reference", 8)
    assert operator(unavailable="no GPU").run("double", "auto", 4, sign=1) == ("reference", 8)


def test_backends_are_preferred_in_an_order_of_their_own() -> None:
    made = Operator(lambda: "torch")
    for name in ("cuda", "ipu"):  # as they come
        implementation = Implementation()
        implementation.run = lambda name=name: name  # type: ignore[method-assign, misc]
        made.register(name, implementation)
    assert made.run("it", "auto") == "ipu"
    assert made.run("it", "cuda") == "cuda"
    assert made.run("it", "torch") == "torch"


def test_a_named_backend_runs_or_says_why_not() -> None:
    assert operator(suits=False).run("double", "cuda", 4, sign=1) == ("kernel", 8)
    assert operator().run("double", "torch", 4, sign=1) == ("reference", 8)
    with pytest.raises(
        RuntimeError, match=r"^double: backend 'cuda' cannot run this: 12 is more than 9$"
    ):
        operator().run("double", "cuda", 12, sign=1)
    with pytest.raises(RuntimeError, match=r"^double: backend 'cuda' is not available: no GPU$"):
        operator(unavailable="no GPU").run("double", "cuda", 4, sign=1)
    with pytest.raises(
        ValueError, match=r"^double: backend: expected one of auto, torch, cuda, got 'ipu'$"
    ):
        operator().run("double", "ipu", 4, sign=1)


def test_functions_ask_for_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kernels(Implementation):
        def unsupported(self, *call: Any, surrogate: Any, smooth: bool, **_: Any) -> str | None:
            return "it is smooth" if smooth else None

        def run(self, neuron: Any, current: torch.Tensor, *_: Any, **__: Any) -> Any:
            return functional.ScanOutput(current + 100, None, ())

    monkeypatch.setattr(SCAN, "_named", dict(SCAN._named))
    monkeypatch.setattr(SCAN, "_preferred", list(SCAN._preferred))
    SCAN.register("cuda", Kernels())
    current = torch.zeros(2, 1, 3)
    assert float(functional.lif(current).spikes.max()) == 100
    assert float(functional.lif(current, smooth=True).spikes.max()) < 1
    assert float(functional.lif(current, backend="torch").spikes.max()) == 0
