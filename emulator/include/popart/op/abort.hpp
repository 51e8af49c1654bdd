#ifndef popart_op_abort_hpp
#define popart_op_abort_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class AbortOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AbortOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AbortOp")) {}
  static InIndex getInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_abort_hpp
