"""Objects of a configuration: datasets, network, optimizer."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

import torch

from .. import data, nn, optim
from .._internal.hashing import call_seed
from ..data import Augment, SpikeDataset
from ..surrogate import SuperSpike
from .config import Config

DTYPES = {"float32": None, "float16": torch.float16, "bfloat16": torch.bfloat16}


class Datasets(NamedTuple):
    """Datasets to train on, to stop by, and to read the result from."""

    train: SpikeDataset
    validation: Optional[SpikeDataset]
    test: SpikeDataset


def datasets(config: Config) -> Datasets:
    """Return the configuration's dataset in its parts; downloads what is not there.

    The validation set is the dataset's own, or drawn from the training set with the seed. It is not
    augmented.
    """
    options: Dict[str, Any] = {"steps": config.steps}
    if config.downsample is not None:
        options.update(
            path=config.data, dt=config.dt, downsample=config.downsample, workers=config.workers
        )
    if config.dataset == "fsdd":
        options["held_out"] = config.held_out
    train, *own, test = getattr(data, config.dataset)(**options)
    validation = own[0] if own else None
    if config.validation:
        held_back = round(config.validation * len(train))
        if not 1 <= held_back < len(train):
            raise ValueError(
                f"train: validation: expected 1..{len(train) - 1} of {len(train)} samples, "
                f"got {config.validation:g} of them, which is {held_back}"
            )
        generator = torch.Generator().manual_seed(call_seed(config.seed, 0))
        order = torch.randperm(len(train), generator=generator, device="cpu")
        validation, train = train.subset(order[:held_back]), train.subset(order[held_back:])
    changes = Augment(config.shift, config.drop, config.jitter, config.offset)
    if changes != Augment():
        train = train.augmented(changes)
    return Datasets(train, validation, test)


def network(config: Config, inputs: int, classes: int) -> nn.SNN:
    """Return the configuration's network, its weights drawn with the seed.

    Parameters
    ----------
    config : Config
    inputs, classes : int
        Neurons of the input and of the output.
    """
    # Drawn on the CPU, whatever the default device is: the same numbers on every device.
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):
        torch.manual_seed(config.seed)
        layers = _layers(config, inputs, classes)
        where = _torch_device(config)
        net = nn.SNN(
            *layers,
            backend=config.backend,
            seed=config.seed,
            checkpoint_interval=config.checkpoint_interval,
            precision=config.precision,
            device=config.device if where is None else "host",
        )
        return net if where is None else net.to(where)


def _layers(config: Config, inputs: int, classes: int) -> List[Any]:
    layers: List[Any] = []
    size = inputs
    spiking: Dict[str, Any] = {
        "beta": config.beta,
        "learn_beta": config.learn_beta,
        "surrogate": SuperSpike(slope=config.slope),
        "grad_threshold": config.grad_threshold,
        "weight_dtype": DTYPES[config.weight_dtype],
    }
    for width in config.hidden:
        delay = nn.Delays("axonal", config.delay, learn=True) if config.delay else 0
        layers.append(
            nn.SparseLIF(
                size,
                width,
                recurrent=config.recurrent,
                delay=delay,
                max_activity=config.max_activity,
                max_drops=config.max_drops,
                learn_threshold=config.learn_threshold,
                homeostasis=_homeostasis(config),
                **spiking,
            )
        )
        size = width
    if config.readout == "rate":
        layers.append(nn.SparseLIF(size, classes, **spiking))
    else:
        weights = DTYPES[config.weight_dtype]
        layers.append(nn.SparseLI(size, classes, beta=config.readout_beta, weight_dtype=weights))
    return layers


def _homeostasis(config: Config) -> Optional[nn.Homeostasis]:
    if config.homeostasis is None:
        return None
    return nn.Homeostasis(config.homeostasis, config.homeostasis_rate)


def _torch_device(config: Config) -> Optional[torch.device]:
    """Return the GPU that the parameters lie on; None is the CPU."""
    if config.device.startswith("cuda"):
        if config.backend not in ("torch", "cuda"):
            raise ValueError(
                f"train: device: expected {config.device!r} with the engine torch or cuda, "
                f"got it with {config.backend!r}"
            )
        if not torch.cuda.is_available():
            raise RuntimeError(
                f"train: device: expected a GPU that torch can use for {config.device!r}, got none"
            )
        return torch.device(config.device)
    if config.backend == "cuda" and torch.cuda.is_available():
        return torch.device("cuda")
    return None


def optimizer(config: Config, net: nn.SNN) -> torch.optim.Optimizer:
    """Return Adam, or with weight decay AdamW, on the host or the device."""
    options: Dict[str, Any] = {"lr": config.lr}
    if config.weight_decay:
        options["weight_decay"] = config.weight_decay
    if config.device_update:
        kind: Any = optim.AdamW if config.weight_decay else optim.Adam
        return kind(net, **options)
    where = next(net.parameters()).device
    if config.capture:
        from .. import cuda

        options["lr"] = torch.tensor(config.lr, device=where)
        kind = cuda.AdamW if config.weight_decay else cuda.Adam
        return kind(_groups(config, net, options["lr"]), **options)
    if where.type == "cuda":
        options["fused"] = True
    kind = torch.optim.AdamW if config.weight_decay else torch.optim.Adam
    return kind(_groups(config, net, config.lr), **options)


def _groups(config: Config, net: nn.SNN, rate: Any) -> Any:
    """Return the parameters; delays have a learning rate of their own and no weight decay."""
    delays = [
        module.steps for module in net.modules() if isinstance(module, nn.Delays) and module.learn
    ]
    if not delays:
        return net.parameters()
    own = set(map(id, delays))
    others = [parameter for parameter in net.parameters() if id(parameter) not in own]
    fast = {"params": delays, "lr": rate * config.delay_rate, "weight_decay": 0.0}
    return [{"params": others}, fast]
