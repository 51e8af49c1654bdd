#ifndef popart_op_averagepool_hpp
#define popart_op_averagepool_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/receptive.hpp>

namespace popart {

class AveragePoolOp : public HasReceptiveFieldOp {
 public:
  template <class... Args>
  explicit AveragePoolOp(const Args&...)
      : HasReceptiveFieldOp(emulator::absent<const OperatorIdentifier>("popart::AveragePoolOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class AveragePoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AveragePoolGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::AveragePoolGradOp")) {}
  static int getPrePooledInIndex() { return 0; }
  static int getPooledInIndex() { return 1; }
  static int getGradPooledInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_averagepool_hpp
