#include <popart/op/elementwise.hpp>
#include <popart/tensorinfo.hpp>

namespace popart {

ElementWiseUnaryOp::ElementWiseUnaryOp(const OperatorIdentifier& opid_,
                                       const Op::Settings& settings_)
    : Op(opid_, settings_) {}
std::unique_ptr<Op> ElementWiseUnaryOp::clone() const {
  return std::make_unique<ElementWiseUnaryOp>(*this);
}

ElementWiseUnaryBooleanOp::ElementWiseUnaryBooleanOp(const OperatorIdentifier& opid_,
                                                     const Op::Settings& settings_)
    : Op(opid_, settings_) {}
std::unique_ptr<Op> ElementWiseUnaryBooleanOp::clone() const {
  return std::make_unique<ElementWiseUnaryBooleanOp>(*this);
}
void ElementWiseUnaryBooleanOp::setup() {
  outInfo(getOutIndex()) = TensorInfo(DataType::BOOL, inShape(getInIndex()));
}

std::unique_ptr<Op> ElementWiseInplaceUnaryOp::clone() const {
  return std::make_unique<ElementWiseInplaceUnaryOp>(*this);
}

ElementWiseNonLinearUnaryGradOp::ElementWiseNonLinearUnaryGradOp(const OperatorIdentifier& opid_,
                                                                 const ElementWiseUnaryOp& forward)
    : Op(opid_, forward.getSettings()) {}
std::unique_ptr<Op> ElementWiseNonLinearUnaryGradOp::clone() const {
  return std::make_unique<ElementWiseNonLinearUnaryGradOp>(*this);
}
const std::vector<GradInOutMapper>& ElementWiseNonLinearUnaryGradOp::gradInputInfo() const {
  static const std::vector<GradInOutMapper> info = {
      {getGradInIndex(), ElementWiseUnaryOp::getOutIndex(), GradOpInType::GradOut},
      {getFwdArgInIndex(), ElementWiseUnaryOp::getInIndex(), GradOpInType::In}};
  return info;
}
const std::map<int, int>& ElementWiseNonLinearUnaryGradOp::gradOutToNonGradIn() const {
  static const std::map<int, int> info = {{getOutIndex(), ElementWiseUnaryOp::getInIndex()}};
  return info;
}

ElementWiseBinaryBaseOp::ElementWiseBinaryBaseOp(const OperatorIdentifier& opid_,
                                                 const Op::Settings& settings_)
    : Op(opid_, settings_) {}
std::unique_ptr<Op> ElementWiseBinaryBaseOp::clone() const {
  return std::make_unique<ElementWiseBinaryBaseOp>(*this);
}
void ElementWiseBinaryBaseOp::setup() {
  outInfo(getOutIndex()) = prettyNpOut(inInfo(getArg0InIndex()), inInfo(getArg1InIndex()));
}

ElementWiseBinaryOp::ElementWiseBinaryOp(const OperatorIdentifier& opid_,
                                         const Op::Settings& settings_)
    : ElementWiseBinaryBaseOp(opid_, settings_) {}
std::unique_ptr<Op> ElementWiseBinaryOp::clone() const {
  return std::make_unique<ElementWiseBinaryOp>(*this);
}

BinaryComparisonOp::BinaryComparisonOp(const OperatorIdentifier& opid_,
                                       const Op::Settings& settings_)
    : Op(opid_, settings_) {}
std::unique_ptr<Op> BinaryComparisonOp::clone() const {
  return std::make_unique<BinaryComparisonOp>(*this);
}
void BinaryComparisonOp::setup() {
  const TensorInfo both = prettyNpOut(inInfo(getArg0InIndex()), inInfo(getArg1InIndex()));
  outInfo(getOutIndex()) = TensorInfo(DataType::BOOL, both.shape());
}

view::Regions ElementWiseBinaryInplaceLhsOp::modifies(InIndex in) const {
  if (in == getArg0InIndex()) return uses(in);
  return {view::Region::getEmpty(inRank(in))};
}

view::Regions ElementWiseBinaryInplaceRhsOp::modifies(InIndex in) const {
  if (in == getArg1InIndex()) return uses(in);
  return {view::Region::getEmpty(inRank(in))};
}

ElementWiseBinaryGradOp::ElementWiseBinaryGradOp(const OperatorIdentifier& opid_,
                                                 const std::vector<std::int64_t>& axes,
                                                 const TensorInfo& argument,
                                                 const Op::Settings& settings_)
    : Op(opid_, settings_), axes_(axes), argument_(argument) {}
const std::vector<GradInOutMapper>& ElementWiseBinaryGradOp::gradInputInfo() const {
  static const std::vector<GradInOutMapper> info = {
      {getGradInIndex(), ElementWiseBinaryBaseOp::getOutIndex(), GradOpInType::GradOut},
      {getFwdArg0InIndex(), ElementWiseBinaryBaseOp::getArg0InIndex(), GradOpInType::In},
      {getFwdArg1InIndex(), ElementWiseBinaryBaseOp::getArg1InIndex(), GradOpInType::In},
      {getFwdOutIndex(), ElementWiseBinaryBaseOp::getOutIndex(), GradOpInType::Out}};
  return info;
}
const std::map<int, int>& ElementWiseBinaryGradOp::gradOutToNonGradIn() const {
  static const std::map<int, int> first = {
      {getOutIndex(), ElementWiseBinaryBaseOp::getArg0InIndex()}};
  static const std::map<int, int> second = {
      {getOutIndex(), ElementWiseBinaryBaseOp::getArg1InIndex()}};
  return isArg1Grad() ? second : first;
}

std::unique_ptr<Op> ElementWiseBinaryArg0GradOp::clone() const {
  return std::make_unique<ElementWiseBinaryArg0GradOp>(*this);
}
std::unique_ptr<Op> ElementWiseBinaryArg1GradOp::clone() const {
  return std::make_unique<ElementWiseBinaryArg1GradOp>(*this);
}

}  // namespace popart
