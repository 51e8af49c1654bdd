"""Dispatcher: which backend runs an operator.

`functional` and `nn` make an `Operator` next to each reference implementation, and ask it at each
call. Engines register their own implementations, so the reference knows no engine. Inside of a
PopTorch model PopTorch runs each operator that it has, whatever the backend.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Type

PREFERENCE = ("ipu", "cuda", "torch")
"""The order in which "auto" asks backends."""

POPTORCH: Dict[str, Callable[..., Any]] = {}
"""The package's operators inside of PopTorch models by name; they take PopTorch's module first."""


class Implementation:
    """Base of what a backend registers.

    `run` takes what the operator is called with, `suits` and `unsupported` as much of it as
    decides.
    """

    def unavailable(self) -> Optional[str]:
        """Return why this machine cannot run it, or None where it can."""
        return None

    def suits(self, *call: Any, **options: Any) -> bool:
        """Return whether "auto" may choose it for a call that it can run."""
        return True

    def unsupported(self, *call: Any, **options: Any) -> Optional[str]:
        """Return why it cannot run this call, or None where it can."""
        return None

    def run(self, *call: Any, **options: Any) -> Any:
        """Run the call."""
        raise NotImplementedError


class _Reference(Implementation):
    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run  # type: ignore[method-assign]


class Operator:
    """An operation that several backends implement.

    Parameters
    ----------
    reference : callable, optional
        The reference implementation, which the backend "torch" runs: any call, anywhere.
    subject : str
        What a backend runs, in the sentence that refuses it.
    backends : str
        The names that a caller may give, in the sentence that refuses another.
    refusal : type of Exception
        What a named backend that cannot run a call raises.
    """

    def __init__(
        self,
        reference: Optional[Callable[..., Any]] = None,
        *,
        subject: str = "this",
        backends: str = "one of auto, torch, cuda",
        refusal: Type[Exception] = RuntimeError,
    ) -> None:
        self._subject, self._backends, self._refusal = subject, backends, refusal
        self._named: Dict[str, Implementation] = {}
        self._preferred: List[Implementation] = []
        if reference is not None:
            self.register("torch", _Reference(reference))

    def register(self, backend: str, implementation: Implementation) -> None:
        """Let `backend` run this operator."""
        self._named[backend] = implementation
        self._preferred = [self._named[name] for name in PREFERENCE if name in self._named]

    def choose(self, operation: str, backend: str, *call: Any, **options: Any) -> Any:
        """Return the implementation that runs a call.

        Parameters
        ----------
        operation : str
            Name for error messages.
        backend : str
            "auto" for the first in `PREFERENCE` that is available, suits and supports the call; or
            a name.
        *call, **options
            What `suits` and `unsupported` take of it.

        Raises
        ------
        ValueError
            Where no backend has that name.
        RuntimeError
            Where the named one is not available here.
        Exception
            The operator's `refusal`, where the named one does not support the call.
        """
        if backend == "auto":
            for implementation in self._preferred:
                if (
                    implementation.unavailable() is None
                    and implementation.suits(*call, **options)
                    and implementation.unsupported(*call, **options) is None
                ):
                    return implementation
        named = self._named.get(backend)
        if named is None:
            raise ValueError(f"{operation}: backend: expected {self._backends}, got {backend!r}")
        reason = named.unavailable()
        if reason is not None:
            raise RuntimeError(f"{operation}: backend {backend!r} is not available: {reason}")
        reason = named.unsupported(*call, **options)
        if reason is not None:
            raise self._refusal(
                f"{operation}: backend {backend!r} cannot run {self._subject}: {reason}"
            )
        return named

    def run(self, operation: str, backend: str, *call: Any, **options: Any) -> Any:
        """Choose an implementation as `choose` does, by all of the call, and run it."""
        return self.choose(operation, backend, *call, **options).run(*call, **options)
