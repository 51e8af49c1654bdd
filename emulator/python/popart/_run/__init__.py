"""Sessions: models that run batch by batch."""
