"""Fuzzers: random cases on every engine against references that know the documentation alone.

`python -m tests.fuzz --help` says how to run them; CONTRIBUTING.md has the commands.
"""
