#ifndef popart_op_nop_hpp
#define popart_op_nop_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class NopOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit NopOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::NopOp"),
                           emulator::absent<const Op::Settings>("popart::NopOp")) {}
};

}  // namespace popart

#endif  // popart_op_nop_hpp
