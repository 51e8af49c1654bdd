"""Neurons of snnTorch, SpikingJelly and norse, each over a whole sequence."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Callable, Dict

import torch
from torch import Tensor

Run = Callable[[Tensor, Tensor], Tensor]
"""Spikes [T, B, N] of a current [T, B, N] and recurrent weights [N, N]."""


def snntorch(
    name: str, *decays: Any, grad: Any = ("atan", 2.0), **options: Any
) -> Callable[[], Run]:
    def make() -> Run:
        package, surrogates = map(import_module, ("snntorch", "snntorch.surrogate"))

        def run(x: Tensor, weight: Tensor) -> Tensor:
            values = [torch.as_tensor(decay, dtype=x.dtype) for decay in decays]
            spike_grad = getattr(surrogates, grad[0])(grad[1])
            layer = getattr(package, name)(*values, spike_grad=spike_grad, **options).to(x.dtype)
            if name != "RLeaky":
                layer.init_hidden, layer.output = True, False
                return torch.stack([layer(current) for current in x]).to(x.dtype)
            del layer.recurrent.weight
            layer.recurrent.weight = weight
            torch.nn.init.zeros_(layer.recurrent.bias)
            spikes, membrane, out = torch.zeros_like(x[0]), torch.zeros_like(x[0]), []
            for current in x:
                spikes, membrane = layer(current, spikes, membrane)
                out.append(spikes)
            return torch.stack(out)

        return run

    return make


def spikingjelly(
    name: str, *args: Any, grad: Any = ("ATan", 2.0), **options: Any
) -> Callable[[], Run]:
    def make() -> Run:
        package = "spikingjelly.activation_based"
        neuron, surrogates = (
            import_module(f"{package}.neuron"),
            import_module(f"{package}.surrogate"),
        )

        def run(x: Tensor, _: Tensor) -> Tensor:
            function = getattr(surrogates, grad[0])(grad[1])
            layer = getattr(neuron, name)(*args, surrogate_function=function, **options)
            layer.step_mode = "m"
            spikes: Tensor = layer.to(x.dtype)(x)
            return spikes

        return run

    return make


def norse(cell: str, parameters: str, **options: Any) -> Callable[[], Run]:
    def make() -> Run:
        package = import_module("norse.torch")

        def run(x: Tensor, weight: Tensor) -> Tensor:
            kind = getattr(package, parameters)
            values = {
                key: torch.as_tensor(value, dtype=x.dtype)
                if isinstance(value, (float, Tensor)) and key != "alpha"
                else value
                for key, value in {**kind()._asdict(), **options}.items()
            }
            sizes: Dict[str, Any] = {}
            if "Recurrent" in cell:
                size = x.shape[-1]
                eye = torch.eye(size, dtype=x.dtype)
                sizes = {"input_size": size, "hidden_size": size, "input_weights": eye}
                sizes.update(recurrent_weights=weight, autapses=True)
            module, state, out = getattr(package, cell)(p=kind(**values), **sizes), None, []
            for current in x:
                spikes, state = module(current, state)
                out.append(spikes)
            return torch.stack(out)

        return run

    return make


def norse_izhikevich() -> Run:
    module = import_module("norse.torch.functional.izhikevich")

    def run(x: Tensor, _: Tensor) -> Tensor:
        rest = torch.full_like(x[0], -70.0)
        state, out = module.IzhikevichState(rest, 0.2 * rest), []
        for current in x:
            spikes, state = module.izhikevich_feed_forward_step(
                current, state, module.tonic_spiking.p
            )
            out.append(spikes)
        return torch.stack(out)

    return run


def norse_subtract() -> Run:
    reset = import_module("norse.torch.functional.reset").reset_subtract
    return norse("LIFBoxCell", "LIFBoxParameters", reset_method=reset)()
