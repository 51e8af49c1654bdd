"""What the documentation says, computed in float64, and small faults of it."""
