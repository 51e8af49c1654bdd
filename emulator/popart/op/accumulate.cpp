#include <popart/op/accumulate.hpp>
#include <popart/operators.hpp>
#include <popart/opserialiser.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>

namespace popart {

std::ostream& operator<<(std::ostream& out, const AccumulationType& type) {
  constexpr const char* kNames[] = {"Add", "DampenedAdd", "DecayAdd", "MovingAverage"};
  return out << kNames[static_cast<int>(type)];
}

AccumulateBaseOp::AccumulateBaseOp(const OperatorIdentifier& opid_, AccumulationType type,
                                   OptimizerValue factor, const Op::Settings& settings_)
    : Op(opid_, settings_), type_(type), factor_(factor) {}

AccumulateOp::AccumulateOp(AccumulationType type, OptimizerValue factor,
                           const Op::Settings& settings_)
    : AccumulateBaseOp(Onnx::CustomOperators::Accumulate, type, factor, settings_) {}

std::unique_ptr<Op> AccumulateOp::clone() const { return std::make_unique<AccumulateOp>(*this); }

view::Regions AccumulateBaseOp::modifies(InIndex in) const {
  return in == getVarToUpdateInIndex() ? uses(in) : Op::modifies(in);
}

view::Regions AccumulateBaseOp::aliases(InIndex in, OutIndex out) const {
  return in == getVarToUpdateInIndex() ? uses(in) : Op::aliases(in, out);
}

void AccumulateBaseOp::appendOutlineAttributes(OpSerialiserBase& os) const {
  Op::appendOutlineAttributes(os);
  os.appendAttribute("type", type_);
  os.appendAttribute("factor", factor_.val());
}

namespace {

namespace pe = popops::expr;

class AccumulateOpx : public popx::Opx {
 public:
  AccumulateOpx(Op* op, popx::Devicex* devicex) : popx::Opx(op, devicex) {
    verifyOp<AccumulateOp>(op);
  }

  void grow(poplar::program::Sequence& program) const final {
    const poplar::Tensor a = getInTensor(AccumulateOp::getVarToUpdateInIndex());
    poplar::Tensor x = getInTensor(AccumulateOp::getUpdaterInIndex());
    if (x.elementType() != a.elementType())
      x = popops::cast(graph(), x, a.elementType(), program, debugContext("cast"));
    popops::mapInPlace(graph(), expression(), {a, x, factor(a, program)}, program,
                       debugContext("accumulate"));
    setOutTensor(0, a);
  }

 private:
  pe::Any expression() const {
    switch (getOp<AccumulateOp>().getAccumulationType()) {
      case AccumulationType::Add:
        return pe::Add(pe::_1, pe::_2);
      case AccumulationType::DampenedAdd:
        return pe::Add(pe::_1, pe::Mul(pe::_3, pe::_2));
      case AccumulationType::DecayAdd:
        return pe::Add(pe::Mul(pe::_3, pe::_1), pe::_2);
      default:  // MovingAverage
        return pe::Add(pe::Mul(pe::_3, pe::_1), pe::Mul(pe::Sub(pe::Const(1.0f), pe::_3), pe::_2));
    }
  }

  poplar::Tensor factor(const poplar::Tensor& like, poplar::program::Sequence& program) const {
    const OptimizerValue& value = getOp<AccumulateOp>().getFactor();
    if (value.isConst())
      return getConst(like.elementType(), {}, value.val(), "factor")
          .reshape(std::vector<std::size_t>(like.rank(), 1));
    poplar::Tensor out = getInTensor(AccumulateOp::getFactorInIndex());
    if (out.elementType() != like.elementType())
      out = popops::cast(graph(), out, like.elementType(), program, debugContext("factor"));
    return out.reshape(std::vector<std::size_t>(like.rank(), 1));
  }
};

const popx::OpxCreator<AccumulateOpx> opxCreator(Onnx::CustomOperators::Accumulate);

}  // namespace
}  // namespace popart
