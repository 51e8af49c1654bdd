"""Operators as functions of torch tensors."""
