from __future__ import annotations

from dataclasses import replace

import pytest
from bench.convert.models import TUTORIALS

from bench import convert, gpu


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda tutorial: tutorial.package)
def test_a_tutorial_is_measured_next_to_its_conversion(
    tutorial: convert.Tutorial, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(tutorial.package)
    shape = list(tutorial.shape)
    shape[tutorial.batch] = 2
    monkeypatch.setattr(convert, "TUTORIALS", [replace(tutorial, shape=tuple(shape))])
    monkeypatch.setattr(convert, "RUNS", 1)
    monkeypatch.setattr(gpu, "calibrated", lambda step: gpu.milliseconds(step, 1, 0))
    theirs, ours = convert.run()
    assert theirs.subject.startswith(tutorial.package)
    assert ours.subject in ("popsnn-cuda", "popsnn-torch")
    assert ours.max_rel_error is not None
    assert ours.max_rel_error < 1e-3
    assert ours.median > 0 < theirs.median


def test_a_conversion_that_differs_is_no_row() -> None:
    tutorial = TUTORIALS[1]
    pytest.importorskip(tutorial.package)
    theirs = tutorial.make()
    ours = tutorial.convert(theirs, tutorial.example(convert.torch.float32, "cpu", 2)[0])
    ours.get_parameter("1.weight").data += 1
    with pytest.raises(RuntimeError, match="convert: spikingjelly: expected equal results in tor"):
        convert.check(tutorial, theirs, ours)
