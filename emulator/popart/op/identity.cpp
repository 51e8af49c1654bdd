#include <popart/op/identity.hpp>
#include <popart/operators.hpp>
#include <popart/opmanager.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>

namespace popart {

IdentityOp::IdentityOp(const OperatorIdentifier& opid_, const Op::Settings& settings_)
    : Op(opid_, settings_) {}

std::unique_ptr<Op> IdentityOp::clone() const { return std::make_unique<IdentityOp>(*this); }

std::vector<std::unique_ptr<Op>> IdentityOp::getGradOps() {
  std::vector<std::unique_ptr<Op>> out;
  out.push_back(std::make_unique<IdentityGradOp>(*this));
  return out;
}

IdentityGradOp::IdentityGradOp(const IdentityOp& forward)
    : IdentityOp(Onnx::GradOperators::IdentityGrad, forward.getSettings()) {}

IdentityGradOp::IdentityGradOp(const Settings& settings_)
    : IdentityOp(Onnx::GradOperators::IdentityGrad, settings_) {}

std::unique_ptr<Op> IdentityGradOp::clone() const {
  return std::make_unique<IdentityGradOp>(*this);
}

const std::vector<GradInOutMapper>& IdentityGradOp::gradInputInfo() const {
  static const std::vector<GradInOutMapper> info = {{0, 0, GradOpInType::GradOut}};
  return info;
}

const std::map<int, int>& IdentityGradOp::gradOutToNonGradIn() const {
  static const std::map<int, int> info = {{0, 0}};
  return info;
}

namespace {

class IdentityOpx : public popx::Opx {
 public:
  IdentityOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) { verifyOp<IdentityOp>(op); }
  void grow(poplar::program::Sequence& program) const final {
    setOutTensor(0, cloneNcopy(program, getInTensor(0)));
  }
};

const OpCreator<IdentityOp> creator(OpDefinitions{{Onnx::Operators::Identity_1, OpDefinition()}});
const popx::OpxCreator<IdentityOpx> opxCreator(std::vector<OperatorIdentifier>{
    Onnx::Operators::Identity_1, Onnx::GradOperators::IdentityGrad});

}  // namespace
}  // namespace popart
