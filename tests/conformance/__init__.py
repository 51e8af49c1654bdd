"""Builds and runs Poplar programs that are not part of this repository, unchanged."""
