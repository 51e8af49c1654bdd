"""Executables in files: a compiled model's inputs and options, and the model where asked for."""

from __future__ import annotations

import io
import os
from typing import Any, Callable

import torch

from ._errors import Error
from ._logging import logger
from ._readings import NOT_COMPILED
from ._transfers.inputs import Inputs

_MAGIC = b"emulated PopTorch executable 1\n"


class Files:
    """The part of an executor that writes and reads files."""

    _options: Any
    _training: bool
    _user_model: Any
    _inputs: Inputs | None
    _optimizer: Any
    _rng: torch.Tensor | None
    isCompiled: Callable[[], bool]
    compile: Callable[..., None]
    _compile: Callable[[Inputs], None]

    def compileAndExport(
        self, filename: str, *args: Any, export_model: bool = True, **kwargs: Any
    ) -> None:
        """Compile for inputs as these, and save; see `save`."""
        self.compile(*args, **kwargs)
        self.save(filename, export_model)

    def save(self, filename: str, export_model: bool = True, save_rng_state: bool = True) -> None:
        """Save what the model is compiled for, by default with the model, for `poptorch.load`.

        Parameters
        ----------
        filename : str
            In a folder, the file is "model.poptorch".
        export_model : bool
            Whether the model and the optimizer are in the file, which pickle must be able to write.
        save_rng_state : bool

        Raises
        ------
        Error
            Where the model is not compiled.
        """
        if not self.isCompiled():
            raise Error(NOT_COMPILED)
        if os.path.dirname(filename):
            os.makedirs(os.path.dirname(filename), exist_ok=True)
        if os.path.isdir(filename):
            folder, filename = filename, os.path.join(filename, "model.poptorch")
            logger.warning("save(): %s is a directory, saving model to %s", folder, filename)
        content = {
            "inputs": self._inputs,
            "options": self._options,
            "training": self._training,
            "rng": self._rng if save_rng_state else None,
            "model": self._user_model if export_model else None,
            "optimizer": self._optimizer if export_model else None,
        }
        made = io.BytesIO()
        torch.save(content, made)
        with open(filename, "wb") as file:
            file.write(_MAGIC + made.getvalue())

    def loadExecutable(self, filename: str) -> None:
        """Be compiled for what a file was saved for; the weights are this model's.

        Raises
        ------
        AssertionError
            Where the file is of another program, or was saved in training and this is not.
        """
        content = content_of(filename)
        if content["training"] != self._training:
            kinds = {True: "training", False: "inference"}
            raise AssertionError(
                f"{filename}: expected an executable for {kinds[self._training]}, got one for "
                f"{kinds[content['training']]}"
            )
        self._rng = content["rng"]
        self._compile(content["inputs"])


def content_of(filename: str) -> dict[str, Any]:
    """Return what `save` has put into a file; as with pickle, only of a source that is trusted.

    Raises
    ------
    AssertionError
        Where it is no such file.
    """
    with open(filename, "rb") as file:
        content = file.read()
    if not content.startswith(_MAGIC):
        raise AssertionError(
            f"Invalid file {filename}: expected an executable of the emulated PopTorch, got "
            f"{content[:16]!r}"
        )
    loaded = torch.load(io.BytesIO(content[len(_MAGIC) :]), weights_only=False)
    return dict(loaded)
