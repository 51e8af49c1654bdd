#ifndef popart_op_instancenorm_hpp
#define popart_op_instancenorm_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class InstanceNormOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit InstanceNormOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::InstanceNormOp")) {}
  static InIndex getInputInIndex() { return 0; }
  static InIndex getScaleInIndex() { return 1; }
  static InIndex getBInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  static OutIndex getMeanOutIndex() { return 1; }
  static OutIndex getInvStdDevOutIndex() { return 2; }
  float getEpsilon() const { emulator::missing("popart::InstanceNormOp::getEpsilon"); }
};

class InstanceNormGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit InstanceNormGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::InstanceNormGradOp")) {}
  static InIndex getInputInIndex() { return 0; }
  static InIndex getScaleInIndex() { return 1; }
  static InIndex getOutGradInIndex() { return 2; }
  static InIndex getMeanInIndex() { return 3; }
  static InIndex getInvStdDevInIndex() { return 4; }
  static OutIndex getInputOutIndex() { return 0; }
  static OutIndex getScaleOutIndex() { return 1; }
  static OutIndex getBOutIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_instancenorm_hpp
