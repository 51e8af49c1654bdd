#ifndef popart_op_expand_hpp
#define popart_op_expand_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ExpandOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ExpandOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ExpandOp")) {}
  static int getInTensorIndex() { return 0; }
  static int getInShapeIndex() { return 1; }
  static int getOutIndex() { return 0; }
};

class ExpandInplaceOp : public ExpandOp {
 public:
  template <class... Args>
  explicit ExpandInplaceOp(const Args&...)
      : ExpandOp(emulator::absent<const OperatorIdentifier>("popart::ExpandInplaceOp")) {}
};

class ExpandGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ExpandGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ExpandGradOp")) {}
  static int getDYIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_expand_hpp
