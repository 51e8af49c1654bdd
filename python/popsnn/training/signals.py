"""Stopping a run from outside, between two steps."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Dict, Optional, Type


class StopRequest:
    """Within the block, SIGINT and SIGTERM set `asked`; a second SIGINT interrupts at once.

    Outside of the main thread, which alone gets signals, nothing changes.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Dict[int, Any] = {}

    def __enter__(self) -> StopRequest:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._ask)
        return self

    def _ask(self, number: int, frame: Optional[FrameType]) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
