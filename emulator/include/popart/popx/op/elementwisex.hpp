#ifndef popart_popx_op_elementwisex_hpp
#define popart_popx_op_elementwisex_hpp

#include <cstdint>
#include <memory>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Tensor.hpp>
#include <popops/ExprOp.hpp>
#include <set>
#include <string>
#include <utility>

namespace popart {
namespace popx {

/// What an elementwise op of one tensor computes: in place, or by a copy.
class EwuComputex {
 public:
  EwuComputex() = default;
  virtual ~EwuComputex() = default;
  virtual poplar::Tensor outplace(poplar::program::Sequence& program, poplar::Graph& graph,
                                  const poplar::Tensor& tensor, const poplar::DebugNameAndId& name,
                                  const std::string& prefix) const;
  virtual void inplace(poplar::program::Sequence& program, poplar::Graph& graph,
                       const poplar::Tensor& tensor, const poplar::DebugNameAndId& name,
                       const std::string& prefix) const = 0;
  poplar::Tensor cloneNcopy(poplar::program::Sequence& program, poplar::Graph& graph,
                            const poplar::Tensor& tensor, const poplar::DebugNameAndId& name) const;
  /// The shape of the output, where it is another.
  virtual poplar::Tensor reshape(const poplar::Tensor& tensor) const { return tensor; }
  /// The dimensions before the axis as one, and the others as one.
  static poplar::Tensor coerceTo2D(const poplar::Tensor& tensor, std::int64_t axis);
};

/// An op whose output has the layout of its input.
class ElementWiseUnaryOpx : public Opx {
 public:
  ElementWiseUnaryOpx(Op* op, Devicex* devicex) : Opx(op, devicex) {}
  InputCreatorType getInputCreatorType(InIndex) const override {
    return InputCreatorType::CanUnwind;
  }
  poplar::Tensor unwindTensorLayout(poplar::Tensor tensor, InIndex, OutIndex) const override {
    return tensor;
  }
  view::RegMap unwindRegion(InIndex, OutIndex) const override;
};

class ElementWiseUnaryOutplaceOpx : public ElementWiseUnaryOpx {
 public:
  ElementWiseUnaryOutplaceOpx(Op* op, Devicex* devicex, std::unique_ptr<EwuComputex> compute)
      : ElementWiseUnaryOpx(op, devicex), compute_(std::move(compute)) {}
  void grow(poplar::program::Sequence& program) const final;

 private:
  std::unique_ptr<EwuComputex> compute_;
};

/// Copies where elements of the input cannot be written in parallel.
class ElementWiseUnaryInplaceOpx : public ElementWiseUnaryOpx {
 public:
  ElementWiseUnaryInplaceOpx(Op* op, Devicex* devicex, std::unique_ptr<EwuComputex> compute)
      : ElementWiseUnaryOpx(op, devicex), compute_(std::move(compute)) {}
  void grow(poplar::program::Sequence& program) const final;

 private:
  std::unique_ptr<EwuComputex> compute_;
};

/// What an elementwise op of two tensors computes, and which of them it may write.
class EwbComputex {
 public:
  enum class InplacePolicy { NEVER, LHS, RHS };

  explicit EwbComputex(InplacePolicy policy = InplacePolicy::NEVER) : policy_(policy) {}
  virtual ~EwbComputex() = default;
  bool inplaceSupported() const { return policy_ != InplacePolicy::NEVER; }
  /// Throw `internal_error` where neither is written.
  InIndex getInplaceArgInIndex() const;
  InIndex getOutplaceArgInIndex() const { return 1 - getInplaceArgInIndex(); }

  virtual poplar::Tensor outplace(poplar::program::Sequence& program, poplar::Graph& graph,
                                  const poplar::Tensor& a, const poplar::Tensor& b,
                                  const poplar::DebugNameAndId& name,
                                  const std::string& prefix) const = 0;
  virtual poplar::Tensor maybeInplace(poplar::program::Sequence& program, poplar::Graph& graph,
                                      poplar::Tensor& inOut, poplar::Tensor& in,
                                      const poplar::DebugNameAndId& name,
                                      const std::string& prefix) const = 0;
  poplar::Tensor mapMaybeInPlace(poplar::Graph& graph, popops::expr::BinaryOpType op,
                                 poplar::Tensor& inOut, poplar::Tensor& in,
                                 poplar::program::Sequence& program,
                                 const poplar::DebugContext& debugContext,
                                 const poplar::OptionFlags& options = {},
                                 const std::string& name = "") const;

 private:
  InplacePolicy policy_;
};

/// An op of two tensors. The layout of one that is not broadcast is that of the output.
class ElementWiseBinaryOpx : public Opx {
 public:
  ElementWiseBinaryOpx(Op* op, Devicex* devicex) : Opx(op, devicex) {}
  InputCreatorType getInputCreatorType(InIndex index) const override;
  std::set<TensorId> mustExistBeforeCreate(InIndex index) const override;
  poplar::Tensor createInput(InIndex index, const poplar::DebugNameAndId& name) const override;
  poplar::Tensor unwindTensorLayout(poplar::Tensor tensor, InIndex, OutIndex) const override {
    return tensor;
  }
  view::RegMap unwindRegion(InIndex, OutIndex) const override;
};

class ElementWiseBinaryOutplaceOpx : public ElementWiseBinaryOpx {
 public:
  ElementWiseBinaryOutplaceOpx(Op* op, Devicex* devicex, std::unique_ptr<EwbComputex> compute)
      : ElementWiseBinaryOpx(op, devicex), compute_(std::move(compute)) {}
  /// Throws `internal_error` where the computation is one in place.
  void grow(poplar::program::Sequence& program) const final;

 private:
  std::unique_ptr<EwbComputex> compute_;
};

class ElementWiseBinaryInplaceOpx : public ElementWiseBinaryOpx {
 public:
  ElementWiseBinaryInplaceOpx(Op* op, Devicex* devicex, std::unique_ptr<EwbComputex> compute)
      : ElementWiseBinaryOpx(op, devicex), compute_(std::move(compute)) {}
  /// Throws `internal_error` where the computation writes neither.
  void grow(poplar::program::Sequence& program) const final;

 private:
  std::unique_ptr<EwbComputex> compute_;
};

class BinaryComparisonOpx : public Opx {
 public:
  BinaryComparisonOpx(Op* op, Devicex* devicex) : Opx(op, devicex) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_elementwisex_hpp
