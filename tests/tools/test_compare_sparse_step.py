"""tools/compare_sparse_step.py: the table, and a tree without a Python of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import compare_sparse_step


def test_ratios_are_of_pairs() -> None:
    """The machine became three times as slow: the ratios are those of neighbours."""
    other = [(0.1, 0.2), (0.1, 0.2), (0.3, 0.6)]
    here = [(0.11, 0.1), (0.11, 0.1), (0.33, 0.3)]
    lines = compare_sparse_step.table(other, here).splitlines()
    assert lines[2] == "clock      ratio  1.100"
    assert lines[5] == "processor  ratio  0.500"
    assert lines[0].startswith("clock      other  least 0.1000 s")


def test_a_tree_without_python(tmp_path: Path) -> None:
    expected = r"compare_sparse_step: .*: expected \.venv/bin/python, got none"
    with pytest.raises(SystemExit, match=expected):
        compare_sparse_step.main([str(tmp_path)])
