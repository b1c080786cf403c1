"""The command line: `ggp` and `python -m ggp`."""

from __future__ import annotations

import signal
import sys

from ggp import _ggp


def main() -> int:
    """Runs the command line with the arguments of this process; returns its exit code."""
    # The program handles Ctrl-C itself, as the binary does.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _ggp.run(["ggp", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
