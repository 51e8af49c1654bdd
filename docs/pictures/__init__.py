"""The diagrams of the explanation pages; ``python -m docs.pictures`` writes docs/images/."""
