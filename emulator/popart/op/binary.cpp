// Operators of two tensors, by expressions of popops.
#include <functional>
#include <map>
#include <popart/emulator/binary.hpp>
#include <popart/emulator/unary.hpp>
#include <popart/opmanager.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>

namespace popart {

namespace {

namespace pe = popops::expr;
using Expression = std::function<pe::Any()>;

// Of a (_1) and b (_2), by type of the operator.
const std::map<OpType, Expression>& values() {
  static const std::map<OpType, Expression> all = {
      {"Add", [] { return pe::Add(pe::_1, pe::_2); }},
      {"And", [] { return pe::And(pe::_1, pe::_2); }},
      {"Div", [] { return pe::Divide(pe::_1, pe::_2); }},
      {"Equal", [] { return pe::Equal(pe::_1, pe::_2); }},
      {"Greater", [] { return pe::Gt(pe::_1, pe::_2); }},
      {"Less", [] { return pe::Lt(pe::_1, pe::_2); }},
      {"Mul", [] { return pe::Mul(pe::_1, pe::_2); }},
      {"Or", [] { return pe::Or(pe::_1, pe::_2); }},
      {"Pow", [] { return pe::Pow(pe::_1, pe::_2); }},
      {"Sub", [] { return pe::Sub(pe::_1, pe::_2); }},
  };
  return all;
}

// Of the gradient g of the output (_1), a (_2), b (_3) and the output (_4), by type of the gradient
// op.
const std::map<OpType, Expression>& gradients() {
  static const std::map<OpType, Expression> all = {
      {"AddArg0Grad", [] { return pe::_1; }},
      {"AddArg1Grad", [] { return pe::_1; }},
      {"DivArg0Grad", [] { return pe::Divide(pe::_1, pe::_3); }},
      {"DivArg1Grad",
       [] { return pe::Neg(pe::Divide(pe::Mul(pe::_1, pe::_4), pe::_3)); }},  // -g a / (b b)
      {"MulArg0Grad", [] { return pe::Mul(pe::_1, pe::_3); }},
      {"MulArg1Grad", [] { return pe::Mul(pe::_1, pe::_2); }},
      {"PowArg0Grad",
       [] {
         const pe::Any less = pe::Sub(pe::_3, pe::Const(1.0f));
         return pe::Mul(pe::_1, pe::Mul(pe::_3, pe::Pow(pe::_2, less)));
       }},
      {"PowArg1Grad", [] { return pe::Mul(pe::_1, pe::Mul(pe::_4, pe::Log(pe::_2))); }},
      {"SubArg0Grad", [] { return pe::_1; }},
      {"SubArg1Grad", [] { return pe::Neg(pe::_1); }},
  };
  return all;
}

class BinaryOpx : public popx::Opx {
 public:
  BinaryOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) {}
  void grow(poplar::program::Sequence& program) const final {
    setOutTensor(0, popops::map(graph(), values().at(op_p->opid.type)(),
                                {getInTensor(0), getInTensor(1)}, program, debugContext("out")));
  }
};

class BinaryGradOpx : public popx::Opx {
 public:
  BinaryGradOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) {}

  void grow(poplar::program::Sequence& program) const final {
    const auto& op = getOp<ElementWiseBinaryGradOp>();
    const poplar::Tensor gradient =
        popops::map(graph(), gradients().at(op.opid.type)(),
                    {getInTensor(0), getInTensor(1), getInTensor(2), getInTensor(3)}, program,
                    debugContext("grad"));
    const std::vector<std::int64_t>& axes = op.getReductionAxes();
    const std::vector<std::size_t> dims(axes.begin(), axes.end());
    const poplar::Tensor sum =
        dims.empty() ? gradient
                     : popops::reduce(graph(), gradient, dims, {popops::Operation::ADD}, program,
                                      debugContext("sum"));
    setOutTensor(0, sum.reshape(outInfo(0).shape_szt()));
  }
};

template <class OP>
struct Registration {
  Registration(const OperatorIdentifier& newest, const std::vector<OpVersion>& versions) {
    OpDefinitions definitions;
    for (OpVersion version : versions) {
      OperatorIdentifier opid = newest;
      opid.version = version;
      definitions[opid] = OpDefinition();
      popx::OpxCreator<BinaryOpx> made(opid);
    }
    OpCreator<OP> made(definitions);
  }
};

using namespace Onnx;  // NOLINT: names of operators alone
const Registration<AddOp> add(Operators::Add_7, {7});
const Registration<AndOp> logicalAnd(Operators::And_7, {7});
const Registration<DivOp> divide(Operators::Div_7, {7});
const Registration<EqualOp> equal(Operators::Equal_7, {7, 11});
const Registration<GreaterOp> greater(Operators::Greater_9, {7, 9});
const Registration<LessOp> less(Operators::Less_9, {7, 9});
const Registration<MulOp> multiply(Operators::Mul_7, {7});
const Registration<OrOp> logicalOr(Operators::Or_7, {7});
const Registration<PowOp> power(Operators::Pow_7, {7});
const Registration<SubtractOp> subtract(Operators::Sub_7, {7});
const popx::OpxCreator<BinaryGradOpx> gradient(std::vector<OperatorIdentifier>{
    GradOperators::AddArg0Grad, GradOperators::AddArg1Grad, GradOperators::DivArg0Grad,
    GradOperators::DivArg1Grad, GradOperators::MulArg0Grad, GradOperators::MulArg1Grad,
    GradOperators::PowArg0Grad, GradOperators::PowArg1Grad, GradOperators::SubArg0Grad,
    GradOperators::SubArg1Grad});

}  // namespace
}  // namespace popart
