"""What all kernels share: compilation, launches, operators of torch, streams, graphs."""
