"""The `popsnn` command."""
