"""A set of options with fixed names: chained setters, reading by name, and frozen once used."""

from __future__ import annotations

import copy
from typing import Any


class OptionSet:
    """Values by name; a value keeps the type that it began with.

    Parameters
    ----------
    **values : Any
        Names and what they are at first.
    """

    _values: dict[str, Any]
    _is_frozen: bool

    def __init__(self, **values: Any) -> None:
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_is_frozen", False)

    def set(self, **values: Any) -> None:
        """Set options that exist.

        Raises
        ------
        AttributeError
            Where a model or a loader uses these options already.
        AssertionError
            Where an option does not exist or has another type.
        """
        self._check_open()
        for name, value in values.items():
            if name not in self._values:
                raise AssertionError(
                    f"Invalid option {name}, valid options are {list(self._values)}"
                )
            wanted = type(self._values[name])
            if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is int):
                raise AssertionError(
                    f"Unexpected type {type(value)} for option {name}. Expected {wanted}"
                )
            self._values[name] = value

    def create(self, **values: Any) -> None:
        """Set options that may be new."""
        self._check_open()
        self._values.update(values)

    def exists(self, name: str) -> bool:
        """Whether the option has a value."""
        return name in self._values

    def clone(self) -> Any:
        """Return a copy that may be changed."""
        return copy.deepcopy(self)

    def toDict(self) -> dict[str, Any]:
        """Return names and values."""
        return dict(self._values)

    def _check_open(self) -> None:
        if self._is_frozen:
            raise AttributeError("Can't modify frozen Options")

    def _freeze(self, frozen: bool = True) -> None:
        object.__setattr__(self, "_is_frozen", frozen)
        for option in self.__dict__.values():
            if isinstance(option, OptionSet):
                option._freeze(frozen)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        for name, option in self.__dict__.items():
            value = False if name == "_is_frozen" else copy.deepcopy(option, memo)
            object.__setattr__(other, name, value)
        return other

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_values", {})
        if name not in values:
            raise AttributeError(f"Invalid attribute {name}.")
        return values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            self._check_open()
            object.__setattr__(self, name, value)
        else:
            self.set(**{name: value})

    def __repr__(self) -> str:
        values = [f"{name}={value!r}" for name, value in self._values.items()]
        values += [
            f"{name[1:]}={value!r}"
            for name, value in self.__dict__.items()
            if isinstance(value, OptionSet) and not name.endswith("_options")
        ]
        return f"{type(self).__name__}({', '.join(values)})"
