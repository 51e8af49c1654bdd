"""The first layer's product from the indices of its input spikes."""
