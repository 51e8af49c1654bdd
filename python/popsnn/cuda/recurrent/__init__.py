"""Recurrent layers: all time steps in one persistent kernel, by the strategy of its size.

See the table of strategies in `cuda/popsnn/recurrent/recurrent.cuh`.
"""
