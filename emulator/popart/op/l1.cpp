#include <cmath>
#include <popart/op/l1.hpp>
#include <popart/operators.hpp>
#include <popart/opmanager.hpp>
#include <popart/opserialiser.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>

namespace popart {

ReductionType LossOp::reductionTypeFromString(std::string name) {
  if (name == "Sum") return ReductionType::Sum;
  if (name == "Mean") return ReductionType::Mean;
  if (name == "NoReduction") return ReductionType::NoReduction;
  throw error("LossOp: reduction: expected Sum, Mean or NoReduction, got '{}'", name);
}

L1Op::L1Op(const OperatorIdentifier& opid_, float lambda, ReductionType reduction,
           const Op::Settings& settings_)
    : LossOp(opid_, settings_, reduction), lambda_(lambda) {}

std::unique_ptr<Op> L1Op::clone() const { return std::make_unique<L1Op>(*this); }

std::vector<std::unique_ptr<Op>> L1Op::getGradOps() {
  std::vector<std::unique_ptr<Op>> out;
  out.push_back(std::make_unique<L1GradOp>(*this));
  return out;
}

void L1Op::setup() {
  const bool reduces = getReductionType() != ReductionType::NoReduction;
  outInfo(0).set(inInfo(0).dataType(), reduces ? Shape() : inShape(0));
}

void L1Op::appendOutlineAttributes(OpSerialiserBase& os) const {
  Op::appendOutlineAttributes(os);
  os.appendAttribute("lambda", lambda_);
}

L1GradOp::L1GradOp(const L1Op& forward)
    : Op(Onnx::CustomGradOperators::L1Grad, forward.getSettings()),
      lambda_(forward.getLambda()),
      reduction_(forward.getReductionType()) {}

std::unique_ptr<Op> L1GradOp::clone() const { return std::make_unique<L1GradOp>(*this); }

const std::vector<GradInOutMapper>& L1GradOp::gradInputInfo() const {
  static const std::vector<GradInOutMapper> info = {
      {getFwdActInIndex(), L1Op::getInIndex(), GradOpInType::In},
      {getGradInIndex(), L1Op::getOutIndex(), GradOpInType::GradOut}};
  return info;
}

const std::map<int, int>& L1GradOp::gradOutToNonGradIn() const {
  static const std::map<int, int> info = {{getOutIndex(), L1Op::getInIndex()}};
  return info;
}

void L1GradOp::appendOutlineAttributes(OpSerialiserBase& os) const {
  Op::appendOutlineAttributes(os);
  os.appendAttribute("lambda", lambda_);
}

namespace {

namespace pe = popops::expr;

float scaleOf(float lambda, ReductionType reduction, std::size_t elements) {
  return reduction == ReductionType::Mean ? lambda / static_cast<float>(elements) : lambda;
}

class L1Opx : public popx::Opx {
 public:
  L1Opx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) { verifyOp<L1Op>(op); }

  void grow(poplar::program::Sequence& program) const final {
    const L1Op& op = getOp<L1Op>();
    const poplar::Tensor in = getInTensor(0);
    const float scale = scaleOf(op.getLambda(), op.getReductionType(), in.numElements());
    poplar::Tensor out = popops::map(graph(), pe::Mul(pe::Const(scale), pe::Abs(pe::_1)), {in},
                                     program, debugContext("abs"));
    if (op.getReductionType() != ReductionType::NoReduction) {
      out = popops::reduce(graph(), out.flatten(), {0}, {popops::Operation::ADD}, program,
                           debugContext("sum"));
    }
    setOutTensor(0, out);
  }
};

class L1GradOpx : public popx::Opx {
 public:
  L1GradOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) { verifyOp<L1GradOp>(op); }

  void grow(poplar::program::Sequence& program) const final {
    const L1GradOp& op = getOp<L1GradOp>();
    const poplar::Tensor in = getInTensor(L1GradOp::getFwdActInIndex());
    const float scale = scaleOf(op.getLambda(), op.getReductionType(), in.numElements());
    const poplar::Tensor grad = broadcast(inShape(0), L1GradOp::getGradInIndex());
    setOutTensor(
        0, popops::map(graph(), pe::Mul(pe::Mul(pe::Const(scale), pe::Signum(pe::_1)), pe::_2),
                       {in, grad}, program, debugContext("grad")));
  }

 private:
  poplar::Tensor broadcast(const Shape& shape, InIndex index) const {
    return popx::Opx::broadcast(shape, getInTensor(index));
  }
};

const OpCreator<L1Op> creator(
    OpDefinitions{{Onnx::CustomOperators::L1, OpDefinition()}},
    [](const OpCreatorInfo& info) {
      const float lambda = info.attributes.getAttribute<Attributes::Float>("lambda");
      const auto reduction = LossOp::reductionTypeFromString(
          info.attributes.getAttribute<Attributes::String>("reduction", "Mean"));
      return std::unique_ptr<Op>(new L1Op(info.opid, lambda, reduction, info.settings));
    },
    true);
const popx::OpxCreator<L1Opx> opxCreator(Onnx::CustomOperators::L1);
const popx::OpxCreator<L1GradOpx> gradOpxCreator(Onnx::CustomGradOperators::L1Grad);

}  // namespace
}  // namespace popart
