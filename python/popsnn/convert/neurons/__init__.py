"""Neurons of other libraries, step by step as they compute: the same operations in the same order.

So spikes are equal to the last bit where torch runs them, and a membrane that is exactly at the
threshold does what it does there: snnTorch and norse fire above the threshold, SpikingJelly at it
too. Membranes are those before a reset, which acts at the beginning of the next step.
"""
