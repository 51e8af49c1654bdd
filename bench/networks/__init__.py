"""Networks of the papers, and the same in plain PyTorch."""
