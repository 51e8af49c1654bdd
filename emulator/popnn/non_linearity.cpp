#include <popnn/NonLinearity.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <popops/Reduce.hpp>

#include "../popops/elementwise/map_vertices.hpp"

namespace popnn {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using popops::expr::_1;
using popops::expr::_2;
using popops::expr::_3;
using popops::expr::Any;
using popops::expr::Cast;
using popops::expr::Const;
using popops::expr::Select;
namespace pe = popops::expr;

namespace {

// Brings the largest output of a scaled softmax to the top of the range of half.
constexpr float kSoftmaxScale = 62000;

constexpr float kGeluA = 0.7978845608f;  // sqrt(2 / pi)
constexpr float kGeluB = 0.044715f;

bool isSoftmax(NonLinearityType type) {
  return type == NonLinearityType::SOFTMAX || type == NonLinearityType::SOFTMAX_STABLE ||
         type == NonLinearityType::SOFTMAX_SCALED;
}

void checkInput(const Tensor& t, const char* operation) {
  if (t.elementType() != FLOAT && t.elementType() != HALF) {
    throw poplibs_error(std::string(operation) + ": expected a tensor of type float or half, got " +
                        t.elementType().toString());
  }
}

// Of the input _1, as float.
Any expression(NonLinearityType type) {
  const Cast x(_1, FLOAT);
  switch (type) {
    case NonLinearityType::SIGMOID:
      return pe::Sigmoid(x);
    case NonLinearityType::HARD_SIGMOID:
      return pe::Clamp(x * 0.2f + Const(0.5f), Const(0.0f), Const(1.0f));
    case NonLinearityType::RELU:
      return pe::Max(x, Const(0.0f));
    case NonLinearityType::TANH:
      return pe::Tanh(x);
    case NonLinearityType::GELU:
      return x * 0.5f * (pe::Tanh((x + x * x * x * kGeluB) * kGeluA) + 1.0f);
    case NonLinearityType::GELU_ERF:
      return pe::GeluErf(x);
    default:
      return x * pe::Sigmoid(x);  // SWISH
  }
}

// The derivative, of the output (or input) _1 as float.
Any derivative(NonLinearityType type) {
  const Cast y(_1, FLOAT);
  switch (type) {
    case NonLinearityType::SIGMOID:
      return y * (1.0f - y);
    case NonLinearityType::HARD_SIGMOID:
      return Select(Const(0.2f), Const(0.0f), pe::Abs(y) <= 2.5f);
    case NonLinearityType::RELU:
      return Select(Const(1.0f), Const(0.0f), y > 0.0f);
    case NonLinearityType::TANH:
      return 1.0f - y * y;
    case NonLinearityType::GELU: {
      const Any th = pe::Tanh((y + y * y * y * kGeluB) * kGeluA);
      const Any inner = (y * y * (3 * kGeluB) + 1.0f) * kGeluA;
      return pe::Mul(pe::Add(th, Const(1.0f)), Const(0.5f)) +
             y * 0.5f * pe::Sub(Const(1.0f), pe::Mul(th, th)) * inner;
    }
    case NonLinearityType::GELU_ERF:
      return (pe::Erf(y * 0.70710678f) + 1.0f) * 0.5f + y * pe::Exp(y * y * -0.5f) * 0.39894228f;
    default: {  // SWISH
      const pe::Sigmoid s(y);
      return s + y * s * (1.0f - s);
    }
  }
}

Tensor addSoftmax(Graph& graph, const Tensor& t, float scale, Sequence& prog,
                  const DebugContext& dc) {
  if (t.rank() == 0) throw poplibs_error("nonLinearity: expected a dimension for the softmax");
  const std::size_t last = t.rank() - 1;
  const Tensor maxima =
      popops::reduce(graph, t, {last}, popops::Operation::MAX, prog, dc).expand({last});
  const Tensor exps =
      popops::map(graph, pe::Exp(Cast(_1, FLOAT) - Cast(_2, FLOAT)), {t, maxima}, prog, dc);
  const Tensor sums =
      popops::reduce(graph, exps, {last}, popops::Operation::ADD, prog, dc).expand({last});
  return popops::map(graph, Cast(_1 * scale / _2, t.elementType()), {exps, sums}, prog, dc);
}

void checkOneComputeSet(NonLinearityType type, const char* operation) {
  if (isSoftmax(type) || type == NonLinearityType::HARD_SIGMOID) {
    throw poplibs_error(std::string(operation) +
                        ": expected another type than softmax and hard sigmoid, which do not go "
                        "into the one compute set given");
  }
}

// Writes in place, element by element.
void checkWritable(const Tensor& t) {
  if (!t.isParallelWriteable()) {
    throw poplibs_error(
        "nonLinearityInPlace: expected a tensor without aliases and constants, got one with them");
  }
}

void checkGradient(const Tensor& act, const Tensor& gradient) {
  checkInput(act, "nonLinearityInputGradient");
  if (act.shape() != gradient.shape()) {
    throw poplibs_error(
        "nonLinearityInputGradient: expected activations and gradients of one "
        "shape, got " +
        act.shapeToString() + " and " + gradient.shapeToString());
  }
}

Cast gradientExpression(NonLinearityType type, const Type& element) {
  return Cast(pe::Mul(Cast(_2, FLOAT), derivative(type)), element);
}

}  // namespace

Tensor nonLinearity(Graph& graph, NonLinearityType type, Tensor t, float& nonLinearityScaling,
                    Sequence& prog, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "nonLinearity");
  checkInput(t, "nonLinearity");
  nonLinearityScaling = type == NonLinearityType::SOFTMAX_SCALED ? kSoftmaxScale : 1.0f;
  if (isSoftmax(type)) return addSoftmax(graph, t, nonLinearityScaling, prog, dc);
  return popops::map(graph, Cast(expression(type), t.elementType()), {t}, prog, dc);
}

Tensor nonLinearity(Graph& graph, NonLinearityType type, Tensor t, Sequence& prog,
                    const DebugContext& debugContext) {
  float scaling;
  return nonLinearity(graph, type, t, scaling, prog, debugContext);
}

void nonLinearityInPlace(Graph& graph, NonLinearityType type, Tensor t, float& nonLinearityScaling,
                         Sequence& prog, const DebugContext& debugContext) {
  checkWritable(t);
  const Tensor out = nonLinearity(graph, type, t, nonLinearityScaling, prog, debugContext);
  prog.add(Copy(out, t, false, debugContext));
}

void nonLinearityInPlace(Graph& graph, NonLinearityType type, Tensor t, Sequence& prog,
                         const DebugContext& debugContext) {
  float scaling;
  nonLinearityInPlace(graph, type, t, scaling, prog, debugContext);
}

void nonLinearityInPlace(Graph& graph, NonLinearityType type, Tensor t, ComputeSet& cs,
                         const DebugContext&) {
  checkInput(t, "nonLinearityInPlace");
  checkOneComputeSet(type, "nonLinearityInPlace");
  checkWritable(t);
  popops::addMapVertices(graph, Cast(expression(type), t.elementType()), {t}, t, cs,
                         "nonLinearityInPlace");
}

void nonLinearityInPlace(Graph& graph, NonLinearityType type, Tensor t, float& nonLinearityScaling,
                         ComputeSet& cs, const DebugContext& debugContext) {
  nonLinearityScaling = 1;
  nonLinearityInPlace(graph, type, t, cs, debugContext);
}

Tensor nonLinearityInputGradient(Graph& graph, NonLinearityType type, Tensor act,
                                 Tensor outGradient, ComputeSet& cs,
                                 const DebugContext& debugContext) {
  checkGradient(act, outGradient);
  checkOneComputeSet(type, "nonLinearityInputGradient");
  const Tensor out = popops::createOutputForElementWiseOp(
      graph, {act}, act.elementType(), {debugContext, "nonLinearityInputGradient"});
  popops::addMapVertices(graph, gradientExpression(type, act.elementType()), {act, outGradient},
                         out, cs, "nonLinearityInputGradient");
  return out;
}

Tensor nonLinearityInputGradient(Graph& graph, NonLinearityType type, Tensor act,
                                 Tensor outGradient, Sequence& prog,
                                 const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "nonLinearityInputGradient");
  checkGradient(act, outGradient);
  if (!isSoftmax(type)) {
    return popops::map(graph, gradientExpression(type, act.elementType()), {act, outGradient}, prog,
                       dc);
  }
  if (act.rank() == 0) {
    throw poplibs_error("nonLinearityInputGradient: expected a dimension for the softmax");
  }
  const Cast g(_2, FLOAT);
  const Cast y(_1, FLOAT);
  const std::size_t last = act.rank() - 1;
  const Tensor products = popops::map(graph, y * g, {act, outGradient}, prog, dc);
  const Tensor sums =
      popops::reduce(graph, products, {last}, popops::Operation::ADD, prog, dc).expand({last});
  return popops::map(graph, Cast(y * (g - _3), act.elementType()), {act, outGradient, sums}, prog,
                     dc);
}

}  // namespace popnn
