"""The operations of a model: their graph, its blocks, and tensors by name."""
