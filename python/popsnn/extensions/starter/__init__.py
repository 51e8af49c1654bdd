"""The files that `popsnn neuron new` writes under another name."""
