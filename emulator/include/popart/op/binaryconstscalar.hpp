#ifndef popart_op_binaryconstscalar_hpp
#define popart_op_binaryconstscalar_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class BinaryConstScalarOp : public ElementWiseUnaryOp {
 public:
  enum class Type { Add = 0, Sub, Mul, Div, Pow, N };
  template <class... Args>
  explicit BinaryConstScalarOp(const Args&...)
      : ElementWiseUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::BinaryConstScalarOp"),
            emulator::absent<const Op::Settings>("popart::BinaryConstScalarOp")) {}
  float value() const { emulator::missing("popart::BinaryConstScalarOp::value"); }
  Type opType() const { emulator::missing("popart::BinaryConstScalarOp::opType"); }
  int64_t scalarInIndex() const { emulator::missing("popart::BinaryConstScalarOp::scalarInIndex"); }
};

}  // namespace popart

#endif  // popart_op_binaryconstscalar_hpp
