#ifndef popart_op_bitwise_hpp
#define popart_op_bitwise_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class BitwiseNotOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit BitwiseNotOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::BitwiseNotOp"),
                           emulator::absent<const Op::Settings>("popart::BitwiseNotOp")) {}
};

class BitwiseBinaryOp : public ElementWiseBinaryOp {
 public:
  template <class... Args>
  explicit BitwiseBinaryOp(const Args&...)
      : ElementWiseBinaryOp(emulator::absent<const OperatorIdentifier>("popart::BitwiseBinaryOp"),
                            emulator::absent<const Op::Settings>("popart::BitwiseBinaryOp")) {}
};

}  // namespace popart

#endif  // popart_op_bitwise_hpp
