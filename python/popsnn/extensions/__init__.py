"""The module that `popsnn neuron new` writes a copy of, and an earlier place of a neuron."""
