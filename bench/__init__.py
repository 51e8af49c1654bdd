"""Benchmarks. ``python -m bench [suite ...]`` runs them and appends to ``bench/results/``."""
