#ifndef popart_op_reverse_hpp
#define popart_op_reverse_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ReverseBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReverseBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReverseBaseOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class ReverseOp : public ReverseBaseOp {
 public:
  template <class... Args>
  explicit ReverseOp(const Args&...)
      : ReverseBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReverseOp")) {}
};

class ReverseInplaceOp : public ReverseBaseOp {
 public:
  template <class... Args>
  explicit ReverseInplaceOp(const Args&...)
      : ReverseBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReverseInplaceOp")) {}
};

class ReverseGradOp : public ReverseOp {
 public:
  template <class... Args>
  explicit ReverseGradOp(const Args&...)
      : ReverseOp(emulator::absent<const OperatorIdentifier>("popart::ReverseGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_reverse_hpp
