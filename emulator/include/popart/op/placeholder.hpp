#ifndef popart_op_placeholder_hpp
#define popart_op_placeholder_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class PlaceholderOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit PlaceholderOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::PlaceholderOp")) {}
};

}  // namespace popart

#endif  // popart_op_placeholder_hpp
