#ifndef popart_op_gather_hpp
#define popart_op_gather_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class GatherOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GatherOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GatherOp")) {}
  int64_t getAxis() const { emulator::missing("popart::GatherOp::getAxis"); }
  int64_t getGroupSize() const { emulator::missing("popart::GatherOp::getGroupSize"); }
  static InIndex dataInIndex() { return 0; }
  static InIndex indicesInIndex() { return 1; }
  static OutIndex outIndex() { return 0; }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::GatherOp::getAvailableMemoryProportion");
  }
  void setAvailableMemoryProportion(const nonstd::optional<float>) {
    emulator::missing("popart::GatherOp::setAvailableMemoryProportion");
  }
  bool zeroOutOfRangeIndices() const {
    emulator::missing("popart::GatherOp::zeroOutOfRangeIndices");
  }
};

class GatherGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GatherGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GatherGradOp")) {}
  int64_t getAxis() const { emulator::missing("popart::GatherGradOp::getAxis"); }
  int64_t getGroupSize() const { emulator::missing("popart::GatherGradOp::getGroupSize"); }
  static InIndex gradInIndex() { return 0; }
  static InIndex indicesInIndex() { return 1; }
  static OutIndex gradOutIndex() { return 0; }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::GatherGradOp::getAvailableMemoryProportion");
  }
  void setAvailableMemoryProportion(const nonstd::optional<float>) {
    emulator::missing("popart::GatherGradOp::setAvailableMemoryProportion");
  }
};

}  // namespace popart

#endif  // popart_op_gather_hpp
