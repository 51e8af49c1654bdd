#ifndef popart_op_convtranspose_hpp
#define popart_op_convtranspose_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ConvTransposeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConvTransposeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ConvTransposeOp")) {}
  static int getInIndex() { return 0; }
  static int getWeightsInIndex() { return 1; }
  static int getLog2ScaleInIndex() { return 2; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_convtranspose_hpp
