"""Recurrent layers whose weights registers and shared memory of any GPU since 8.0 hold."""
