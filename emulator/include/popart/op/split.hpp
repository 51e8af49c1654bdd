#ifndef popart_op_split_hpp
#define popart_op_split_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SplitOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplitOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SplitOp")) {}
  static int getInIndex() { return 0; }
};

class SplitGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SplitGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SplitGradOp")) {}
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_split_hpp
