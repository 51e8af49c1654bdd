#ifndef popart_op_maxpool_hpp
#define popart_op_maxpool_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/receptive.hpp>

namespace popart {

class MaxPoolOp : public HasReceptiveFieldOp {
 public:
  template <class... Args>
  explicit MaxPoolOp(const Args&...)
      : HasReceptiveFieldOp(emulator::absent<const OperatorIdentifier>("popart::MaxPoolOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class MaxPoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MaxPoolGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::MaxPoolGradOp")) {}
  static int getPrePooledInIndex() { return 0; }
  static int getPooledInIndex() { return 1; }
  static int getGradPooledInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_maxpool_hpp
