"""Everything that a script sets before it runs a model."""
