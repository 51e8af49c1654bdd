"""Elementwise neurons: the whole time axis of a layer in one kernel."""
