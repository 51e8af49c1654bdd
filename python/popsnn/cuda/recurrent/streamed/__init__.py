"""Recurrent layers that read their weights at every time step."""
