#ifndef popart_op_pad_hpp
#define popart_op_pad_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class BasePadOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BasePadOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BasePadOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class BasePadOutplaceOp : public BasePadOp {
 public:
  template <class... Args>
  explicit BasePadOutplaceOp(const Args&...)
      : BasePadOp(emulator::absent<const OperatorIdentifier>("popart::BasePadOutplaceOp")) {}
};

class PadOp : public BasePadOutplaceOp {
 public:
  template <class... Args>
  explicit PadOp(const Args&...)
      : BasePadOutplaceOp(emulator::absent<const OperatorIdentifier>("popart::PadOp")) {}
};

class PadInplaceOp : public BasePadOp {
 public:
  template <class... Args>
  explicit PadInplaceOp(const Args&...)
      : BasePadOp(emulator::absent<const OperatorIdentifier>("popart::PadInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_pad_hpp
