"""A model's parameters and buffers on the device, and how the host's follow them."""

from __future__ import annotations

import weakref
from contextlib import contextmanager
from typing import Any, Iterator

import torch
from torch import Tensor, nn

from ._errors import Error

_CHANGED = (
    "{kind} {name} is reassigned within the model when calling the forward method. This is not "
    "supported. Consider using self.{name}.copy_(src) to copy data from a source tensor, where "
    "src is the name of the source tensor."
)


class DeviceWeights:
    """Copies of a model's parameters and buffers; buffers have one for each replica.

    Tensors that a module holds as plain attributes are constants of the device's graph: what
    forward() does to one is gone after it.

    Parameters
    ----------
    model : Module or callable
        A function has none.
    replicas : int
    """

    def __init__(self, model: Any, replicas: int = 1) -> None:
        self.hosts: dict[str, Tensor] = {}
        self._registered: list[tuple[dict[str, Any], str, str]] = []
        self._constants: list[tuple[dict[str, Any], str, Tensor]] = []
        names: dict[int, str] = {}
        for prefix, module in model.named_modules() if isinstance(model, nn.Module) else ():
            for key, value in vars(module).items():
                if isinstance(value, Tensor):
                    self._constants.append((vars(module), key, value))
            for tensors in (module._parameters, module._buffers):
                for key, host in tensors.items():
                    if host is None:
                        continue
                    name = names.setdefault(id(host), f"{prefix}.{key}" if prefix else key)
                    self.hosts.setdefault(name, host)
                    self._registered.append((tensors, key, name))
        self._replicas: list[dict[str, Tensor]] = [{} for _ in range(replicas)]
        self.upload()

    @property
    def trained(self) -> dict[str, Tensor]:
        """The parameters on the device that have a gradient, by name."""
        return {name: t for name, t in self._replicas[0].items() if t.requires_grad}

    @property
    def first(self) -> dict[str, Tensor]:
        """The first replica's tensors on the device, by name."""
        return self._replicas[0]

    def names(self) -> dict[int, str]:
        """Return the names of the host's tensors by their ids."""
        return {id(host): name for name, host in self.hosts.items()}

    @torch.no_grad()
    def upload(self, only: list[str] | None = None) -> None:
        """Copy all, or these, from the host."""
        for name in self.hosts if only is None else only:
            host = self.hosts[name]
            copied = host.detach().clone()
            copied = copied.float() if copied.dtype == torch.float64 else copied
            if isinstance(host, nn.Parameter):
                copied = nn.Parameter(copied, requires_grad=host.requires_grad)
            for replica in self._replicas:
                # Replicas keep their parameters alike, and what they do to buffers apart.
                replica[name] = copied if isinstance(copied, nn.Parameter) else copied.clone()

    @torch.no_grad()
    def download(self) -> None:
        """Copy all to the host, the first replica's."""
        for name, host in self.hosts.items():
            host.copy_(self._replicas[0][name])

    @contextmanager
    def swapped_in(self, replica: int, shared_buffers: bool) -> Iterator[None]:
        """Let the model see one replica's tensors.

        Parameters
        ----------
        replica : int
        shared_buffers : bool
            Whether replicas must not change buffers, which would then differ.

        Raises
        ------
        Error
            Where the model removes or replaces a parameter, or changes a shared buffer.
        """
        tensors = self._replicas[replica]
        versions = {name: tensor._version for name, tensor in tensors.items()}
        for registered, key, name in self._registered:
            registered[key] = tensors[name]
        for registered, key, constant in self._constants:
            registered[key] = constant.detach().clone()
        try:
            yield
            for registered, key, name in self._registered:
                _check_registered(registered, key, name, tensors[name])
            if shared_buffers and any(
                tensor._version != versions[name]
                for name, tensor in tensors.items()
                if not isinstance(tensor, nn.Parameter)
            ):
                raise Error(
                    "PopTorch does not support broadcasting buffers. If your model is able to "
                    "tolerate buffers becoming out of sync between replicas, you can disable "
                    "buffer broadcasting using poptorch.Options.broadcastBuffers(False)."
                )
        finally:
            for registered, key, name in self._registered:
                registered[key] = self.hosts[name]
            for registered, key, constant in self._constants:
                registered[key] = constant


def _check_registered(tensors: dict[str, Any], key: str, name: str, tensor: Tensor) -> None:
    kind = "Parameter" if isinstance(tensor, nn.Parameter) else "Buffer"
    if key not in tensors:
        raise Error(f"{kind} {name} is removed from the model when calling the forward method.")
    if tensors[key] is not tensor:
        raise Error(_CHANGED.format(kind=kind, name=name))


class Followers:
    """Makes a model's parameters and buffers on the host follow a device.

    Whoever reads one of them first copies back what the device has trained.

    Parameters
    ----------
    model : Module
    executor : PoplarExecutor
        Has `copyWeightsToHostIfNeeded` and `destroy`.
    """

    def __init__(self, model: nn.Module, executor: Any) -> None:
        owner = weakref.ref(executor)
        self.model = model
        plain: tuple[Any, ...] = (nn.Parameter, Tensor)
        self._kinds = {kind: _following(kind, owner) for kind in plain}
        for tensor in _tensors(model):
            if type(tensor) not in self._kinds:
                raise Error(f"All buffers must be an instance of torch.Tensor (Got {type(tensor)})")
            tensor.__class__ = self._kinds[type(tensor)]
        model.__class__ = _following_model(type(model), owner)

    def release(self) -> None:
        """Make them what they were."""
        for tensor in _tensors(self.model):
            for plain, kind in self._kinds.items():
                if type(tensor) is kind:
                    tensor.__class__ = plain
        self.model.__class__ = type(self.model).__mro__[1]


def follows(model: object) -> bool:
    """Whether the model follows a device."""
    return getattr(type(model), "_follows_a_device", False)


def _tensors(model: nn.Module) -> list[Tensor]:
    names_of = {id(tensor): tensor for tensor in (*model.parameters(), *model.buffers())}
    return list(names_of.values())


def _following(plain: Any, owner: Any) -> Any:
    """Return a subclass of a tensor's type that reads the device's weights before any use."""

    def pull() -> None:
        executor = owner()
        if executor is not None:
            executor.copyWeightsToHostIfNeeded()

    class Following(plain):  # type: ignore[misc]
        _pull = staticmethod(pull)

        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
        ) -> Any:
            for kind in types:  # of every device that an argument follows
                getattr(kind, "_pull", pull)()
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))

        def __deepcopy__(self, memo: dict[int, Any]) -> Any:
            if id(self) not in memo:
                copied = self.detach().clone()
                if plain is nn.Parameter:
                    copied = nn.Parameter(copied, requires_grad=self.requires_grad)
                memo[id(self)] = copied
            return memo[id(self)]

        def __reduce_ex__(self, protocol: Any) -> Any:
            copied = self.detach()
            if plain is nn.Parameter:
                copied = nn.Parameter(copied, requires_grad=self.requires_grad)
            return copied.__reduce_ex__(protocol)

    Following.__name__ = f"Poptorch{plain.__name__}"
    return Following


def _following_model(plain: Any, owner: Any) -> Any:
    class FollowingModel(plain):  # type: ignore[misc]
        _follows_a_device = True

        def copyWeightsToHostIfNeeded(self) -> bool:
            executor = owner()
            return executor is not None and executor.copyWeightsToHostIfNeeded()

        def _host_weights_version(self) -> int:
            executor = owner()
            return 0 if executor is None else executor._host_version

        def destroy(self) -> None:
            executor = owner()
            if executor is not None:
                executor.destroy()

        def __reduce_ex__(self, protocol: Any) -> Any:
            # What a copy or a file holds is a model of the user's, which follows nothing. Protocol
            # 1, since those above insist on the object's own class.
            make, arguments, *rest = super().__reduce_ex__(1)
            return (make, (plain, *arguments[1:]), *rest)

    FollowingModel.__name__ = f"Poptorch{plain.__name__}"
    FollowingModel.__qualname__ = FollowingModel.__name__
    return FollowingModel
