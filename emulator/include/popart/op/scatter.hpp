#ifndef popart_op_scatter_hpp
#define popart_op_scatter_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/scatterreduce.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ScatterOp : public ScatterReduceOp {
 public:
  template <class... Args>
  explicit ScatterOp(const Args&...)
      : ScatterReduceOp(emulator::absent<const OperatorIdentifier>("popart::ScatterOp")) {}
  static InIndex dataInIndex() { return 0; }
  static InIndex indicesInIndex() { return 1; }
  static InIndex updatesInIndex() { return 2; }
  static OutIndex outIndex() { return 0; }
  virtual InIndex srcDataInIndex() const { emulator::missing("popart::ScatterOp::srcDataInIndex"); }
  virtual InIndex initialValuesInIndex() const {
    emulator::missing("popart::ScatterOp::initialValuesInIndex");
  }
};

class ScatterDataGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterDataGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ScatterDataGradOp")) {}
  static InIndex gradInIndex() { return 0; }
  static InIndex indicesInIndex() { return 1; }
  static OutIndex gradOutIndex() { return 0; }
  int64_t getAxis() const { emulator::missing("popart::ScatterDataGradOp::getAxis"); }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::ScatterDataGradOp::getAvailableMemoryProportion");
  }
};

class ScatterUpdateGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterUpdateGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ScatterUpdateGradOp")) {}
  static InIndex gradInIndex() { return 0; }
  static InIndex indicesInIndex() { return 1; }
  static OutIndex gradOutIndex() { return 0; }
  int64_t getAxis() const { emulator::missing("popart::ScatterUpdateGradOp::getAxis"); }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::ScatterUpdateGradOp::getAvailableMemoryProportion");
  }
};

}  // namespace popart

#endif  // popart_op_scatter_hpp
