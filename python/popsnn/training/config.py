"""Config: everything that a training is asked for."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from .._internal.auto_capacity import AUTO, MAX_DROPS
from .options import (
    AMOUNT,
    BELOW_ONE,
    COUNT,
    COUNTS,
    FLAG,
    FRACTION_OR_AUTO,
    NUMBER,
    OPEN_UNIT,
    POSITIVE,
    TEXT,
    TWO_BELOW_ONE,
    UNIT,
    WHOLE,
    converted,
    one_of,
    option,
)
from .yaml_file import read_mapping, shown

CONFIGS = Path(__file__).resolve().parent / "configs"
CONFIG_FILE = "config.yaml"
SCHEDULES = ("linear", "cosine")  # of the activity penalty
READOUTS = ("mean", "max", "rate", "step")
WEIGHT_TYPES = ("float32", "float16", "bfloat16")
PRECISIONS = ("float32", "tf32")

# Options of the data by dataset; the others must be None.
DATA_OPTIONS: Dict[str, Tuple[str, ...]] = {
    "digits": (),
    "randman": (),
    "fsdd": ("data", "held_out", "dt", "downsample"),
    "shd": ("data", "dt", "downsample"),
    "ssc": ("data", "dt", "downsample"),
    "nmnist": ("data", "dt", "downsample"),
    "ncaltech101": ("data", "dt", "downsample"),
    "dvsgesture": ("data", "dt", "downsample"),
    "cifar10dvs": ("data", "dt", "downsample"),
}
NEEDS_DATA = ("shd", "ssc", "nmnist", "ncaltech101", "dvsgesture", "cifar10dvs")
OWN_VALIDATION = ("ssc",)  # datasets with a validation set
DATASETS = tuple(DATA_OPTIONS)


@dataclass(frozen=True)
class Recipe:
    """Recipe of a training.

    The learning rate rises over the warm-up and then falls to zero as half a cosine, epoch by
    epoch. `grad_threshold` of the layers moves, step by step, in a straight line from
    `grad_threshold_start` to `grad_threshold` over the first `grad_threshold_epochs`. The width of
    learnt delays moves likewise, from `delay_width` to 0 over the first half of the epochs; then
    they are rounded.

    With the readout "step" the loss is the mean over the labelled time steps of a batch, and
    accuracies are fractions of these. `truncate` is truncated backpropagation through time: a
    sequence runs in chunks of so many steps, each begins with the state that the one before ended
    with, detached, and its graph is gone before the next. The gradients of a batch's chunks add up
    to one update, so that learning rates stay what they were; with `update_chunks` each chunk's own
    loss has its update.

    Raises
    ------
    ValueError
        Where a value is out of range.
    """

    epochs: int = option(COUNT, 20, "passes over the training set")
    batch_size: int = option(COUNT, 60, "samples a training step")
    warmup: int = option(WHOLE, 0, "epochs over which the learning rate rises to its highest")
    readout: str = option(
        one_of(*READOUTS),
        "mean",
        "score of a class: membrane of a leaky readout, its mean over the steps or its maximum, or "
        "at each step with a loss at each (step), or how often a neuron of a spiking last layer "
        "fires (rate)",
    )
    label_smoothing: float = option(
        BELOW_ONE, 0.0, "fraction of the target spread over all classes"
    )
    clip: Optional[float] = option(POSITIVE, None, "largest norm of all gradients together")
    activity_weight: float = option(
        AMOUNT, 0.0, "weight of the mean square of the hidden rates' excess over the target"
    )
    activity_target: float = option(
        UNIT, 0.05, "hidden rate, spikes a time step, that costs nothing"
    )
    activity_epochs: int = option(
        WHOLE, 0, "epochs over which the activity penalty rises to its weight; 0 is constant"
    )
    activity_schedule: str = option(
        one_of(*SCHEDULES), "linear", "how the activity penalty rises: a line, or half a cosine"
    )
    grad_threshold: Optional[float] = option(
        NUMBER, None, "gradient threshold: no gradient passes a neuron whose membrane lies below"
    )
    grad_threshold_start: Optional[float] = option(
        NUMBER, None, "gradient threshold in the first training step, if it moves"
    )
    grad_threshold_epochs: int = option(COUNT, 1, "epochs over which the gradient threshold moves")
    delay_width: Optional[float] = option(
        AMOUNT,
        None,
        "width of the triangle that spreads learnt delays in the first training step; it falls to "
        "0 over the first half of the epochs, and then they are rounded",
    )
    patience: Optional[int] = option(
        COUNT, None, "stop after so many epochs without a better validation accuracy"
    )
    truncate: Optional[int] = option(
        COUNT, None, "steps of a time chunk, which the gradient does not leave; readout step"
    )
    update_chunks: bool = option(
        FLAG, False, "update the weights after each chunk of truncate, not once a batch"
    )
    seed: int = option(WHOLE, 0, "seed of weights, order, augmentation and drops")
    capture: bool = option(
        FLAG,
        False,
        "launch the cuda engine's training step as one CUDA graph; a loss that is not "
        "finite stops the training after the weights have changed",
    )
    workers: int = option(WHOLE, 0, "processes that make batches", free=True)
    save_seconds: float = option(
        AMOUNT, 300.0, "longest time between two checkpoints, within epochs too", free=True
    )
    tensorboard: bool = option(FLAG, False, "write events for TensorBoard", free=True)
    pictures: bool = option(FLAG, True, "draw the pictures at the end", free=True)

    def __post_init__(self) -> None:
        for field in fields(self):
            value = converted(f"train: {field.name}", getattr(self, field.name), field.metadata)
            object.__setattr__(self, field.name, value)

    def settings(self) -> Dict[str, Any]:
        """Return the options as plain values."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


@dataclass(frozen=True)
class Config(Recipe):
    """A training on one of popsnn's datasets: data, network, engine and recipe.

    Raises
    ------
    ValueError
        Where a value is out of range or does not go with the others.
    """

    dataset: str = option(one_of(*DATASETS), "digits", "dataset to train on")
    data: Optional[str] = option(TEXT, None, "folder or archive with the dataset", free=True)
    held_out: Optional[str] = option(TEXT, None, "speaker that is the test set")
    steps: int = option(COUNT, 8, "time steps a sample")
    dt: Optional[float] = option(
        POSITIVE,
        None,
        "seconds a time step; none divides each recording's length by the steps",
    )
    downsample: Optional[float] = option(
        POSITIVE, None, "channels or pixels, along a side, of a neuron"
    )
    validation: float = option(BELOW_ONE, 0.0, "fraction of the training set to validate on")
    shift: int = option(WHOLE, 0, "augmentation: furthest move of a sample, in neurons")
    drop: float = option(BELOW_ONE, 0.0, "augmentation: fraction of the spikes that are left out")
    jitter: float = option(AMOUNT, 0.0, "augmentation: deviation of the spikes' times, in steps")
    offset: int = option(WHOLE, 0, "augmentation: furthest move of a sample in time, in steps")
    hidden: Tuple[int, ...] = option(COUNTS, (256,), "neurons of each hidden layer")
    recurrent: bool = option(FLAG, False, "connect each hidden layer to itself")
    max_activity: Union[float, str, None] = option(
        FRACTION_OR_AUTO,
        AUTO,
        "capacity of a hidden layer, as a fraction of its neurons; auto follows what fires",
        optional=True,
    )
    max_drops: Optional[Tuple[float, float]] = option(
        TWO_BELOW_ONE,
        None,
        "largest fractions of spikes and of gradients that max_activity auto drops; none is "
        f"{MAX_DROPS[0]:g} {MAX_DROPS[1]:g}",
    )
    beta: float = option(UNIT, 0.95, "decay factor of the hidden neurons")
    learn_beta: bool = option(FLAG, False, "learn the decay factor of each neuron")
    learn_threshold: bool = option(FLAG, False, "learn the threshold of each hidden neuron")
    homeostasis: Optional[float] = option(
        OPEN_UNIT,
        None,
        "rate, spikes a time step, towards which the threshold of each hidden neuron moves it",
    )
    homeostasis_rate: float = option(
        POSITIVE, 0.5, "how far a threshold moves in a step for each unit of the rate's error"
    )
    delay: int = option(
        WHOLE, 0, "learn a delay of each input of the hidden layers, of up to so many time steps"
    )
    delay_rate: float = option(
        POSITIVE, 10.0, "learning rate of delays, as a multiple of the learning rate"
    )
    slope: float = option(POSITIVE, 5.0, "slope of the surrogate derivative SuperSpike")
    readout_beta: float = option(UNIT, 1.0, "decay factor of the readout")
    weight_dtype: str = option(
        one_of(*WEIGHT_TYPES), "float32", "mixed precision: type in which weights are used"
    )
    init: Optional[str] = option(TEXT, None, "folder of a finished run whose weights to start from")
    backend: str = option(TEXT, "auto", "engine: auto, torch, ipu or cuda")
    device: str = option(TEXT, "host", "device of the ipu engine, or cuda[:N] for torch on a GPU")
    checkpoint_interval: Optional[int] = option(
        COUNT,
        None,
        "steps that are saved at a time: the backward pass repeats the forward pass of one such "
        "interval after the other",
    )
    precision: str = option(
        one_of(*PRECISIONS),
        "float32",
        "least precision of products with float32 weights: tf32 is faster on the cuda engine",
    )
    device_update: bool = option(FLAG, False, "let the ipu engine's device update the weights")
    lr: float = option(POSITIVE, 0.01, "highest learning rate")
    weight_decay: float = option(AMOUNT, 0.0, "weight decay of AdamW; 0 is Adam")
    out: str = option(TEXT, "runs/digits", "folder of the run", free=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        has = DATA_OPTIONS[self.dataset]
        for name in ("data", "held_out", "dt", "downsample"):
            if name not in has and getattr(self, name) is not None:
                raise ValueError(
                    f"train: {name}: expected none for the dataset {self.dataset}, "
                    f"got {getattr(self, name)!r}"
                )
        if self.dataset in NEEDS_DATA and self.data is None:
            raise ValueError(
                f"train: data: expected the folder that keeps the dataset {self.dataset}, got none"
            )
        if "downsample" in has and self.downsample is None:
            object.__setattr__(self, "downsample", 1.0)
        own = self.dataset in OWN_VALIDATION
        if own and self.validation:
            raise ValueError(
                f"train: validation: expected 0 for the dataset {self.dataset}, which has a "
                f"validation set, got {self.validation:g}"
            )
        check_recipe(self)
        if self.max_drops is not None and self.max_activity != AUTO:
            raise ValueError(
                "train: max_drops: expected none where max_activity is not auto, got "
                f"{shown(list(self.max_drops))}"
            )
        if self.homeostasis is not None and self.learn_threshold:
            raise ValueError(
                "train: homeostasis: expected none where thresholds are learnt (learn_threshold), "
                f"got {self.homeostasis:g}"
            )
        if self.patience is not None and not (self.validation or own):
            raise ValueError(
                "train: patience: expected a validation set (validation above 0), got none"
            )
        if self.capture and self.backend != "cuda":
            raise ValueError(
                f"train: capture: expected the engine cuda (backend), got {self.backend!r}"
            )
        if self.device_update and self.truncate is not None and not self.update_chunks:
            raise ValueError(
                "train: truncate: expected update_chunks while the device updates the weights, "
                "which adds up no gradients"
            )
        if self.device_update and self.checkpoint_interval is not None:
            raise ValueError(
                "train: checkpoint_interval: expected none while the device updates the weights, "
                f"which adds up no gradients, got {self.checkpoint_interval}"
            )
        if self.delay_width is not None and not self.delay:
            raise ValueError(
                f"train: delay_width: expected none without learnt delays (delay 0), got "
                f"{self.delay_width:g}"
            )
        if self.device_update and self.clip is not None:
            raise ValueError(
                "train: clip: expected none while the device updates the weights, where no "
                f"gradient comes to the host, got {self.clip:g}"
            )


def check_recipe(recipe: Recipe) -> None:
    """Raise where options of a recipe do not go together."""
    if recipe.warmup >= recipe.epochs and recipe.warmup:
        raise ValueError(
            f"train: warmup: expected fewer than the {recipe.epochs} epochs, got {recipe.warmup}"
        )
    start, end = recipe.grad_threshold_start, recipe.grad_threshold
    if start is not None and (end is None or start > end):
        raise ValueError(
            f"train: grad_threshold_start: expected at most grad_threshold {end}, got {start}"
        )
    if recipe.truncate is not None and recipe.readout != "step":
        raise ValueError(
            "train: truncate: expected the readout step, whose loss no later chunk changes, got "
            f"{recipe.readout!r}"
        )
    if recipe.truncate is None and recipe.update_chunks:
        raise ValueError("train: update_chunks: expected truncate, the steps of a chunk, got none")
    if recipe.capture and recipe.truncate is not None:
        raise ValueError(
            "train: capture: expected no truncate, since a graph holds one chunk, got "
            f"{recipe.truncate}"
        )
    if recipe.capture and recipe.delay_width:
        raise ValueError(
            "train: capture: expected a constant width of delays (delay_width none), which the "
            f"graph holds, got {recipe.delay_width:g}"
        )
    if recipe.capture and start is not None:
        raise ValueError(
            "train: capture: expected a constant gradient threshold (grad_threshold_start "
            f"none), which the graph holds, got {start}"
        )


def shipped() -> Dict[str, Path]:
    """Return the configurations that come with popsnn, by name."""
    return {path.stem: path for path in sorted(CONFIGS.glob("*.yaml"))}


def read(source: Union[str, Path]) -> Dict[str, Any]:
    """Return the options in a YAML file, or in the shipped configuration of that name.

    Raises
    ------
    FileNotFoundError
        Where there is no such file or name.
    ValueError
        Where it is no mapping of options.
    """
    path = shipped().get(str(source), Path(source))
    if not path.is_file():
        raise FileNotFoundError(
            f"train: config: expected a file or one of {', '.join(shipped())}, got '{source}'"
        )
    options = read_mapping(path, f"train: config: {path}")
    _check_names(options, f"train: config: {path}")
    return options


def _check_names(entries: Mapping[str, Any], where: str) -> None:
    known = {field.name for field in fields(Config)}
    for name in entries:
        if name not in known:
            raise ValueError(f"{where}: expected an option of popsnn train, got {shown(name)}")


def merged(
    dataset: Optional[str], source: Union[str, Path, None], changes: Mapping[str, Any]
) -> Config:
    """Return a dataset's shipped configuration, changed by a file's and then by single options.

    A shipped configuration that is named as the file stands alone.

    Parameters
    ----------
    dataset : str, optional
        Default: that of the file, else digits.
    source : str or Path, optional
        As in `read`.
    changes : mapping of options

    Raises
    ------
    FileNotFoundError, ValueError
        As in `read` and `Config`.
    """
    options = {} if source is None else read(source)
    whole = str(source) in shipped()
    return _over(dataset, options, f"the configuration {source}", changes, whole)


def resumed(
    dataset: Optional[str], settings: Mapping[str, Any], path: Path, changes: Mapping[str, Any]
) -> Config:
    """Return the configuration of a run from its checkpoint, changed by single options.

    Parameters
    ----------
    dataset : str, optional
        Default: that of the run.
    settings : mapping of options
        As the checkpoint has them.
    path : Path
        Of the checkpoint, for messages.
    changes : mapping of options

    Raises
    ------
    ValueError
        As in `Config`, or where the settings are not those of `popsnn train`.
    """
    _check_names(settings, f"resume: {path}")
    return _over(dataset, settings, str(path), changes, False)


def _over(
    dataset: Optional[str],
    entries: Mapping[str, Any],
    where: str,
    changes: Mapping[str, Any],
    whole: bool,
) -> Config:
    """Return `held`, from `where`, over the shipped configuration unless it is `whole`."""
    named = entries.get("dataset")
    if dataset is not None and named is not None and named != dataset:
        raise ValueError(f"train: dataset: expected {named!r} as in {where}, got {dataset!r}")
    name = dataset or named or "digits"
    if name not in DATASETS:
        raise ValueError(f"train: dataset: expected one of {', '.join(DATASETS)}, got {name!r}")
    base = {} if whole else read(CONFIGS / f"{name}.yaml")
    return Config(**{**base, **entries, **changes, "dataset": name})


def as_yaml(config: Config) -> str:
    """Return all options of a configuration as the YAML that `read` takes."""
    import yaml

    return str(yaml.safe_dump(config.settings(), sort_keys=False))


def write(config: Config, path: Path) -> None:
    """Write a configuration that `read` takes."""
    path.write_text(as_yaml(config), encoding="utf-8")
