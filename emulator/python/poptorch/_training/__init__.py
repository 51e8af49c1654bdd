"""Losses and the update of weights."""
