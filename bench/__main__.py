"""Run benchmark suites: the ones that are named, or all but those that take hours."""

from __future__ import annotations

import argparse
import json

from bench import rows

SUITES = (
    "emulator", "emulator_bars", "demo_step", "sparse_step", "lif", "modelled", "list_sizes",
    "half_weights", "dense_gradients", "resnet", "data", "recurrent", "accuracy", "network",
    "planning",
)  # fmt: skip
HOURS = ("accuracy",)  # suites that run only when named


def _case(text: str) -> tuple[str, object]:
    """Return a name and a value: a number, null, or a text."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def main() -> None:
    """Run the suites and append their rows to ``bench/results/``."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "suites",
        nargs="*",
        metavar="suite",
        help=", ".join(SUITES) + ", or a part as in lif.elementwise",
    )
    parser.add_argument(
        "--only",
        metavar="prefix",
        action="append",
        default=[],
        help="measure the subjects of lif, resnet, recurrent, accuracy alone whose names begin so",
    )
    parser.add_argument(
        "--case",
        type=_case,
        metavar="name=value",
        action="append",
        default=[],
        help="measure the cases of accuracy alone that have this, as network=recurrent or steps=25",
    )
    arguments = parser.parse_args()
    rows.ONLY.extend(arguments.only)
    rows.CASES.update(arguments.case)
    chosen = arguments.suites or [name for name in SUITES if name not in HOURS]
    unknown = sorted(name for name in chosen if name.split(".")[0] not in SUITES)
    if unknown:
        parser.error(f"unknown suite {', '.join(unknown)}: expected {', '.join(SUITES)}")
    print(f"{rows.cpu_model()}, {rows.cores()} cores, commit {rows.commit()}")
    for name in chosen:
        print(f"\n{name}")
        for path in sorted({path for _, path in rows.measure(name)}):
            print(f"  rows in {path}")


if __name__ == "__main__":
    main()
