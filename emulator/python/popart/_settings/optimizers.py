"""Optimizers by PopART's names: the numbers of an update, for all or for single weights."""

from __future__ import annotations

from typing import Any, ClassVar, Mapping, Sequence

from .._native import popart_exception
from .enums import (
    AdamMode,
    AdaptiveMode,
    DataType,
    SGDAccumulatorAndMomentum,
    WeightDecayMode,
)


class OptimizerValue:
    """A number of an update.

    Parameters
    ----------
    val : float, or a pair of a number and whether it is constant
    isConst : bool, optional
    """

    def __init__(self, val: Any = 0.0, isConst: bool = True) -> None:
        number, constant = val if isinstance(val, tuple) else (val, isConst)
        self._value, self._constant = float(number), bool(constant)

    def val(self) -> float:
        """Return the number."""
        return self._value

    def isConst(self) -> bool:
        """Whether it stays."""
        return self._constant


class OptimizerValueMap:
    """A number for all weights, and others for single weights.

    Parameters
    ----------
    default : OptimizerValue
    """

    def __init__(self, default: OptimizerValue) -> None:
        self._default = default
        self._specific: dict[str, OptimizerValue] = {}

    def getDefault(self) -> OptimizerValue:
        """Return the number of all weights without one of their own."""
        return self._default

    def insertSpecific(self, name: str, value: OptimizerValue) -> None:
        """Give a weight a number of its own."""
        self._specific[name] = value

    def get(self, name: str) -> OptimizerValue:
        """Return the number of a weight."""
        return self._specific.get(name, self._default)

    def hasSpecific(self, name: str) -> bool:
        """Whether a weight has a number of its own."""
        return name in self._specific


class ClipNormSettings:
    """Weights whose gradients are scaled down together to a norm.

    Parameters
    ----------
    weightIds : sequence of str
    maxNorm : float
    """

    def __init__(self, weightIds: Sequence[str], maxNorm: float) -> None:
        self.weightIds: list[str] | None = list(weightIds)
        self.maxNorm = maxNorm

    @staticmethod
    def clipWeights(weightIds: Sequence[str], maxNorm: float) -> ClipNormSettings:
        """Return settings for these weights."""
        return ClipNormSettings(weightIds, maxNorm)

    @staticmethod
    def clipAllWeights(maxNorm: float) -> ClipNormSettings:
        """Return settings for all weights of a model."""
        settings = ClipNormSettings([], maxNorm)
        settings.weightIds = None
        return settings


class Optimizer:
    """Base: numbers by name.

    Parameters
    ----------
    values : mapping of str to pair
        Number, and whether it is constant, by names as "defaultLearningRate" and "lossScaling".
    clip_norm_settings : sequence of ClipNormSettings

    Raises
    ------
    popart_exception
        Where there is no number of a name.
    """

    unset: ClassVar[dict[str, float]] = {}

    def __init__(
        self, values: Mapping[str, Any], clip_norm_settings: Sequence[ClipNormSettings] = ()
    ) -> None:
        kind = type(self).__name__
        names = {_default(name): name for name in self.unset}
        for name in values:
            if name not in names and name != "lossScaling":
                raise popart_exception(
                    f"{kind}: expected the name of a value such as {next(iter(names))}, got "
                    f"{name!r}"
                )
        self.clip_norm_settings = list(clip_norm_settings)
        self._loss_scaling = OptimizerValue(values.get("lossScaling", 1.0))
        self._values = {
            name: OptimizerValueMap(OptimizerValue(values.get(given, self.unset[name])))
            for given, name in names.items()
        }

    def insertSpecific(self, name: str, values: Mapping[str, Any]) -> None:
        """Give a weight numbers of its own, as {"learningRate": (0.1, True)}.

        Raises
        ------
        popart_exception
            Where there is no number of a name.
        """
        for key in values:
            if key not in self._values:
                raise popart_exception(
                    f"{type(self).__name__}.insertSpecific: expected the name of a value such as "
                    f"{next(iter(self._values))}, got {key!r}"
                )
        for key, numbers in self._values.items():
            given = values.get(key)
            value = numbers.getDefault() if given is None else OptimizerValue(given)
            numbers.insertSpecific(name, value)

    def hasSpecific(self, name: str) -> bool:
        """Whether a weight has numbers of its own."""
        return any(numbers.hasSpecific(name) for numbers in self._values.values())

    def getLossScalingVal(self) -> float:
        """Return the number that the loss is multiplied by."""
        return self._loss_scaling.val()

    def of(self, name: str) -> dict[str, float]:
        """Return the numbers of a weight."""
        return {key: numbers.get(name).val() for key, numbers in self._values.items()}

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_values", {})
        if name.endswith("s") and name[:-1] in values:
            return lambda: values[name[:-1]]
        if name in values:
            return lambda: values[name]
        raise AttributeError(name)


def _default(name: str) -> str:
    """Return "defaultLearningRate" for "learningRate"."""
    return "default" + name[0].upper() + name[1:]


class SGD(Optimizer):
    """Stochastic gradient descent.

    Parameters
    ----------
    values : mapping of str to pair
        With defaultLearningRate (0.1), defaultWeightDecay, defaultMomentum, defaultDampening,
        defaultVelocityScaling, defaultNesterov, lossScaling.
    """

    unset: ClassVar[dict[str, float]] = {
        "learningRate": 0.1,
        "weightDecay": 0.0,
        "momentum": 0.0,
        "dampening": 0.0,
        "velocityScaling": 1.0,
        "nesterov": 0.0,
    }

    def __init__(
        self,
        values: Mapping[str, Any] | None = None,
        clip_norm_settings: Sequence[ClipNormSettings] = (),
        accumulatorAndMomentum: Any = SGDAccumulatorAndMomentum.Combined,
        accumType: Any = DataType.UNDEFINED,
        accl1Type: Any = DataType.UNDEFINED,
        debugContext: Any = "sgd",
    ) -> None:
        super().__init__(values or {}, clip_norm_settings)
        self.accumulatorAndMomentum = accumulatorAndMomentum


class ConstSGD(SGD):
    """Stochastic gradient descent by constants.

    Parameters
    ----------
    learning_rate, weight_decay, loss_scaling : float
    """

    def __init__(
        self,
        learning_rate: float,
        weight_decay: float = 0.0,
        loss_scaling: float = 1.0,
        clip_norm_settings: Sequence[ClipNormSettings] = (),
    ) -> None:
        super().__init__(
            {
                "defaultLearningRate": (learning_rate, True),
                "defaultWeightDecay": (weight_decay, True),
                "lossScaling": (loss_scaling, True),
            },
            clip_norm_settings,
        )


class Adam(Optimizer):
    """Adam, AdaMax and LAMB.

    Parameters
    ----------
    values : mapping of str to pair
        With defaultLearningRate (0.1), defaultWeightDecay, defaultBeta1 (0.9), defaultBeta2
        (0.999), defaultEps (1e-6), defaultMaxWeightNorm (10), lossScaling.
    mode : AdamMode
    weight_decay_mode : WeightDecayMode
    """

    unset: ClassVar[dict[str, float]] = {
        "learningRate": 0.1,
        "weightDecay": 0.0,
        "beta1": 0.9,
        "beta2": 0.999,
        "eps": 1e-6,
        "maxWeightNorm": 10.0,
    }

    def __init__(
        self,
        values: Mapping[str, Any],
        mode: Any = AdamMode.Adam,
        weight_decay_mode: Any = WeightDecayMode.Decay,
        accum_type: Any = DataType.UNDEFINED,
        accl1_type: Any = DataType.FLOAT,
        accl2_type: Any = DataType.FLOAT,
        clip_norm_settings: Sequence[ClipNormSettings] = (),
        scaled_optimizer_state: bool = False,
        debugContext: Any = "adam",
    ) -> None:
        super().__init__(values, clip_norm_settings)
        self.mode, self.weight_decay_mode = mode, weight_decay_mode


class Adaptive(Optimizer):
    """AdaGrad, RMSProp (also centred) and AdaDelta.

    Parameters
    ----------
    values : mapping of str to pair
        With defaultLearningRate (0.01), defaultWeightDecay, defaultAlpha (0.99), defaultMomentum,
        defaultEps (1e-6), lossScaling.
    mode : AdaptiveMode
    weight_decay_mode : WeightDecayMode
    rmsprop_tf_variant : bool
        Epsilon inside of the root, and the rate inside of the momentum.
    """

    unset: ClassVar[dict[str, float]] = {
        "learningRate": 0.01,
        "weightDecay": 0.0,
        "alpha": 0.99,
        "momentum": 0.0,
        "eps": 1e-6,
    }

    def __init__(
        self,
        values: Mapping[str, Any],
        mode: Any = AdaptiveMode.RMSProp,
        weight_decay_mode: Any = WeightDecayMode.Decay,
        accum_type: Any = DataType.UNDEFINED,
        accl1_type: Any = DataType.FLOAT,
        accl2_type: Any = DataType.FLOAT,
        accl3_type: Any = DataType.UNDEFINED,
        rmsprop_tf_variant: bool = False,
        debugContext: Any = "adaptive",
    ) -> None:
        super().__init__(values)
        self.mode, self.weight_decay_mode = mode, weight_decay_mode
        self.tf_variant = rmsprop_tf_variant
