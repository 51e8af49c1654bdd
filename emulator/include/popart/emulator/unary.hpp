// PopART's operators of one tensor that the emulation computes; the headers of op/ include this.
#ifndef popart_emulator_unary_hpp
#define popart_emulator_unary_hpp

#include <popart/op/elementwise.hpp>
#include <popart/operators.hpp>

namespace popart {

// An op and its gradient op, whose opid is IDENTIFIER.
#define POPSNN_POPART_UNARY(NAME, IDENTIFIER)                                \
  class NAME##Op : public ElementWiseUnaryOp {                               \
   public:                                                                   \
    NAME##Op(const OperatorIdentifier& opid_, const Op::Settings& settings_) \
        : ElementWiseUnaryOp(opid_, settings_) {}                            \
    std::unique_ptr<Op> clone() const override {                             \
      return std::unique_ptr<Op>(new NAME##Op(*this));                       \
    }                                                                        \
    std::vector<std::unique_ptr<Op>> getGradOps() override;                  \
  };                                                                         \
  class NAME##GradOp : public ElementWiseNonLinearUnaryGradOp {              \
   public:                                                                   \
    explicit NAME##GradOp(const NAME##Op& forward)                           \
        : ElementWiseNonLinearUnaryGradOp(IDENTIFIER, forward) {}            \
    std::unique_ptr<Op> clone() const override {                             \
      return std::unique_ptr<Op>(new NAME##GradOp(*this));                   \
    }                                                                        \
  };                                                                         \
  inline std::vector<std::unique_ptr<Op>> NAME##Op::getGradOps() {           \
    std::vector<std::unique_ptr<Op>> ops;                                    \
    ops.emplace_back(new NAME##GradOp(*this));                               \
    return ops;                                                              \
  }

POPSNN_POPART_UNARY(Abs, Onnx::GradOperators::AbsGrad)
POPSNN_POPART_UNARY(Cos, Onnx::GradOperators::CosGrad)
POPSNN_POPART_UNARY(Erf, Onnx::GradOperators::ErfGrad)
POPSNN_POPART_UNARY(Exp, Onnx::GradOperators::ExpGrad)
POPSNN_POPART_UNARY(Expm1, Onnx::GradOperators::Expm1Grad)
POPSNN_POPART_UNARY(Log, Onnx::GradOperators::LogGrad)
POPSNN_POPART_UNARY(Log1p, Onnx::GradOperators::Log1pGrad)
POPSNN_POPART_UNARY(Negate, Onnx::GradOperators::NegGrad)
POPSNN_POPART_UNARY(Reciprocal, Onnx::GradOperators::ReciprocalGrad)
POPSNN_POPART_UNARY(Relu, Onnx::GradOperators::ReluGrad)
POPSNN_POPART_UNARY(Sigmoid, Onnx::GradOperators::SigmoidGrad)
POPSNN_POPART_UNARY(Sin, Onnx::GradOperators::SinGrad)
POPSNN_POPART_UNARY(SoftPlus, Onnx::GradOperators::SoftPlusGrad)
POPSNN_POPART_UNARY(SoftSign, Onnx::GradOperators::SoftSignGrad)
POPSNN_POPART_UNARY(Sqrt, Onnx::GradOperators::SqrtGrad)
POPSNN_POPART_UNARY(Tanh, Onnx::GradOperators::TanhGrad)

#undef POPSNN_POPART_UNARY

// Steps, whose gradients PopART does not have either, and comparisons.
#define POPSNN_POPART_STEP(NAME, BASE)                                                          \
  class NAME : public BASE {                                                                    \
   public:                                                                                      \
    NAME(const OperatorIdentifier& opid_, const Op::Settings& settings_)                        \
        : BASE(opid_, settings_) {}                                                             \
    std::unique_ptr<Op> clone() const override { return std::unique_ptr<Op>(new NAME(*this)); } \
  };

POPSNN_POPART_STEP(CeilOp, ElementWiseUnaryOp)
POPSNN_POPART_STEP(FloorOp, ElementWiseUnaryOp)
POPSNN_POPART_STEP(NearbyIntOp, ElementWiseUnaryOp)
POPSNN_POPART_STEP(RoundOp, ElementWiseUnaryOp)
POPSNN_POPART_STEP(SignOp, ElementWiseUnaryOp)
POPSNN_POPART_STEP(IsInf, ElementWiseUnaryBooleanOp)
POPSNN_POPART_STEP(IsNaN, ElementWiseUnaryBooleanOp)
POPSNN_POPART_STEP(NotOp, ElementWiseUnaryBooleanOp)
POPSNN_POPART_STEP(AndOp, BinaryComparisonOp)
POPSNN_POPART_STEP(EqualOp, BinaryComparisonOp)
POPSNN_POPART_STEP(GreaterOp, BinaryComparisonOp)
POPSNN_POPART_STEP(LessOp, BinaryComparisonOp)
POPSNN_POPART_STEP(OrOp, BinaryComparisonOp)

#undef POPSNN_POPART_STEP

}  // namespace popart

#endif  // popart_emulator_unary_hpp
