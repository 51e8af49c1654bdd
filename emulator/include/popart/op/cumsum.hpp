#ifndef popart_op_cumsum_hpp
#define popart_op_cumsum_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class CumSumOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CumSumOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CumSumOp")) {}
  static int xInIndex() { return 0; }
  static int axisInIndex() { return 1; }
  static int outIndex() { return 0; }
};

class CumSumGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CumSumGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CumSumGradOp")) {}
  static int outGradXInIndex() { return 0; }
  static int fwdXInIndex() { return 1; }
  static int outIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_cumsum_hpp
