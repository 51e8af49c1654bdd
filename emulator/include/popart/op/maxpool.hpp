#ifndef popart_op_maxpool_hpp
#define popart_op_maxpool_hpp

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
class MaxPoolOp : public HasReceptiveFieldOp {
 public:
  template <class... Args>
  explicit MaxPoolOp(const Args&...)
      : HasReceptiveFieldOp(emulator::absent<const OperatorIdentifier>("popart::MaxPoolOp")) {}
  int64_t getNOutChans() const override { emulator::missing("popart::MaxPoolOp::getNOutChans"); }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  Shape getSpatialK() const override { emulator::missing("popart::MaxPoolOp::getSpatialK"); }

 private:
  void setup0() const override { emulator::missing("popart::MaxPoolOp::setup0"); }
};

class MaxPoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MaxPoolGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::MaxPoolGradOp")) {}
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

#endif  // popart_op_maxpool_hpp
