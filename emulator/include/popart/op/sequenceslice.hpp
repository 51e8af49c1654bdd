#ifndef popart_op_sequenceslice_hpp
#define popart_op_sequenceslice_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SequenceSliceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SequenceSliceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SequenceSliceOp")) {}
  static int getSourceInIndex() { return 0; }
  static int getDestinationInIndex() { return 1; }
  static int getNInIndex() { return 2; }
  static int getSourceOffsetInIndex() { return 3; }
  static int getDestOffsetInIndex() { return 4; }
  static int getOutIndex() { return 0; }
};

class SequenceSliceInplaceOp : public SequenceSliceOp {
 public:
  template <class... Args>
  explicit SequenceSliceInplaceOp(const Args&...)
      : SequenceSliceOp(
            emulator::absent<const OperatorIdentifier>("popart::SequenceSliceInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_sequenceslice_hpp
