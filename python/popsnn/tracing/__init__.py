"""Tracing: one time step of a neuron, written in torch, as expressions, derivatives and C++."""
