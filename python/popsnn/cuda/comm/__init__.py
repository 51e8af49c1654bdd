"""Messages between the GPUs of one host."""
