#ifndef popart_op_batchnorm_hpp
#define popart_op_batchnorm_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class BatchNormOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BatchNormOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BatchNormOp")) {}
  static InIndex getXInIndex() { return 0; }
  static InIndex getScaleInIndex() { return 1; }
  static InIndex getBInIndex() { return 2; }
  static InIndex getMeanInIndex() { return 3; }
  static InIndex getVarInIndex() { return 4; }
  static OutIndex getYOutIndex() { return 0; }
  static OutIndex getMeanOutIndex() { return 1; }
  static OutIndex getVarOutIndex() { return 2; }
  static OutIndex getSavedMeanOutIndex() { return 3; }
  static OutIndex getSavedVarOutIndex() { return 4; }
  float getEpsilon() const { emulator::missing("popart::BatchNormOp::getEpsilon"); }
  float getMomentum() const { emulator::missing("popart::BatchNormOp::getMomentum"); }
  int64_t getSpatial() const { emulator::missing("popart::BatchNormOp::getSpatial"); }
  bool useUnbiasedVariance() const {
    emulator::missing("popart::BatchNormOp::useUnbiasedVariance");
  }
  bool isTraining() const { emulator::missing("popart::BatchNormOp::isTraining"); }
};

class BatchNormGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BatchNormGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BatchNormGradOp")) {}
  static InIndex getXInIndex() { return 0; }
  static InIndex getScaleInIndex() { return 1; }
  static InIndex getMeanInIndex() { return 2; }
  static InIndex getVarInIndex() { return 3; }
  static InIndex getYGradInIndex() { return 4; }
  static OutIndex getXOutIndex() { return 0; }
  static OutIndex getScaleOutIndex() { return 1; }
  static OutIndex getBOutIndex() { return 2; }
  float getEpsilon() const { emulator::missing("popart::BatchNormGradOp::getEpsilon"); }
  int64_t getSpatial() const { emulator::missing("popart::BatchNormGradOp::getSpatial"); }
};

}  // namespace popart

#endif  // popart_op_batchnorm_hpp
