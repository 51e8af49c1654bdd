"""Layers of networks: products and neurons over all time steps, with capacities."""
