"""Batch normalisation joined with LIF neurons."""
