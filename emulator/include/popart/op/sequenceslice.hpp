#ifndef popart_op_sequenceslice_hpp
#define popart_op_sequenceslice_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SequenceSliceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SequenceSliceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SequenceSliceOp")) {}
  static InIndex getSourceInIndex() { return 0; }
  static InIndex getDestinationInIndex() { return 1; }
  static InIndex getNInIndex() { return 2; }
  static InIndex getSourceOffsetInIndex() { return 3; }
  static InIndex getDestOffsetInIndex() { return 4; }
  static OutIndex getOutIndex() { return 0; }
  const bool zeroUnused;
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
