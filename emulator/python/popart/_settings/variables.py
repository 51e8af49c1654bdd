"""Groups of replicas that hold the same variable, and which of their values come back."""

from __future__ import annotations

from typing import Any, Sequence

from .._native import popart_exception
from .enums import CommGroupType, VariableRetrievalMode


class CommGroup:
    """Replicas that work together.

    Parameters
    ----------
    type : CommGroupType, optional
    replicaGroupSize : int, optional
        Size of groups that are Consecutive or Orthogonal.
    """

    def __init__(self, type: Any = CommGroupType.All, replicaGroupSize: int = 0) -> None:
        self.type = type
        self.replicaGroupSize = replicaGroupSize

    def __repr__(self) -> str:
        return f"CommGroup(type={self.type.name}, replicaGroupSize={self.replicaGroupSize})"


class VariableSettings:
    """Replicas that hold the same variable, and which of its values come back.

    Parameters
    ----------
    *settings : a CommGroup, a VariableRetrievalMode, both, or a stride, a group size and a mode
    sharedVariableDomain_, retrievalMode_, stride, groupSize, mode : optional
        The same by name.

    Raises
    ------
    popart_exception
        Where the size of a group is below 1 and its type needs one.
    """

    def __init__(self, *settings: Any, **named: Any) -> None:
        self._group: CommGroup | None = CommGroup()
        self._mode = VariableRetrievalMode.OnePerGroup
        self._stride = 0
        values = list(settings) + list(named.values())
        numbers = [value for value in values if type(value) is int]
        if numbers:
            self._group = None
            self._stride, self._size = numbers
        for value in values:
            if isinstance(value, CommGroup):
                self._group = value
            elif isinstance(value, VariableRetrievalMode):
                self._mode = value
        if self._group is not None:
            self._size = self._group.replicaGroupSize
        self.verify()

    def verify(self) -> None:
        """Refuse groups without a size."""
        sized = self._group is None or self._group.type in (
            CommGroupType.Consecutive,
            CommGroupType.Orthogonal,
        )
        if sized and self._size < 1:
            raise popart_exception(
                f"VariableSettings: expected a group of at least 1 replica, got {self._size}"
            )

    def groups(self, replicas: int) -> list[list[int]]:
        """Return the replicas of each group."""
        size, stride = self._size, self._stride or 1
        kind = None if self._group is None else self._group.type
        if kind == CommGroupType.All:
            size = replicas
        elif kind == CommGroupType.Ungrouped:
            size = 1
        elif kind == CommGroupType.Orthogonal:
            stride = replicas // max(size, 1)
        if replicas % size or ((replicas // size) % stride and size > 1 and stride > 1):
            raise popart_exception(
                f"VariableSettings: expected groups that divide {replicas} replicas, got groups "
                f"of {size} with a stride of {stride}"
            )
        out: list[list[int]] = []
        left = list(range(replicas))
        while left:
            out.append([left[0] + i * stride for i in range(size)])
            left = [replica for replica in left if replica not in out[-1]]
        return out

    def getGroupCount(self, replicas: int) -> int:
        """Return the number of groups."""
        return len(self.groups(replicas))

    def getRealGroupSize(self, replicas: int) -> int:
        """Return the number of replicas of a group."""
        return len(self.groups(replicas)[0])

    def getGroupRepresentative(self, group: int, replicas: int | None = None) -> int:
        """Return the replica that speaks for a group."""
        if replicas is not None:
            return self.groups(replicas)[group][0]
        kind = None if self._group is None else self._group.type
        return group * self._size if kind == CommGroupType.Consecutive else group

    def numReplicasReturningVariable(self, replicas: int) -> int:
        """Return how many values come back."""
        if self._mode == VariableRetrievalMode.AllReplicas:
            return replicas
        return self.getGroupCount(replicas)

    def getSharedVariableDomain(self) -> CommGroup:
        """Return the group that this was made with."""
        if self._group is None:
            raise popart_exception(
                "getSharedVariableDomain: expected settings of a CommGroup, got those of a stride"
            )
        return self._group

    def isUsingCommGroup(self) -> bool:
        """Whether a CommGroup names the replicas."""
        return self._group is not None

    def getCommGroupType(self) -> Any:
        """Return the type of the group."""
        return self.getSharedVariableDomain().type

    def getStride(self) -> int:
        """Return the distance of the replicas of a group."""
        return self._stride

    def getGroupSize(self) -> int:
        """Return the size that this was made with."""
        return self._size

    def getRetrievalMode(self) -> Any:
        """Return which values come back."""
        return self._mode

    def shapeOnReplica(self, shape: Sequence[int], replicas: int, name: str) -> list[int]:
        """Return the shape on a replica of a variable with this shape on the host.

        Raises
        ------
        popart_exception
            Where there are several groups and the first dimension is not their number.
        """
        count = self.getGroupCount(replicas)
        if count == 1:
            return list(shape)
        if not shape or shape[0] != count:
            raise popart_exception(
                f"Variable {name!r}: expected a first dimension of {count} groups, got shape "
                f"{list(shape)}"
            )
        return list(shape[1:])

    def shapeOnHost(self, shape: Sequence[int], replicas: int) -> list[int]:
        """Return the shape on the host of a variable with this shape on a replica."""
        count = self.getGroupCount(replicas)
        return list(shape) if count == 1 else [count, *shape]
