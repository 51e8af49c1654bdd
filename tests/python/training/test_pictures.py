from __future__ import annotations

import torch

from popsnn.training.pictures import one_of_each_class


def test_samples_are_of_different_classes() -> None:
    labels = torch.tensor([2, 2, 2, 0, 0, 1])
    assert one_of_each_class(labels, 3) == [3, 5, 0]
    assert one_of_each_class(labels, 5) == [3, 5, 0, 4, 1]
    assert one_of_each_class(labels, 99) == [3, 5, 0, 4, 1, 2]
