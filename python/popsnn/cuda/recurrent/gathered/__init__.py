"""Recurrent layers that read at each step only the weights of neurons that are active."""
