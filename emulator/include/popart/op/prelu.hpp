#ifndef popart_op_prelu_hpp
#define popart_op_prelu_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>

namespace popart {

struct OperatorIdentifier;
class PReluOp : public ElementWiseBinaryOp {
 public:
  template <class... Args>
  explicit PReluOp(const Args&...)
      : ElementWiseBinaryOp(emulator::absent<const OperatorIdentifier>("popart::PReluOp"),
                            emulator::absent<const Op::Settings>("popart::PReluOp")) {}
};

}  // namespace popart

#endif  // popart_op_prelu_hpp
