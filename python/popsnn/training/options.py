"""Options of a training: what each may be, whether it comes from YAML or the command line."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence, Tuple

from .._internal.auto_capacity import AUTO
from .yaml_file import shown


class Kind(NamedTuple):
    """Range of an option's value.

    `convert` takes a number, a text or a list and raises ValueError or TypeError; `wanted` is what
    messages say, and `short` what the help does. Of `several` values there are `length`, or one and
    more.
    """

    wanted: str
    convert: Callable[[Any], Any]
    short: str = "X"
    several: bool = False
    length: Optional[int] = None


def _whole(least: int) -> Callable[[Any], int]:
    def convert(value: Any) -> int:
        number = int(value)
        if isinstance(value, bool) or number != float(value) or number < least:
            raise ValueError
        return number

    return convert


def _real(inside: Callable[[float], bool]) -> Callable[[Any], float]:
    def convert(value: Any) -> float:
        # A text too: YAML 1.1 reads 1e-3, which has no point, as one.
        number = float(value)
        if isinstance(value, bool) or not math.isfinite(number) or not inside(number):
            raise ValueError
        return number

    return convert


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError
    return value


def _counts(value: Any) -> Tuple[int, ...]:
    values = value if isinstance(value, (list, tuple)) else [value]
    if not values:
        raise ValueError
    return tuple(_whole(1)(count) for count in values)


def _fraction_or_auto(value: Any) -> Any:
    return AUTO if isinstance(value, str) and value == AUTO else FRACTION.convert(value)


def _two_below_one(value: Any) -> Tuple[float, ...]:
    values = value if isinstance(value, (list, tuple)) else [value]
    if len(values) != 2:
        raise ValueError
    return tuple(BELOW_ONE.convert(bound) for bound in values)


COUNT = Kind("a whole number from 1 on", _whole(1), "N")
WHOLE = Kind("a whole number from 0 on", _whole(0), "N")
COUNTS = Kind("whole numbers from 1 on", _counts, "N", several=True)
NUMBER = Kind("a number", _real(lambda x: True))
POSITIVE = Kind("a positive number", _real(lambda x: x > 0))
AMOUNT = Kind("a number from 0 on", _real(lambda x: x >= 0))
FRACTION = Kind("a number in (0, 1]", _real(lambda x: 0 < x <= 1))
UNIT = Kind("a number in [0, 1]", _real(lambda x: 0 <= x <= 1))
OPEN_UNIT = Kind("a number in (0, 1)", _real(lambda x: 0 < x < 1))
FRACTION_OR_AUTO = Kind("a number in (0, 1] or auto", _fraction_or_auto, "X|auto")
BELOW_ONE = Kind("a number in [0, 1)", _real(lambda x: 0 <= x < 1))
TWO_BELOW_ONE = Kind("two numbers in [0, 1)", _two_below_one, several=True, length=2)
FLAG = Kind("true or false", _flag)
TEXT = Kind("a text", _text, "NAME")


def one_of(*names: str) -> Kind:
    """Return the kind of a text that is one of `names`."""

    def convert(value: Any) -> str:
        if value not in names:
            raise ValueError
        return str(value)

    return Kind(f"one of {', '.join(names)}", convert, "|".join(names))


def option(
    kind: Kind, default: Any, text: str, *, free: bool = False, optional: bool = False
) -> Any:
    """Return a dataclass field that is an option.

    Parameters
    ----------
    kind : Kind
    default
        Where it is None, that is a value of the option: "none" on the command line.
    text : str
        What it means, for the help.
    free : bool
        Whether a resumed run may have another value: it changes no number.
    optional : bool
        Whether None is a value next to another default.
    """
    optional = optional or default is None
    metadata = {"kind": kind, "text": text, "optional": optional, "free": free}
    return field(default=default, metadata=metadata)


def converted(name: str, value: Any, metadata: Any) -> Any:
    """Return `value` as the option has it.

    Raises
    ------
    ValueError
        Where it may not be that.
    """
    kind: Kind = metadata["kind"]
    if value is None or value == "none":
        if metadata["optional"]:
            return None
    else:
        try:
            return kind.convert(value)
        except (TypeError, ValueError, OverflowError):
            pass
    none = " or none" if metadata["optional"] else ""
    raise ValueError(f"{name}: expected {kind.wanted}{none}, got {shown(value)}")


def parser_of(metadata: Any) -> Callable[[str], Any]:
    """Return what turns a word of the command line into the value, or one of several."""
    kind: Kind = metadata["kind"]

    def parse(text: str) -> Any:
        if text == "none" and metadata["optional"]:
            return text
        try:
            value = kind.convert(text if kind.length is None else [text] * kind.length)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"expected {kind.wanted}, got {shown(text)}") from None
        return value[0] if kind.several else value

    return parse


def differing(
    was: Dict[str, Any], now: Dict[str, Any], free: Sequence[str] = ()
) -> Optional[Tuple[str, Any, Any]]:
    """Return the first name, in the order of names, whose values differ, and the two values."""
    for name in sorted({*was, *now} - {*free}):
        old, new = was.get(name), now.get(name)
        if isinstance(old, tuple) or isinstance(new, tuple):
            old, new = (
                list(config) if isinstance(config, tuple) else config for config in (old, new)
            )
        if old != new:
            return name, old, new
    return None
