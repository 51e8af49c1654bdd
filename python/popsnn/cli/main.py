"""The command line: one module a subcommand, each with `add(subparsers)`."""

from __future__ import annotations

from .._internal.interrupt import INTERRUPTED, LINE, EndsAtOnce

with EndsAtOnce():
    import argparse
    import errno
    import os
    import sys
    from typing import NoReturn, Optional, Sequence

    from .. import __version__
    from . import evaluate, info, neuron, profile, train, view

EXAMPLES = """examples:
  popsnn info                      list the engines and why any is not available
  popsnn train digits              train on handwritten digits, on the best engine here
  popsnn train digits --resume     continue an interrupted run
  popsnn train --dataset fsdd      train on spoken digits
  popsnn eval runs/digits          evaluate a finished run on its test set
  popsnn view runs/digits          write a run as one HTML page
  popsnn profile nmnist-h2         model the cost of a published network on an IPU
  popsnn neuron new MyNeuron       write the files of a custom neuron, and their test
"""


OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence and where the help is, and exits with 2."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and exit."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    made = Parser(
        prog="popsnn",
        description="Train sparse spiking neural networks.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"popsnn {__version__}")
    subparsers = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    info.add(subparsers)
    train.add(subparsers)
    evaluate.add(subparsers)
    view.add(subparsers)
    profile.add(subparsers)
    neuron.add(subparsers)
    return made


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the command and return its exit status: 0, 1 on a failure, 2 on wrong usage, 130 cut off.

    Parameters
    ----------
    argv : sequence of str, optional
        Default: the arguments of the process.
    """
    try:
        status = _run(parser().parse_args(argv))
    except KeyboardInterrupt:
        sys.stderr.write(LINE)
        return INTERRUPTED
    except (ValueError, TypeError, OSError, RuntimeError, ImportError, ArithmeticError) as error:
        print(f"popsnn: {error}", file=sys.stderr)
        return 1
    return status


def _run(arguments: argparse.Namespace) -> int:
    try:
        status = arguments.run(arguments)
        sys.stdout.flush()
    except OSError as error:
        # Errors of files have the file's name, or a sentence in place of the system's words.
        if error.errno not in OUTPUT_ERRORS or error.strerror is None or error.filename is not None:
            raise
        with open(os.devnull, "wb") as nowhere:  # Python tries once more as it ends
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        raise OSError(f"expected to write to standard output, got {error.strerror}") from None
    assert isinstance(status, int)
    return status
