"""Arguments of constructors as JSON.

A value is what JSON has, or an object with one tag: `{"tuple": [...]}`, `{"dict": {...}}`,
`{"float": "inf"}`, `{"dtype": "float16"}`, `{"surrogate": [name, options]}`, `{"neuron": [name,
options]}`. Names of classes are those of this package, so that reading runs no code.
"""

from __future__ import annotations

import inspect
import math
from typing import Any, Callable, Mapping

import torch

from ... import neurons
from ...functional import Neuron
from ...surrogate import NAMED, Surrogate

_TAGS = ("tuple", "dict", "float", "dtype", "surrogate", "neuron")


class Refused(str):
    """The reason for which a value cannot be written."""


def arguments_of(
    constructor: Callable[..., None], owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a constructor by name, as JSON has them, or why it cannot.

    Defaults are among them: another release of the class may have others. A default that cannot be
    written is left to the class.
    """
    signature = inspect.signature(constructor)
    try:
        bound = signature.bind(owner, *args, **kwargs)
    except TypeError:
        return {}  # the constructor raises it
    passed = set(bound.arguments)
    bound.apply_defaults()
    result: dict[str, Any] = {}
    for index, (name, value) in enumerate(bound.arguments.items()):
        kind = signature.parameters[name].kind
        if index == 0:
            continue
        if kind is inspect.Parameter.VAR_KEYWORD:
            result.update({key: _encoded_or_refused(each) for key, each in value.items()})
            continue
        if kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY):
            json = Refused("expected an argument with a name, got one by its position")
        else:
            json = _encoded_or_refused(value)
        if name in passed or not isinstance(json, Refused):
            result[name] = json
    return result


def _encoded_or_refused(value: Any) -> Any:
    """Return a value as JSON has it, or `Refused`: only a network that is saved has to have it."""
    try:
        return encoded(value)
    except TypeError as error:
        return Refused(error)
    except RecursionError:
        return Refused(f"expected a value without cycles, got {type(value).__name__}")


def encoded(value: Any) -> Any:
    """Return a value as JSON has it.

    Raises
    ------
    TypeError
        Where it cannot be written.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).split(".")[-1]}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        items = [encoded(each) for each in value]
        return {"tuple": items} if isinstance(value, tuple) else items
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: encoded(each) for key, each in value.items()}}
    for tag, kind, known in (
        ("surrogate", Surrogate, _surrogates()),
        ("neuron", Neuron, _neurons()),
    ):
        if isinstance(value, kind):
            name = type(value).__name__
            if known.get(name) is type(value):
                return {tag: [name, {key: encoded(each) for key, each in _options(value).items()}]}
            raise TypeError(f"expected a {tag} of popsnn, which a file can name, got {name}")
    raise TypeError(
        "expected numbers, strings, dtypes, surrogates, neurons, or lists of them, got "
        f"{type(value).__name__}"
    )


def decoded(value: Any) -> Any:
    """Return what `encoded` got."""
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), None)
    if len(value) != 1 or tag not in _TAGS:
        raise ValueError(f"expected an object with one of {', '.join(_TAGS)}, got {value}")
    inner = value[tag]
    if tag == "tuple":
        return tuple(decoded(inner))
    if tag == "dict":
        return {key: decoded(each) for key, each in inner.items()}
    if tag == "float":
        return float(inner)
    if tag == "dtype":
        dtype = getattr(torch, inner, None)
        if not isinstance(dtype, torch.dtype):
            raise ValueError(f"expected a dtype of torch, got {inner!r}")
        return dtype
    name, options = inner
    known = _surrogates() if tag == "surrogate" else _neurons()
    if name not in known:
        raise ValueError(f"expected one of {', '.join(known)} as {tag}, got {name!r}")
    return known[name](**{key: decoded(each) for key, each in options.items()})


def _options(value: Any) -> Mapping[str, Any]:
    """Return the arguments of a surrogate or neuron, which are its attributes."""
    return {name: getattr(value, name) for name in inspect.signature(type(value)).parameters}


def _surrogates() -> dict[str, Any]:
    return {kind.__name__: kind for kind in NAMED}


def _neurons() -> dict[str, Any]:
    known = {name: getattr(neurons, name) for name in neurons.__all__}
    return {
        name: kind
        for name, kind in known.items()
        if isinstance(kind, type) and issubclass(kind, Neuron) and kind is not Neuron
    }
