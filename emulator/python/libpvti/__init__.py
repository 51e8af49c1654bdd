"""Instrumentation of Python programs for the SDK's System Analyser.

As `pvti/pvti.hpp` it records nothing, which is what the SDK does where the option "enable" of
PVTI_OPTIONS is not set.
"""

from __future__ import annotations

import functools
from typing import Any, Callable, Iterable, Sequence, TypeVar

__all__ = [
    "Graph",
    "GraphSeries",
    "HeatmapDouble",
    "HeatmapFloat",
    "HeatmapInt",
    "TraceChannel",
    "Tracepoint",
    "createTraceChannel",
    "instrument",
    "instrument_fn",
]
Function = TypeVar("Function", bound=Callable[..., Any])


class TraceChannel:
    """A name under which events are shown.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        self.name = name


def createTraceChannel(name: str) -> TraceChannel:
    """Return a channel of a name."""
    return TraceChannel(name)


class Tracepoint:
    """An event that lasts as long as its `with` block.

    Parameters
    ----------
    channel : TraceChannel
    label : str
    """

    def __init__(self, channel: TraceChannel, label: str) -> None:
        self.channel = channel
        self.label = label

    def __enter__(self) -> Tracepoint:
        return self

    def __exit__(self, *error: Any) -> None:
        return None

    @staticmethod
    def begin(channel: TraceChannel, label: str) -> None:
        """Begin an event."""

    @staticmethod
    def end(channel: TraceChannel, label: str) -> None:
        """End the event of the label."""

    @staticmethod
    def event(channel: TraceChannel, label: str) -> None:
        """Note an event of no duration."""


class GraphSeries:
    """A line of a graph: values over time.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def add(self, value: float) -> None:
        """Note a value."""


class Graph:
    """Lines that are shown together.

    Parameters
    ----------
    name, units : str
    """

    def __init__(self, name: str, units: str = "") -> None:
        self.name = name
        self.units = units

    def addSeries(self, name: str) -> GraphSeries:
        """Return a new line."""
        return GraphSeries(name)


class HeatmapDouble:
    """Histograms over time.

    Parameters
    ----------
    name : str
    edges : sequence of float
        Of the bins.
    units : str
    """

    def __init__(self, name: str, edges: Sequence[float], units: str = "") -> None:
        self.name = name
        self.edges = list(edges)
        self.units = units

    def add(self, values: Iterable[float]) -> None:
        """Note the histogram of values."""


HeatmapFloat = HeatmapInt = HeatmapDouble


def instrument_fn(channel: TraceChannel) -> Callable[[Function], Function]:
    """Return a decorator that makes an event of each call of a function."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            with Tracepoint(channel, function.__name__):
                return function(*args, **options)

        return call  # type: ignore[return-value]

    return decorate


def instrument(instance: Any, methods: Sequence[str], channel: TraceChannel | None = None) -> None:
    """Make an event of each call of an object's methods, by their names."""
    made = channel or TraceChannel(type(instance).__name__)
    for name in methods:
        setattr(instance, name, instrument_fn(made)(getattr(instance, name)))
