"""Optimizers as one kernel over all parameters."""
