#ifndef popart_op_groupnorm_hpp
#define popart_op_groupnorm_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class GroupNormOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GroupNormOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GroupNormOp")) {}
  static InIndex getXInIndex() { return 0; }
  static InIndex getScaleInIndex() { return 1; }
  static InIndex getBInIndex() { return 2; }
  static OutIndex getYOutIndex() { return 0; }
  static OutIndex getMeanOutIndex() { return 1; }
  static OutIndex getInvStdDevOutIndex() { return 2; }
  float getEpsilon() const { emulator::missing("popart::GroupNormOp::getEpsilon"); }
  int64_t getNumGroups() const { emulator::missing("popart::GroupNormOp::getNumGroups"); }
};

class GroupNormGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GroupNormGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GroupNormGradOp")) {}
  static InIndex getXInIndex() { return 0; }
  static InIndex getScaleInIndex() { return 1; }
  static InIndex getMeanInIndex() { return 2; }
  static InIndex getInvStdDevInIndex() { return 3; }
  static InIndex getYGradInIndex() { return 4; }
  static OutIndex getXGradOutIndex() { return 0; }
  static OutIndex getScaleOutIndex() { return 1; }
  static OutIndex getBOutIndex() { return 2; }
  float getEpsilon() const { emulator::missing("popart::GroupNormGradOp::getEpsilon"); }
};

}  // namespace popart

#endif  // popart_op_groupnorm_hpp
