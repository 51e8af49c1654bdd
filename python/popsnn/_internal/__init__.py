"""Private modules that the whole package uses."""
