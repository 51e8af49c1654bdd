#include <popart/op/elementwise.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/TileMapping.hpp>

namespace popart {
namespace popx {

namespace {

// Bytes of imbalance from which PopART does not compute in place.
constexpr unsigned largestImbalance = 150000;

view::RegMap sameRegion() {
  return [](const view::Region& region) { return view::Regions(1, region); };
}

}  // namespace

poplar::Tensor EwuComputex::cloneNcopy(poplar::program::Sequence& program, poplar::Graph& graph,
                                       const poplar::Tensor& tensor,
                                       const poplar::DebugNameAndId& name) const {
  const poplar::Tensor out = graph.clone(tensor, {name});
  program.add(poplar::program::Copy(tensor, out, false, {name}));
  return out;
}

poplar::Tensor EwuComputex::outplace(poplar::program::Sequence& program, poplar::Graph& graph,
                                     const poplar::Tensor& tensor,
                                     const poplar::DebugNameAndId& name,
                                     const std::string& prefix) const {
  const poplar::Tensor out = cloneNcopy(program, graph, tensor, name);
  inplace(program, graph, out, name, prefix);
  return out;
}

poplar::Tensor EwuComputex::coerceTo2D(const poplar::Tensor& tensor, std::int64_t axis) {
  std::size_t rows = 1, columns = 1;
  for (std::size_t i = 0; i < tensor.rank(); ++i)
    (static_cast<std::int64_t>(i) < axis ? rows : columns) *= tensor.dim(i);
  return tensor.reshape({rows, columns});
}

view::RegMap ElementWiseUnaryOpx::unwindRegion(InIndex, OutIndex) const { return sameRegion(); }

void ElementWiseUnaryOutplaceOpx::grow(poplar::program::Sequence& program) const {
  const poplar::Tensor& in = getInTensor(ElementWiseUnaryOp::getInIndex());
  const poplar::Tensor out =
      compute_->outplace(program, graph(), in, getDebugNameAndId(), "nonLinearityOutplace");
  setOutTensor(ElementWiseUnaryOp::getOutIndex(), compute_->reshape(out));
}

void ElementWiseUnaryInplaceOpx::grow(poplar::program::Sequence& program) const {
  poplar::Tensor out = getInTensor(ElementWiseUnaryOp::getInIndex());
  if (out.isParallelWriteable())
    compute_->inplace(program, graph(), out, getDebugNameAndId(), "nonLinearityInplace");
  else
    out = compute_->outplace(program, graph(), out, getDebugNameAndId(), "nonLinearityOutplace");
  setOutTensor(ElementWiseUnaryOp::getOutIndex(), compute_->reshape(out));
}

InIndex EwbComputex::getInplaceArgInIndex() const {
  if (policy_ == InplacePolicy::NEVER)
    throw internal_error(
        "EwbComputex::getInplaceArgInIndex: expected a computation in place, got one that writes "
        "neither tensor");
  return policy_ == InplacePolicy::LHS ? 0 : 1;
}

poplar::Tensor EwbComputex::mapMaybeInPlace(poplar::Graph& graph, popops::expr::BinaryOpType op,
                                            poplar::Tensor& inOut, poplar::Tensor& in,
                                            poplar::program::Sequence& program,
                                            const poplar::DebugContext& debugContext,
                                            const poplar::OptionFlags& options,
                                            const std::string&) const {
  if (poputil::getTileImbalance(graph, inOut) > largestImbalance)
    return popops::map(graph, op, inOut, in, program, debugContext, options);
  popops::mapInPlace(graph, op, inOut, in, program, debugContext, options);
  return inOut;
}

InputCreatorType ElementWiseBinaryOpx::getInputCreatorType(InIndex index) const {
  if (inInfo(index) != op_p->outInfo(0)) return InputCreatorType::Deadend;
  const std::map<InIndex, InIndex>& from = op_p->settings.inferTensorMappingToFrom;
  const auto mine = from.find(index), others = from.find(1 - index);
  if (mine != from.end() && mine->second == 1 - index) return InputCreatorType::CanCreateOrUnwind;
  if (others != from.end() && others->second == index) return InputCreatorType::Deadend;
  return InputCreatorType::CanUnwind;
}

std::set<TensorId> ElementWiseBinaryOpx::mustExistBeforeCreate(InIndex index) const {
  const std::map<InIndex, InIndex>& from = op_p->settings.inferTensorMappingToFrom;
  const auto mine = from.find(index);
  if (mine == from.end() || mine->second != 1 - index) return {};
  return {inId(mine->second)};
}

poplar::Tensor ElementWiseBinaryOpx::createInput(InIndex index,
                                                 const poplar::DebugNameAndId& name) const {
  return graph().clone(getInTensor(1 - index), {name});
}

view::RegMap ElementWiseBinaryOpx::unwindRegion(InIndex, OutIndex) const { return sameRegion(); }

void ElementWiseBinaryOutplaceOpx::grow(poplar::program::Sequence& program) const {
  if (compute_->inplaceSupported())
    throw internal_error("{}: expected a computation that writes no input, got one in place",
                         op_p->debugName());
  setOutTensor(0, compute_->outplace(program, graph(), getInTensor(0), getInTensor(1),
                                     getDebugNameAndId(), ""));
}

void ElementWiseBinaryInplaceOpx::grow(poplar::program::Sequence& program) const {
  if (!compute_->inplaceSupported())
    throw internal_error("{}: expected a computation in place, got one that writes no input",
                         op_p->debugName());
  poplar::Tensor inOut = getInTensor(compute_->getInplaceArgInIndex());
  poplar::Tensor in = getInTensor(compute_->getOutplaceArgInIndex());
  setOutTensor(0, inOut.isParallelWriteable()
                      ? compute_->maybeInplace(program, graph(), inOut, in, getDebugNameAndId(), "")
                      : compute_->outplace(program, graph(), inOut, in, getDebugNameAndId(), ""));
}

}  // namespace popx
}  // namespace popart
