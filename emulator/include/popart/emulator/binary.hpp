// PopART's arithmetic of two tensors; the headers of op/ include this.
#ifndef popart_emulator_binary_hpp
#define popart_emulator_binary_hpp

#include <popart/op/elementwise.hpp>
#include <popart/operators.hpp>

namespace popart {

// An op and its gradient ops, whose opids are those of GRAD and Arg0Grad, Arg1Grad.
#define POPSNN_POPART_BINARY(NAME, GRAD)                                                        \
  class NAME##Arg0GradOp : public ElementWiseBinaryArg0GradOp {                                 \
   public:                                                                                      \
    NAME##Arg0GradOp(const Op& op, const std::vector<std::int64_t>& axes)                       \
        : ElementWiseBinaryArg0GradOp(Onnx::GradOperators::GRAD##Arg0Grad, axes,                \
                                      op.inInfo(ElementWiseBinaryBaseOp::getArg0InIndex()),     \
                                      op.getSettings()) {}                                      \
    std::unique_ptr<Op> clone() const final {                                                   \
      return std::unique_ptr<Op>(new NAME##Arg0GradOp(*this));                                  \
    }                                                                                           \
  };                                                                                            \
  class NAME##Arg1GradOp : public ElementWiseBinaryArg1GradOp {                                 \
   public:                                                                                      \
    NAME##Arg1GradOp(const Op& op, const std::vector<std::int64_t>& axes)                       \
        : ElementWiseBinaryArg1GradOp(Onnx::GradOperators::GRAD##Arg1Grad, axes,                \
                                      op.inInfo(ElementWiseBinaryBaseOp::getArg1InIndex()),     \
                                      op.getSettings()) {}                                      \
    std::unique_ptr<Op> clone() const final {                                                   \
      return std::unique_ptr<Op>(new NAME##Arg1GradOp(*this));                                  \
    }                                                                                           \
  };                                                                                            \
  class NAME##Op                                                                                \
      : public ElementWiseNpBroadcastableBinaryWithGradOp<NAME##Arg0GradOp, NAME##Arg1GradOp> { \
   public:                                                                                      \
    NAME##Op(const OperatorIdentifier& opid_, const Op::Settings& settings_)                    \
        : ElementWiseNpBroadcastableBinaryWithGradOp<NAME##Arg0GradOp, NAME##Arg1GradOp>(       \
              opid_, settings_) {}                                                              \
    std::unique_ptr<Op> clone() const override {                                                \
      return std::unique_ptr<Op>(new NAME##Op(*this));                                          \
    }                                                                                           \
  };

POPSNN_POPART_BINARY(Add, Add)
POPSNN_POPART_BINARY(Div, Div)
POPSNN_POPART_BINARY(Mul, Mul)
POPSNN_POPART_BINARY(Pow, Pow)
POPSNN_POPART_BINARY(Subtract, Sub)

#undef POPSNN_POPART_BINARY

}  // namespace popart

#endif  // popart_emulator_binary_hpp
