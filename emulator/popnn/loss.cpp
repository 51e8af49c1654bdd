#include <numeric>
#include <popnn/Loss.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/TopK.hpp>

namespace popnn {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using popops::expr::_1;
using popops::expr::_2;
using popops::expr::_3;
using popops::expr::_4;
using popops::expr::_5;
using popops::expr::Any;
using popops::expr::Cast;
using popops::expr::Const;
using popops::expr::Select;
namespace pe = popops::expr;

namespace {

// Keeps the logarithm finite: the least positive numbers.
constexpr float kLeastFloat = 1.17549435e-38f, kLeastHalf = 5.9604645e-8f;

void checkLabels(const Tensor& outputs, const Tensor& expected, const char* operation) {
  const Type type = outputs.elementType(), labels = expected.elementType();
  const bool types = (type == FLOAT || type == HALF) && (labels == UNSIGNED_INT || labels == INT);
  if (!types || outputs.rank() != 2 || expected.rank() != 1 || expected.dim(0) != outputs.dim(0)) {
    throw poplibs_error(std::string(operation) +
                        ": expected outputs [B,C] of float or half and labels [B] of unsigned int "
                        "or int, got " +
                        outputs.shapeToString() + " of " + type.toString() + " and " +
                        expected.shapeToString() + " of " + labels.toString());
  }
}

Tensor scaleOrOne(Graph& graph, const Tensor& scale, const DebugContext& dc) {
  if (scale.valid()) {
    if (scale.numElements() == 1) return scale.reshape({});
    throw poplibs_error("calcLoss: expected a scale of one element, got " + scale.shapeToString());
  }
  const Tensor one = graph.addConstant(FLOAT, {}, 1.0f, {dc, "one"});
  graph.setTileMapping(one, 0);
  return one;
}

Sequence addLoss(Graph& graph, const Tensor& outputs, const Tensor& expected, const Tensor& loss,
                 const Tensor& deltas, const Tensor& deltasScale, const Tensor& outputScaling,
                 LossType type, const DebugContext& dc) {
  checkLabels(outputs, expected, "calcLoss");
  if (loss.shape() != expected.shape() || deltas.shape() != outputs.shape()) {
    throw poplibs_error("calcLoss: expected a loss [B] and deltas [B,C] for outputs " +
                        outputs.shapeToString() + ", got " + loss.shapeToString() + " and " +
                        deltas.shapeToString());
  }
  std::vector<unsigned> indices(outputs.dim(1));
  std::iota(indices.begin(), indices.end(), 0u);
  const Tensor classes =
      graph.addConstant(UNSIGNED_INT, {indices.size()}, indices, {dc, "classes"});
  graph.setTileMapping(classes, 0);
  const Tensor labels = expected.reinterpret(UNSIGNED_INT).expand({1});
  const std::vector<Tensor> ts = {outputs, labels, classes, scaleOrOne(graph, deltasScale, dc),
                                  scaleOrOne(graph, outputScaling, dc)};
  const Cast p(_1, FLOAT), onehot(_2 == _3, FLOAT);
  const Cast delta_scale(_4, FLOAT), output_scale(_5, FLOAT);
  const auto unlessMasked = [](const pe::Expr& x) {
    return Select(x, Const(0.0f), _2 != Const(static_cast<unsigned>(MASKED_LABEL_CODE)));
  };
  Sequence prog;
  Any delta = p - onehot, each = Const(0.0f);
  if (type == SUM_SQUARED_LOSS) {
    each = pe::Square(delta) * 0.5f;
  } else {
    delta = (p - onehot * output_scale) * (delta_scale / output_scale);
    const float least = outputs.elementType() == HALF ? kLeastHalf : kLeastFloat;
    each = onehot * (pe::Log(output_scale) - pe::Log(p + least));
  }
  popops::mapWithOutput(graph, Cast(unlessMasked(delta), deltas.elementType()), ts, deltas, prog,
                        {dc, "deltas"});
  const Tensor losses = popops::map(graph, unlessMasked(each), ts, prog, {dc, "loss"});
  popops::reduceWithOutput(graph, losses, loss, {1}, popops::Operation::ADD, prog, {dc, "loss"});
  return prog;
}

std::pair<Tensor, Tensor> extremes(Graph& graph, const Tensor& input, bool largest, Sequence& prog,
                                   const DebugContext& dc) {
  if (input.rank() != 2) {
    throw poplibs_error("argMax: expected an input [B,C], got " + input.shapeToString());
  }
  const popops::TopKParams params(1, largest, popops::SortOrder::NONE);
  const auto top = popops::topKWithPermutation(graph, prog, input, params, dc);
  return {top.first.squeeze({1}), top.second.squeeze({1})};
}

}  // namespace

Program calcLoss(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                 const Tensor& loss, const Tensor& deltas, const Tensor& deltasScale,
                 const Tensor& modelOutputScaling, LossType lossType,
                 const DebugContext& debugContext) {
  return addLoss(graph, modelOutputs, expected, loss, deltas, deltasScale, modelOutputScaling,
                 lossType, {debugContext, "calcLoss"});
}

Program calcLoss(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                 const Tensor& loss, const Tensor& deltas, LossType lossType,
                 const DebugContext& debugContext) {
  return calcLoss(graph, modelOutputs, expected, loss, deltas, Tensor(), Tensor(), lossType,
                  debugContext);
}

Program calcLoss(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                 const Tensor& loss, const Tensor& deltas, const Tensor& deltasScale,
                 const Tensor& modelOutputScaling, const Tensor& numCorrect, LossType lossType,
                 const DebugContext& debugContext) {
  Sequence prog;
  prog.add(calcLoss(graph, modelOutputs, expected, loss, deltas, deltasScale, modelOutputScaling,
                    lossType, debugContext));
  prog.add(calcAccuracy(graph, modelOutputs, expected, numCorrect, debugContext));
  return prog;
}

Program calcLoss(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                 const Tensor& loss, const Tensor& deltas, const Tensor& numCorrect,
                 LossType lossType, const DebugContext& debugContext) {
  return calcLoss(graph, modelOutputs, expected, loss, deltas, Tensor(), Tensor(), numCorrect,
                  lossType, debugContext);
}

Program calcAccuracy(Graph& graph, const Tensor& modelOutputs, const Tensor& expected,
                     const Tensor& numCorrect, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "calcAccuracy");
  checkLabels(modelOutputs, expected, "calcAccuracy");
  if (numCorrect.numElements() != 1 || numCorrect.elementType() != UNSIGNED_INT) {
    throw poplibs_error("calcAccuracy: expected a count of one unsigned int, got " +
                        numCorrect.shapeToString() + " of " + numCorrect.elementType().toString());
  }
  Sequence prog;
  const Tensor best = argMax(graph, modelOutputs, prog, dc);
  const Tensor right = popops::map(graph, Cast(_1 == _2, UNSIGNED_INT),
                                   {best, expected.reinterpret(UNSIGNED_INT)}, prog, dc);
  popops::reduceWithOutput(graph, right, numCorrect.reshape({}), {0},
                           popops::ReduceParams(popops::Operation::ADD, true), prog, dc);
  return prog;
}

Tensor argMax(Graph& graph, const Tensor& input, Sequence& prog, const DebugContext& debugContext) {
  return maxAndArgMax(graph, input, prog, debugContext).second;
}

Tensor argMin(Graph& graph, const Tensor& input, Sequence& prog, const DebugContext& debugContext) {
  return minAndArgMin(graph, input, prog, debugContext).second;
}

std::pair<Tensor, Tensor> maxAndArgMax(Graph& graph, const Tensor& input, Sequence& prog,
                                       const DebugContext& debugContext) {
  return extremes(graph, input, true, prog, {debugContext, "argMax"});
}

std::pair<Tensor, Tensor> minAndArgMin(Graph& graph, const Tensor& input, Sequence& prog,
                                       const DebugContext& debugContext) {
  return extremes(graph, input, false, prog, {debugContext, "argMin"});
}

Tensor topK(Graph& graph, const Tensor& input, Tensor& indices, unsigned K, bool sort,
            Sequence& prog, const DebugContext& debugContext) {
  const popops::TopKParams params(K, true,
                                  sort ? popops::SortOrder::DESCENDING : popops::SortOrder::NONE);
  const auto top = popops::topKWithPermutation(graph, prog, input, params, debugContext);
  indices = top.second;
  return top.first;
}

}  // namespace popnn
