#include <popart/op/sgd0varupdate.hpp>
#include <popart/operators.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>

namespace popart {

SGD0VarUpdateOp::SGD0VarUpdateOp(const Op::Settings& settings_)
    : Op(Onnx::CustomOperators::SGD0VarUpdate, settings_) {}

std::unique_ptr<Op> SGD0VarUpdateOp::clone() const {
  return std::make_unique<SGD0VarUpdateOp>(*this);
}

view::Regions SGD0VarUpdateOp::modifies(InIndex in) const {
  return in == getVarToUpdateInIndex() ? uses(in) : Op::modifies(in);
}

view::Regions SGD0VarUpdateOp::aliases(InIndex in, OutIndex out) const {
  return in == getVarToUpdateInIndex() ? uses(in) : Op::aliases(in, out);
}

namespace {

namespace pe = popops::expr;

class SGD0VarUpdateOpx : public popx::Opx {
 public:
  SGD0VarUpdateOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) {
    verifyOp<SGD0VarUpdateOp>(op);
  }

  void grow(poplar::program::Sequence& program) const final {
    const poplar::Tensor weight = getInTensor(SGD0VarUpdateOp::getVarToUpdateInIndex());
    const poplar::Tensor gradient = getInTensor(SGD0VarUpdateOp::getUpdaterInIndex());
    const poplar::Tensor rate = broadcastInput(SGD0VarUpdateOp::getSlr0InIndex(), weight, program);
    const poplar::Tensor decay =
        broadcastInput(SGD0VarUpdateOp::getWdsf0InIndex(), weight, program);
    popops::mapInPlace(graph(), pe::Sub(pe::Mul(pe::_1, pe::_4), pe::Mul(pe::_3, pe::_2)),
                       {weight, gradient, rate, decay}, program, debugContext("update"));
    setOutTensor(0, weight);
  }

 private:
  poplar::Tensor broadcastInput(InIndex index, const poplar::Tensor& like,
                                poplar::program::Sequence& program) const {
    poplar::Tensor number = getInTensor(index);
    if (number.elementType() != like.elementType())
      number = popops::cast(graph(), number, like.elementType(), program, debugContext("cast"));
    return broadcast(inShape(SGD0VarUpdateOp::getVarToUpdateInIndex()), number);
  }
};

const popx::OpxCreator<SGD0VarUpdateOpx> opxCreator(Onnx::CustomOperators::SGD0VarUpdate);

}  // namespace
}  // namespace popart
