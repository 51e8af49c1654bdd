#ifndef popart_op_lrn_hpp
#define popart_op_lrn_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class LRNOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LRNOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LRNOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class LRNGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LRNGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LRNGradOp")) {}
  static int getInIndex() { return 0; }
  static int getFwdInInIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_lrn_hpp
