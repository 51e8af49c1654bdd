"""Files of NIR."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Mapping

from .._internal.extras import extra
from .._internal.files import whole_file


def save(path: str | os.PathLike[str], graph: Any) -> None:
    """Write a NIR graph, whole or not at all.

    Raises
    ------
    ValueError
        Where HDF5 does not keep a name or the metadata.
    OSError
        Where the file cannot be written.
    """
    import nir

    _check_names("write", graph.to_dict())
    with whole_file("write", Path(path)) as partial:
        try:
            nir.write(partial, graph)
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(
                f"write: metadata: expected numbers, strings and dicts of them, got: {error}"
            ) from None


def _check_names(where: str, data: Mapping[str, Any]) -> None:
    """Check that a file keeps the names of nodes and of metadata."""
    for name, value in data.items():
        if not isinstance(name, str) or name in ("", ".") or "/" in name or "\0" in name:
            raise ValueError(
                f"{where}: expected names that HDF5 keeps, without '/' and none of '' and '.', got "
                f"{name!r}"
            )
        if isinstance(value, Mapping):
            _check_names(f"{where}: {name}", value)


def load(path: str | os.PathLike[str]) -> Any:
    """Return the NIR graph in a file, whose shapes nothing has checked yet."""
    with extra("read", "nir", "nir"):
        import h5py
        import nir
    path = os.fspath(path)
    try:
        with h5py.File(path, "r") as file:
            node = file.get("node")
            data = _data(h5py, node) if isinstance(node, h5py.Group) else None
    except FileNotFoundError:
        raise FileNotFoundError(f"read: path: expected a NIR file, got none at {path!s}") from None
    except OSError as error:
        raise OSError(f"read: path: expected a NIR file, got {path!s}: {error}") from None
    except Exception as error:  # a damaged file makes h5py raise almost any
        raise ValueError(f"read: path: expected a NIR file, got {path!s}: {error}") from None
    if data is None:
        raise ValueError(f"read: path: expected a NIR file, got {path!s}")
    node = _node(nir, "read", data)
    if not isinstance(node, nir.NIRGraph):
        raise ValueError(f"read: node: expected a NIRGraph, got {type(node).__name__}")
    return node


def _data(h5py: Any, group: Any, above: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return the names and values in a group of a file."""
    address = h5py.h5o.get_info(group.id).addr
    if address in above:
        raise ValueError(f"{group.name} links to a group that it is in")
    data: dict[str, Any] = {}
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            data[name] = _data(h5py, item, (*above, address))
        elif isinstance(item, h5py.Dataset):
            value = item[()]
            data[name] = value.decode() if isinstance(value, bytes) else value
    return data


def _node(nir: Any, where: str, data: Any) -> Any:
    """Return a node of what a file has of it."""
    kind = data.get("type") if isinstance(data, dict) else data
    if not isinstance(kind, str) or kind not in vars(nir.ir):
        raise ValueError(f"{where}: expected a node that NIR has, got {kind}")
    try:
        metadata = dict(data.get("metadata", {}))
        if kind != "NIRGraph":
            return nir.dict2NIRNode(data)
        within = dict(data["nodes"])
        edges = [(start.decode(), end.decode()) for start, end in data["edges"]]
    except Exception as error:  # nir raises errors of many types
        raise ValueError(f"{where}: expected the fields of {kind}, got: {error!r}") from None
    nodes = {name: _node(nir, f"{where}: {name}", of) for name, of in within.items()}
    # The check of nir takes a kernel for a square one.
    return nir.NIRGraph(nodes, edges, metadata, type_check=False)
