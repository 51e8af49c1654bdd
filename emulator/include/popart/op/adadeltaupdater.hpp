#ifndef popart_op_adadeltaupdater_hpp
#define popart_op_adadeltaupdater_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/optimizervalue.hpp>

namespace popart {

class AdaDeltaUpdaterOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AdaDeltaUpdaterOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::AdaDeltaUpdaterOp")) {}
  const OptimizerValue initEps;
  static InIndex getGradInIndex() { return 0; }
  static InIndex getAccl1InIndex() { return 1; }
  static InIndex getAccl2InIndex() { return 2; }
  static InIndex getEpsInIndex() { return 3; }
  static OutIndex getUpdaterOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_adadeltaupdater_hpp
