"""The files that `popsnn codelet new` writes under another name."""
