"""The parts of the options."""
