"""Needs of all kernels: compilation, launches, operators of torch, streams, graphs."""
