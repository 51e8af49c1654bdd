#include <popart/op/identity.hpp>
#include <popart/op/sum.hpp>
#include <popart/operators.hpp>
#include <popart/opmanager.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popops/ElementWise.hpp>

namespace popart {

SumOp::SumOp(const OperatorIdentifier& opid_, const Op::Settings& settings_)
    : Op(opid_, settings_) {}

std::unique_ptr<Op> SumOp::clone() const { return std::make_unique<SumOp>(*this); }

view::Regions SumOp::aliases(InIndex in, OutIndex out) const {
  return inTensorCount() == 1 ? uses(in) : Op::aliases(in, out);
}

namespace {

// Passes the gradient on to one of the terms.
class SumGradOp : public IdentityOp {
 public:
  SumGradOp(const SumOp& forward, InIndex term)
      : IdentityOp(Onnx::GradOperators::IdentityGrad, forward.getSettings()), outs_{{0, term}} {}
  std::unique_ptr<Op> clone() const final { return std::make_unique<SumGradOp>(*this); }
  const std::vector<GradInOutMapper>& gradInputInfo() const final {
    static const std::vector<GradInOutMapper> info = {{0, 0, GradOpInType::GradOut}};
    return info;
  }
  const std::map<int, int>& gradOutToNonGradIn() const final { return outs_; }

 private:
  std::map<int, int> outs_;
};

class SumOpx : public popx::Opx {
 public:
  SumOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) { verifyOp<SumOp>(op); }
  void grow(poplar::program::Sequence& program) const final {
    const std::map<int, Tensor*>& in = op_p->input->tensorMap();
    poplar::Tensor sum = getInTensor(in.begin()->first);
    for (auto term = std::next(in.begin()); term != in.end(); ++term)
      sum = popops::add(graph(), sum, getInTensor(term->first), program, debugContext("add"));
    setOutTensor(0, sum);
  }
};

const OpCreator<SumOp> creator(OpDefinitions{{Onnx::Operators::Sum_8, OpDefinition()}});
const popx::OpxCreator<SumOpx> opxCreator(Onnx::Operators::Sum_8);

}  // namespace

std::vector<std::unique_ptr<Op>> SumOp::getGradOps() {
  std::vector<std::unique_ptr<Op>> out;
  for (const auto& term : input->tensorMap())
    out.push_back(std::make_unique<SumGradOp>(*this, term.first));
  return out;
}

}  // namespace popart
