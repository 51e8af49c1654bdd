"""Runs PopTorch's own tests, unchanged and whole, and prints what came of each file.

    python -m tests.conformance.poptorch_suite ~/repos/graphcore+poptorch

Each file of the checkout's `tests` folder runs in its own process, with the libraries of its custom
operators built. Skipped tests do not count; a file that cannot be collected, or has not ended
within its time, is one error more.
"""

from __future__ import annotations

from pathlib import Path

from tests.conformance.attempt import Shell
from tests.conformance.suite import Suite, main


def build_libraries(shell: Shell, checkout: Path) -> None:
    """Build each source of `custom_ops` into the folder from which tests load them."""
    tests = checkout / "tests"
    for source in sorted(tests.glob("custom_ops/*.cpp")):
        command = f"c++ -std=c++14 -O1 -shared -fPIC {source} -lpopart -lpopops -lpoplar"
        status, output = shell(f"{command} -o {tests}/lib{source.stem}.so", tests)
        if status != 0:
            raise SystemExit(f"{source.name}: expected it to compile, got: {output}")


SUITE = Suite("tests", "", ("*_test.py", "test_*.py"), build_libraries)


if __name__ == "__main__":
    main(SUITE, __doc__)
