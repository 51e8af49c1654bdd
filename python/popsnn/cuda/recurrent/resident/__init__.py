"""Recurrent layers whose weights the registers of all multiprocessors hold."""
