#ifndef popart_op_elementwise_hpp
#define popart_op_elementwise_hpp

#include <memory>
#include <popart/op.hpp>
#include <popart/region.hpp>
#include <popart/util.hpp>
#include <tuple>
#include <vector>

namespace popart {

/// Of one tensor, whose type and shape the output has.
class ElementWiseUnaryOp : public Op {
 public:
  ElementWiseUnaryOp(const OperatorIdentifier& opid, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override;
  void setup() final { outInfo(getOutIndex()) = inInfo(getInIndex()); }
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
  bool canShard() const override { return true; }
  virtual bool isIdentity() const { return canBeReplacedByIdentity(); }

  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

/// Of one tensor; the output is BOOL.
class ElementWiseUnaryBooleanOp : public Op {
 public:
  ElementWiseUnaryBooleanOp(const OperatorIdentifier& opid, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override;
  void setup() final;
  float getSubgraphValue() const override { return getLowSubgraphValue(); }
  bool canShard() const override { return true; }

  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

class ElementWiseInplaceUnaryOp : public ElementWiseUnaryOp {
 public:
  ElementWiseInplaceUnaryOp(const OperatorIdentifier& opid, const Op::Settings& settings)
      : ElementWiseUnaryOp(opid, settings) {}
  std::unique_ptr<Op> clone() const override;
  view::Regions modifies(InIndex in) const final { return uses(in); }
  view::Regions aliases(InIndex in, OutIndex) const final { return uses(in); }
};

/// Of the gradient of the output, and of the input of the forward op.
class ElementWiseNonLinearUnaryGradOp : public Op {
 public:
  ElementWiseNonLinearUnaryGradOp(const OperatorIdentifier& opid,
                                  const ElementWiseUnaryOp& forward);
  std::unique_ptr<Op> clone() const override;
  void setup() final { outInfo(getOutIndex()) = inInfo(getFwdArgInIndex()); }
  const std::vector<GradInOutMapper>& gradInputInfo() const final;
  const std::map<int, int>& gradOutToNonGradIn() const final;
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
  bool canShard() const override { return true; }

  static InIndex getGradInIndex() { return 0; }
  static InIndex getFwdArgInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
};

/// Of two tensors that broadcast.
class ElementWiseBinaryBaseOp : public Op {
 public:
  ElementWiseBinaryBaseOp(const OperatorIdentifier& opid, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override;
  void setup() override;
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
  bool canShard() const override { return true; }

  static InIndex getArg0InIndex() { return 0; }
  static InIndex getArg1InIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
};

class ElementWiseBinaryOp : public ElementWiseBinaryBaseOp {
 public:
  ElementWiseBinaryOp(const OperatorIdentifier& opid, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override;
};

/// The output is BOOL.
class BinaryComparisonOp : public Op {
 public:
  BinaryComparisonOp(const OperatorIdentifier& opid, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override;
  void setup() final;
  float getSubgraphValue() const final { return getLowSubgraphValue(); }

  static InIndex getArg0InIndex() { return 0; }
  static InIndex getArg1InIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
};

class ElementWiseBinaryInplaceLhsOp : public ElementWiseBinaryBaseOp {
 public:
  using ElementWiseBinaryBaseOp::ElementWiseBinaryBaseOp;
  view::Regions modifies(InIndex in) const final;
  view::Regions aliases(InIndex in, OutIndex) const final { return modifies(in); }
};

class ElementWiseBinaryInplaceRhsOp : public ElementWiseBinaryBaseOp {
 public:
  using ElementWiseBinaryBaseOp::ElementWiseBinaryBaseOp;
  view::Regions modifies(InIndex in) const final;
  view::Regions aliases(InIndex in, OutIndex) const final { return modifies(in); }
};

/// The gradient of one of two inputs, of the gradient of the output, both inputs and the output;
/// what was broadcast is summed.
class ElementWiseBinaryGradOp : public Op {
 public:
  ElementWiseBinaryGradOp(const OperatorIdentifier& opid, const std::vector<std::int64_t>& axes,
                          const TensorInfo& argument, const Op::Settings& settings);
  std::unique_ptr<Op> clone() const override = 0;
  void setup() final { outInfo(getOutIndex()) = argument_; }
  const std::vector<GradInOutMapper>& gradInputInfo() const final;
  const std::map<int, int>& gradOutToNonGradIn() const final;
  const std::vector<std::int64_t>& getReductionAxes() const { return axes_; }
  float getSubgraphValue() const final { return getLowSubgraphValue(); }
  virtual bool isArg1Grad() const = 0;

  static InIndex getGradInIndex() { return 0; }
  static InIndex getFwdArg0InIndex() { return 1; }
  static InIndex getFwdArg1InIndex() { return 2; }
  static InIndex getFwdOutIndex() { return 3; }
  static OutIndex getOutIndex() { return 0; }

 private:
  std::vector<std::int64_t> axes_;
  TensorInfo argument_;
};

class ElementWiseBinaryArg0GradOp : public ElementWiseBinaryGradOp {
 public:
  using ElementWiseBinaryGradOp::ElementWiseBinaryGradOp;
  std::unique_ptr<Op> clone() const override;
  bool isArg1Grad() const final { return false; }
};

class ElementWiseBinaryArg1GradOp : public ElementWiseBinaryGradOp {
 public:
  using ElementWiseBinaryGradOp::ElementWiseBinaryGradOp;
  std::unique_ptr<Op> clone() const override;
  bool isArg1Grad() const final { return true; }
};

/// A binary op with gradient ops for both inputs.
template <class ARG0_GRAD, class ARG1_GRAD>
class ElementWiseNpBroadcastableBinaryWithGradOp : public ElementWiseBinaryOp {
 public:
  using ElementWiseBinaryOp::ElementWiseBinaryOp;
  std::unique_ptr<Op> clone() const override {
    return std::unique_ptr<Op>(new ElementWiseNpBroadcastableBinaryWithGradOp(*this));
  }
  std::vector<std::unique_ptr<Op>> getGradOps() final {
    const Shape& out = outShape(getOutIndex());
    std::vector<std::unique_ptr<Op>> ops;
    ops.emplace_back(new ARG0_GRAD(*this, npReductionAxis(inShape(getArg0InIndex()), out)));
    ops.emplace_back(new ARG1_GRAD(*this, npReductionAxis(inShape(getArg1InIndex()), out)));
    return ops;
  }
};

}  // namespace popart

#endif  // popart_op_elementwise_hpp
