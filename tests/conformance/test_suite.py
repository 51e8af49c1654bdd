"""Counts of PopTorch's own tests: skipped tests do not count, and what hangs has failed."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.suite import cases_before, cases_of

REPORT = """<testsuites><testsuite>
<testcase name="good"/><testcase name="bad"><failure message="why"/></testcase>
<testcase name="left"><skipped/></testcase><testcase name=""><error message="no module"/></testcase>
</testsuite></testsuites>"""


def test_a_report_is_counted(tmp_path: Path) -> None:
    report = tmp_path / "a_test.py.xml"
    report.write_text(REPORT)
    cases = [(case.name, case.result, case.cause) for case in cases_of("a_test.py", report)]
    assert cases == [
        ("good", "passed", ""),
        ("bad", "failed", "why"),
        ("left", "skipped", ""),
        ("", "failed", "no module"),
    ]


def test_what_has_no_result_has_failed() -> None:
    lines = ["collected 6 items / 1 deselected", "tests/a_test.py::one PASSED [ 20%]"]
    lines += ["tests/a_test.py::two[x:1] SKIPPED (why)", "tests/a_test.py::three FAILED"]
    cases = cases_before("a_test.py", "\n".join(lines), "ended by status 124")
    assert [case.result for case in cases] == ["passed", "skipped", "failed", "failed", "failed"]
    assert [case.result for case in cases_before("a_test.py", "Killed", "")] == ["failed"]
