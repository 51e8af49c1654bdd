"""What several modules of the package share, and none of its users need."""
