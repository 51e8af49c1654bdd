#ifndef popart_op_scatterreduce_hpp
#define popart_op_scatterreduce_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/vendored/optional.hpp>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
enum class ScatterReduction { Sum = 0, Max, Min, Mul, None };

class ScatterReduceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterReduceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ScatterReduceOp")) {}
  virtual InIndex srcDataInIndex() const { return 0; }
  InIndex indicesInIndex() const { return 1; }
  virtual InIndex initialValuesInIndex() const { return 2; }
  OutIndex outIndex() const { return 0; }
  int64_t getAxis() const { emulator::missing("popart::ScatterReduceOp::getAxis"); }
  int64_t getGroupSize() const { emulator::missing("popart::ScatterReduceOp::getGroupSize"); }
  ScatterReduction getReduction() const {
    emulator::missing("popart::ScatterReduceOp::getReduction");
  }
  const Shape& getBackwardShape() const {
    emulator::missing("popart::ScatterReduceOp::getBackwardShape");
  }
  bool indexBroadcasted() const { emulator::missing("popart::ScatterReduceOp::indexBroadcasted"); }
  bool indexBroadcastEnabled() const {
    emulator::missing("popart::ScatterReduceOp::indexBroadcastEnabled");
  }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::ScatterReduceOp::getAvailableMemoryProportion");
  }
  void setAvailableMemoryProportion(const nonstd::optional<float>&) {
    emulator::missing("popart::ScatterReduceOp::setAvailableMemoryProportion");
  }
  static std::string reductionToString(ScatterReduction) {
    emulator::missing("popart::ScatterReduceOp::reductionToString");
  }
  static ScatterReduction reductionFromString(const std::string&) {
    emulator::missing("popart::ScatterReduceOp::reductionFromString");
  }
};

class ScatterReduceGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterReduceGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ScatterReduceGradOp")) {}
  static InIndex gradInIndex() { return 0; }
  static InIndex indicesInIndex() { return 1; }
  static InIndex srcDataInIndex() { return 2; }
  static InIndex fwdOutInIndex() { return 3; }
  static InIndex initialValuesInIndex() { return 4; }
  static OutIndex gradDataOutIndex() { return 0; }
  static OutIndex gradInitialValuesOutIndex() { return 1; }
  int64_t getAxis() const { emulator::missing("popart::ScatterReduceGradOp::getAxis"); }
  int64_t getGroupSize() const { emulator::missing("popart::ScatterReduceGradOp::getGroupSize"); }
  ScatterReduction getReduction() const {
    emulator::missing("popart::ScatterReduceGradOp::getReduction");
  }
  bool indexBroadcasted() const {
    emulator::missing("popart::ScatterReduceGradOp::indexBroadcasted");
  }
  bool indexBroadcastEnabled() const {
    emulator::missing("popart::ScatterReduceGradOp::indexBroadcastEnabled");
  }
  bool hasInitialValues() const {
    emulator::missing("popart::ScatterReduceGradOp::hasInitialValues");
  }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::ScatterReduceGradOp::getAvailableMemoryProportion");
  }
};

inline std::vector<std::size_t> expandIndicesBcastShape(const std::vector<std::size_t>&,
                                                        const std::vector<std::size_t>&,
                                                        unsigned int, bool) {
  emulator::missing("popart::expandIndicesBcastShape");
}

}  // namespace popart

#endif  // popart_op_scatterreduce_hpp
