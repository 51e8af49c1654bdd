"""Runs the tests of PopART's operators in Python, unchanged, and prints what came of each file.

    python -m tests.conformance.popart_suite ~/repos/graphcore+popart

Each file of the checkout's `tests/integration/operators_test` that defines tests runs in its own
process. Skipped tests, such as those for hardware, do not count; a file that cannot be collected,
or has not ended within its time, is one error more.
"""

from __future__ import annotations

from tests.conformance.suite import Suite, main

SUITE = Suite("tests", "integration/operators_test", ("*.py",))


if __name__ == "__main__":
    main(SUITE, __doc__)
