"""Neurons that are added from outside: each a codelet's header, its cycles and a Python class."""
