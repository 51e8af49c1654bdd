#ifndef popart_op_sgd1nesterov_hpp
#define popart_op_sgd1nesterov_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SGD1NesterovOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SGD1NesterovOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SGD1NesterovOp")) {}
  static int getGradInIndex() { return 0; }
  static int getWeightInIndex() { return 1; }
  static int getVelocityInIndex() { return 2; }
  static int getInverseLossScaleInIndex() { return 3; }
  static int getWdInIndex() { return 4; }
  static int getNgsfInIndex() { return 5; }
  static int getMmInIndex() { return 6; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_sgd1nesterov_hpp
