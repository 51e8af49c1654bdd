"""The documentation, computed in float64, and small faults of it."""
