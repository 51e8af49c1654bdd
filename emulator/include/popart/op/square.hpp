#ifndef popart_op_square_hpp
#define popart_op_square_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SquareOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit SquareOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::SquareOp"),
                           emulator::absent<const Op::Settings>("popart::SquareOp")) {}
};

}  // namespace popart

#endif  // popart_op_square_hpp
