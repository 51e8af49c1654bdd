"""Write the diagrams: ``python -m docs.pictures``."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Dict

from . import architecture, cuda, ipu, spikes, trust
from .svg import Drawing

IMAGES = Path(__file__).resolve().parents[1] / "images"
PICTURES: Dict[str, Callable[[], Drawing]] = {
    "architecture": architecture.architecture,
    "checkpoints": spikes.checkpoints,
    "compacted-spikes": spikes.compacted_spikes,
    "cuda-streams": cuda.cuda_streams,
    "cycle-model": ipu.cycle_model,
    "ipu-delays": ipu.ipu_delays,
    "ipu-patterns": ipu.ipu_patterns,
    "ipu-step": ipu.ipu_step,
    "recurrent-block": cuda.recurrent_block,
    "recurrent-gathered": cuda.recurrent_gathered,
    "recurrent-safety": cuda.recurrent_safety,
    "recurrent-strategies": cuda.recurrent_strategies,
    "temporal-fusion": spikes.temporal_fusion,
    "trust": trust.trust,
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (IMAGES / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")
