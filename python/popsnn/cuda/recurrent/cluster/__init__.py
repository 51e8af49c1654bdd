"""Recurrent layers of up to 1024 neurons, each cluster of blocks with all weights."""
