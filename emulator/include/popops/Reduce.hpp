#ifndef popops_Reduce_hpp
#define popops_Reduce_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popops/Operation.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popops {

/// How to reduce: the operation, a scale of the result, and whether it is added to the output.
struct ReduceParams {
  ReduceParams() : op(Operation::ADD), update(false), useScale(false) {}
  ReduceParams(Operation op_, bool update_ = false) : op(op_), update(update_), useScale(false) {}
  /// `scale` is a float of one element.
  ReduceParams(Operation op_, bool update_, poplar::Tensor scale_)
      : op(op_), update(update_), useScale(true), scale(std::move(scale_)) {}
  ReduceParams(Operation op, float constantScale, bool update = false) = delete;

  Operation op;
  bool update;
  bool useScale;
  poplar::Tensor scale;
};

/// Reduces `in` along `dims`; the result has the other dimensions, in their order. Halves are
/// accumulated as floats. An output may have dimensions of 1 that the result has not, and lack some
/// that it has. A scale and an update are for ADD, SQUARE_ADD and LOG_ADD, which
/// adds the scale and updates by another LOG_ADD. Parts are reduced on the tiles where they lie,
/// and then together. The first form of each takes the type of the result.
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});

// Into compute sets, appended where there are too few: run them in order, and several reductions
// share them.
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});

/// One of the reductions of reduceMany().
struct SingleReduceOp {
  SingleReduceOp(poplar::Tensor in_, std::vector<std::size_t> dims_, ReduceParams params_,
                 poplar::Type outType_, std::string debugName_ = "")
      : in(std::move(in_)),
        dims(std::move(dims_)),
        params(std::move(params_)),
        useOutType(true),
        outType(outType_),
        debugName(std::move(debugName_)) {}
  SingleReduceOp(poplar::Tensor in_, std::vector<std::size_t> dims_, ReduceParams params_,
                 std::string debugName_ = "")
      : in(std::move(in_)),
        dims(std::move(dims_)),
        params(std::move(params_)),
        useOutType(false),
        outType(poplar::BOOL),
        debugName(std::move(debugName_)) {}

  poplar::Tensor in;
  std::vector<std::size_t> dims;
  ReduceParams params;
  bool useOutType;
  poplar::Type outType;
  std::string debugName;
};

/// Reduces many tensors in the compute sets of one. `outputs` is filled, or where it has tensors
/// already, one for each reduction, they are written.
void reduceMany(poplar::Graph& graph, const std::vector<SingleReduceOp>& reductions,
                std::vector<poplar::Tensor>& outputs, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});

}  // namespace popops

#endif  // popops_Reduce_hpp
