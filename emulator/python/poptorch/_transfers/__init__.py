"""What crosses between host and device."""
