"""Earlier names of public attributes and arguments: they warn, and mean the same."""

from __future__ import annotations

import pytest
import torch
from tests.python.extensions.hand_written import ALIF

from popsnn import devices
from popsnn.data import SpikeDataset
from popsnn.devices import Device
from popsnn.engines import LayerStats
from popsnn.neurons import AdaptiveLIF
from popsnn.nn import SparseLI, SparseLIF, SparseNeurons
from popsnn.spikes import SpikeTensor


def test_a_devices_segment_is_its_checkpoint_interval() -> None:
    with pytest.warns(DeprecationWarning, match="^device: segment: expected checkpoint_interval"):
        assert Device(tiles=4, segment=5) == Device(tiles=4, checkpoint_interval=5)  # type: ignore[call-arg]
    with pytest.warns(DeprecationWarning, match="^device: segment: expected checkpoint_interval"):
        assert devices.parse("bow:segment=5") == devices.parse("bow:checkpoint_interval=5")
    with pytest.warns(DeprecationWarning, match="^Device: segment: expected checkpoint_interval"):
        assert Device(checkpoint_interval=5).segment == 5
    assert Device(checkpoint_interval=5).native()["segment"] == 5


@pytest.mark.parametrize("layer", [SparseLIF(2, 3), SparseLI(2, 3), SparseNeurons(2, 3, ALIF())])
def test_leaks_of_a_layer_are_its_decays(layer: SparseLIF) -> None:
    with pytest.warns(DeprecationWarning, match="leaks: expected decays, the present name"):
        assert layer.leaks == layer.decays
    with pytest.warns(DeprecationWarning, match="states_beside: expected other_states"):
        assert layer.states_beside == layer.other_states


def test_listed_neurons_of_a_layer_are_its_active_set() -> None:
    stats = LayerStats(3, 5, 0, 2, 10, 1, 1)
    assert stats.active == 5
    with pytest.warns(DeprecationWarning, match="^LayerStats: listed: expected active"):
        assert stats.listed == 5


def test_leaks_of_a_model_are_its_decays() -> None:
    with pytest.warns(DeprecationWarning, match="^Mine: leaks: expected decays"):
        mine = type("Mine", (ALIF,), {"leaks": ("rho",)})
    assert mine().decays == ("rho",)
    with pytest.warns(DeprecationWarning, match="^ALIF: leaks: expected decays"):
        assert ALIF().leaks == ALIF.decays


def test_the_alif_of_extensions_is_the_librarys_adaptive_lif() -> None:
    with pytest.warns(
        DeprecationWarning,
        match=r"^extensions.alif: ALIF: expected popsnn.neurons.AdaptiveLIF, the present name",
    ):
        from popsnn.extensions.alif import ALIF as earlier
    assert earlier is AdaptiveLIF
    with pytest.raises(ImportError, match="cannot import name 'LIF'"):
        from popsnn.extensions.alif import LIF  # type: ignore[attr-defined]  # noqa: F401


def test_the_share_of_a_batch_is_its_shard() -> None:
    dataset = SpikeDataset(SpikeTensor.from_dense(torch.ones(2, 6, 3)), torch.arange(6), 6)
    with pytest.warns(DeprecationWarning, match="^SpikeDataset.batches: share: expected shard"):
        (got,) = dataset.batches(6, share=(1, 2))
    assert got[1].tolist() == [1, 3, 5]
