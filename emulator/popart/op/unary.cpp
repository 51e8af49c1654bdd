// Operators of one tensor, by expressions of popops.
#include <functional>
#include <map>
#include <popart/emulator/unary.hpp>
#include <popart/opmanager.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popops/ElementWise.hpp>

namespace popart {

namespace {

namespace pe = popops::expr;

pe::Const number(float value) { return pe::Const(value); }

// The function of x, and its derivative; none where there is no gradient.
struct Function {
  std::function<pe::Any()> value, derivative;
};

pe::Any relu() { return pe::Max(pe::_1, number(0)); }

pe::Any sigmoidDerivative() {
  return pe::Mul(pe::Sigmoid(pe::_1), pe::Sub(number(1), pe::Sigmoid(pe::_1)));
}

// By type of the operator.
const std::map<OpType, Function>& functions() {
  static const std::map<OpType, Function> all = {
      {"Abs", {[] { return pe::Abs(pe::_1); }, [] { return pe::Signum(pe::_1); }}},
      {"Ceil", {[] { return pe::Ceil(pe::_1); }, nullptr}},
      {"Cos", {[] { return pe::Cos(pe::_1); }, [] { return pe::Neg(pe::Sin(pe::_1)); }}},
      {"Erf",
       {[] { return pe::Erf(pe::_1); },
        [] {  // 2 / sqrt(pi) exp(-x x)
          return pe::Mul(number(1.1283791670955126f), pe::Exp(pe::Neg(pe::Square(pe::_1))));
        }}},
      {"Exp", {[] { return pe::Exp(pe::_1); }, [] { return pe::Exp(pe::_1); }}},
      {"Expm1", {[] { return pe::Expm1(pe::_1); }, [] { return pe::Exp(pe::_1); }}},
      {"Floor", {[] { return pe::Floor(pe::_1); }, nullptr}},
      {"IsInf", {[] { return pe::IsInf(pe::_1); }, nullptr}},
      {"IsNaN", {[] { return pe::IsNaN(pe::_1); }, nullptr}},
      {"Log", {[] { return pe::Log(pe::_1); }, [] { return pe::Inv(pe::_1); }}},
      {"Log1p",
       {[] { return pe::Log1p(pe::_1); }, [] { return pe::Inv(pe::Add(number(1), pe::_1)); }}},
      {"NearbyInt", {[] { return pe::NearbyInt(pe::_1); }, nullptr}},
      {"Neg",
       {[] { return pe::Neg(pe::_1); },
        [] { return pe::Neg(pe::Add(pe::Sub(pe::_1, pe::_1), number(1))); }}},
      {"Not", {[] { return pe::Not(pe::_1); }, nullptr}},
      {"Reciprocal",
       {[] { return pe::Inv(pe::_1); }, [] { return pe::Neg(pe::Square(pe::Inv(pe::_1))); }}},
      {"Relu", {[] { return relu(); }, [] { return pe::Signum(relu()); }}},
      {"Round", {[] { return pe::Round(pe::_1); }, nullptr}},
      {"Sigmoid", {[] { return pe::Sigmoid(pe::_1); }, sigmoidDerivative}},
      {"Sign", {[] { return pe::Signum(pe::_1); }, nullptr}},
      {"Sin", {[] { return pe::Sin(pe::_1); }, [] { return pe::Cos(pe::_1); }}},
      {"Softplus",
       {[] {  // max(x, 0) + log1p(exp(-|x|)), which does not overflow
          return pe::Add(relu(), pe::Log1p(pe::Exp(pe::Neg(pe::Abs(pe::_1)))));
        },
        [] { return pe::Sigmoid(pe::_1); }}},
      {"Softsign",
       {[] { return pe::Divide(pe::_1, pe::Add(number(1), pe::Abs(pe::_1))); },
        [] { return pe::Inv(pe::Square(pe::Add(number(1), pe::Abs(pe::_1)))); }}},
      {"Sqrt",
       {[] { return pe::Sqrt(pe::_1); },
        [] { return pe::Mul(number(0.5f), pe::Inv(pe::Sqrt(pe::_1))); }}},
      {"Tanh",
       {[] { return pe::Tanh(pe::_1); },
        [] { return pe::Sub(number(1), pe::Square(pe::Tanh(pe::_1))); }}},
  };
  return all;
}

class UnaryOpx : public popx::Opx {
 public:
  UnaryOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) {}
  void grow(poplar::program::Sequence& program) const final {
    setOutTensor(0, popops::map(graph(), functions().at(op_p->opid.type).value(), {getInTensor(0)},
                                program, debugContext("out")));
  }
};

// The gradient op's inputs are the gradient of the output, and the forward op's input.
class UnaryGradOpx : public popx::Opx {
 public:
  UnaryGradOpx(const OpType& forward, Op* op, popx::Devicex* devicex)
      : popx::Opx(op, devicex), forward_(forward) {}
  void grow(poplar::program::Sequence& program) const final {
    const pe::Any derivative = functions().at(forward_).derivative();
    setOutTensor(0, popops::map(graph(), pe::Mul(derivative, pe::_2),
                                {getInTensor(1), getInTensor(0)}, program, debugContext("grad")));
  }

 private:
  OpType forward_;
};

// An operator, all of its versions, and its gradient.
template <class OP>
struct Registration {
  explicit Registration(const OperatorIdentifier& newest, const std::vector<OpVersion>& versions) {
    OpDefinitions definitions;
    for (OpVersion version : versions) {
      OperatorIdentifier opid = newest;
      opid.version = version;
      definitions[opid] = OpDefinition();
      popx::OpxCreator<UnaryOpx> made(opid);
    }
    OpCreator<OP> made(definitions);
  }
  Registration(const OperatorIdentifier& newest, const std::vector<OpVersion>& versions,
               const OperatorIdentifier& gradient)
      : Registration(newest, versions) {
    const OpType forward = newest.type;
    popx::OpxCreator<UnaryGradOpx> made(
        gradient, [forward](Op* op, popx::Devicex* devicex) -> std::unique_ptr<popx::Opx> {
          return std::make_unique<UnaryGradOpx>(forward, op, devicex);
        });
  }
};

using namespace Onnx;  // NOLINT: names of operators alone
const Registration<AbsOp> abs(Operators::Abs_6, {1, 6}, GradOperators::AbsGrad);
const Registration<CeilOp> ceil(Operators::Ceil_6, {1, 6});
const Registration<CosOp> cos(Operators::Cos_7, {7}, GradOperators::CosGrad);
const Registration<ErfOp> erf(Operators::Erf_9, {9}, GradOperators::ErfGrad);
const Registration<ExpOp> exp(Operators::Exp_6, {1, 6}, GradOperators::ExpGrad);
const Registration<Expm1Op> expm1(CustomOperators::Expm1_1, {1}, GradOperators::Expm1Grad);
const Registration<FloorOp> floor(Operators::Floor_6, {1, 6});
const Registration<IsInf> isInf(Operators::IsInf_10, {10});
const Registration<IsNaN> isNaN(Operators::IsNaN_9, {9});
const Registration<LogOp> log(Operators::Log_6, {1, 6}, GradOperators::LogGrad);
const Registration<Log1pOp> log1p(CustomOperators::Log1p_1, {1}, GradOperators::Log1pGrad);
const Registration<NearbyIntOp> nearbyInt(CustomOperators::NearbyInt, {1});
const Registration<NegateOp> negate(Operators::Neg_6, {1, 6}, GradOperators::NegGrad);
const Registration<NotOp> logicalNot(Operators::Not_1, {1});
const Registration<ReciprocalOp> reciprocal(Operators::Reciprocal_6, {1, 6},
                                            GradOperators::ReciprocalGrad);
const Registration<ReluOp> reluOp(Operators::Relu_6, {1, 6}, GradOperators::ReluGrad);
const Registration<RoundOp> round(CustomOperators::Round_1, {1});
const Registration<SigmoidOp> sigmoid(Operators::Sigmoid_6, {1, 6}, GradOperators::SigmoidGrad);
const Registration<SignOp> sign(Operators::Sign_9, {9});
const Registration<SinOp> sin(Operators::Sin_7, {7}, GradOperators::SinGrad);
const Registration<SoftPlusOp> softplus(Operators::Softplus_1, {1}, GradOperators::SoftPlusGrad);
const Registration<SoftSignOp> softsign(Operators::Softsign_1, {1}, GradOperators::SoftSignGrad);
const Registration<SqrtOp> sqrt(Operators::Sqrt_6, {1, 6}, GradOperators::SqrtGrad);
const Registration<TanhOp> tanh(Operators::Tanh_6, {1, 6}, GradOperators::TanhGrad);

}  // namespace
}  // namespace popart
