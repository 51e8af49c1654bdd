#ifndef popart_taskid_hpp
#define popart_taskid_hpp

#include <cstddef>
#include <functional>
#include <ostream>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/vendored/optional.hpp>

namespace popart {

class TaskId;
inline std::ostream& operator<<(std::ostream&, const TaskId&) {
  emulator::missing("popart::operator<<");
}

class TaskId {
 public:
  enum class Type {
    AnchorStreamToHostTask = 0,
    AnchorSumTask,
    AnchorToHostTask,
    FromHostTask,
    FromHostUpdateTask,
    FromOpTask,
    InitBatchCounterTensorsTask,
    InitRngSeedsTask,
    InitRandomSeedTask,
    InitRngStateTensorTask,
    InitTensorTask,
    PipelinedCopyTask,
    RandomSeedToHostTask,
    RngStateFromHostTask,
    RngStateToHostTask,
    SetInitTensorValTask,
    StreamFromHostTask,
    UpdateBatchCountTask,
    WeightStreamToHostTask,
    WeightToHostTask,
    Undefined
  };
  TaskId() { emulator::missing("popart::TaskId"); }
  explicit TaskId(Type) { emulator::missing("popart::TaskId"); }
  TaskId(Type, const TensorId&) { emulator::missing("popart::TaskId"); }
  TaskId(Type, const OpId&, const OperatorIdentifier&) { emulator::missing("popart::TaskId"); }
  TaskId(Type, const OpId&, const OperatorIdentifier&, const OpxGrowPartId&) {
    emulator::missing("popart::TaskId");
  }
  TaskId(Type, nonstd::optional<TensorId>, nonstd::optional<OpId>,
         nonstd::optional<OperatorIdentifier>, nonstd::optional<OpxGrowPartId>) {
    emulator::missing("popart::TaskId");
  }
  bool empty() const { emulator::missing("popart::TaskId::empty"); }
  bool operator<(const TaskId&) const { emulator::missing("popart::TaskId::operator<"); }
  bool operator==(const TaskId&) const { emulator::missing("popart::TaskId::operator=="); }
  const nonstd::optional<TensorId>& getTensorId() const {
    emulator::missing("popart::TaskId::getTensorId");
  }
  const Type& getType() const { emulator::missing("popart::TaskId::getType"); }
};

inline std::ostream& operator<<(std::ostream&, const TaskId::Type&) {
  emulator::missing("popart::operator<<");
}

}  // namespace popart

namespace std {

template <>
struct hash<popart::TaskId> {
  std::size_t operator()(const popart::TaskId&) const {
    popart::emulator::missing("std::hash<popart::TaskId>");
  }
};

}  // namespace std

#endif  // popart_taskid_hpp
