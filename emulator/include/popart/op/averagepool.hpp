#ifndef popart_op_averagepool_hpp
#define popart_op_averagepool_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/receptive.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class AveragePoolOp : public HasReceptiveFieldOp {
 public:
  template <class... Args>
  explicit AveragePoolOp(const Args&...)
      : HasReceptiveFieldOp(emulator::absent<const OperatorIdentifier>("popart::AveragePoolOp")) {}
  int64_t getNOutChans() const override {
    emulator::missing("popart::AveragePoolOp::getNOutChans");
  }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  Shape getSpatialK() const override { emulator::missing("popart::AveragePoolOp::getSpatialK"); }

 private:
  void setup0() const override { emulator::missing("popart::AveragePoolOp::setup0"); }
};

class AveragePoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AveragePoolGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::AveragePoolGradOp")) {}
  static InIndex getPrePooledInIndex() { return 0; }
  static InIndex getPooledInIndex() { return 1; }
  static InIndex getGradPooledInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  const Shape creatorSpatialK;
  const Shape creatorStrides;
  const Shape creatorLowerPads;
  const Shape creatorUpperPads;
};

}  // namespace popart

#endif  // popart_op_averagepool_hpp
