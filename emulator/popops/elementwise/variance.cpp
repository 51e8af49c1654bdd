// Between variances and inverse standard deviations, of another type than the operand's.
#include <popops/ElementWise.hpp>
#include <popops/ExprOpUtils.hpp>
#include <sstream>

#include "elementwise/op_names.hpp"

namespace popops {

using namespace poplar;
using namespace poplar::program;

namespace {

// In float where either type is.
Tensor convert(Graph& graph, const Tensor& src, const Tensor& epsilon, expr::BinaryOpType op,
               Type changed, const Type& to, Sequence& prog, const DebugContext& dc,
               const char* operation) {
  const Type from = src.elementType();
  if (to != from && to != changed) {
    const std::string either = from == changed ? "" : " or " + from.toString();
    throw poputil::poplibs_error(std::string(operation) + ": expected a type of " +
                                 changed.toString() + either + ", got " + to.toString());
  }
  if (epsilon.numElements() != 1) {
    throw poputil::poplibs_error(std::string(operation) +
                                 ": expected an epsilon of one element, "
                                 "got " +
                                 epsilon.shapeToString());
  }
  const Type in = from == HALF && to == HALF ? HALF : FLOAT;
  const expr::Any e = expr::BinaryOp(op, expr::Cast(expr::_1, in), expr::Cast(expr::_2, in));
  return map(graph, expr::Cast(e, to), {src, epsilon.reshape({})}, prog, {dc, operation});
}

Tensor constant(Graph& graph, const Tensor& src, float value, const DebugContext& dc) {
  const Tensor t = graph.addConstant(src.elementType(), {}, value, dc);
  graph.setTileMapping(t, 0);
  return t;
}

}  // namespace

Tensor varianceToInvStdDev(Graph& graph, const Tensor& src, const Tensor& epsilon, Sequence& prog,
                           const Type dstType, const DebugContext& debugContext) {
  return convert(graph, src, epsilon, expr::BinaryOpType::VARIANCE_TO_INV_STD_DEV, HALF, dstType,
                 prog, debugContext, "varianceToInvStdDev");
}

Tensor varianceToInvStdDev(Graph& graph, const Tensor& src, const float epsilon, Sequence& prog,
                           const Type dstType, const DebugContext& debugContext) {
  return varianceToInvStdDev(graph, src, constant(graph, src, epsilon, debugContext), prog, dstType,
                             debugContext);
}

Tensor invStdDevToVariance(Graph& graph, const Tensor& src, const Tensor& epsilon, Sequence& prog,
                           const Type dstType, const DebugContext& debugContext) {
  return convert(graph, src, epsilon, expr::BinaryOpType::INV_STD_DEV_TO_VARIANCE, FLOAT, dstType,
                 prog, debugContext, "invStdDevToVariance");
}

Tensor invStdDevToVariance(Graph& graph, const Tensor& src, const float epsilon, Sequence& prog,
                           const Type dstType, const DebugContext& debugContext) {
  return invStdDevToVariance(graph, src, constant(graph, src, epsilon, debugContext), prog, dstType,
                             debugContext);
}

void outputGeneratedCodelet(const Target&, const expr::Expr& e, const std::vector<Tensor>&,
                            const OptionFlags&, std::ostream&) {
  std::ostringstream text;
  text << e;
  throw poputil::poplibs_error("outputGeneratedCodelet: generated codelets are not emulated, got " +
                               text.str());
}

namespace expr {
namespace ostream_ext {

std::ostream& operator<<(std::ostream& os, const UnaryOpType& t) { return os << opName(t); }
std::ostream& operator<<(std::ostream& os, const BinaryOpType& t) { return os << opName(t); }
std::ostream& operator<<(std::ostream& os, const TernaryOpType& t) {
  return os << (t == TernaryOpType::SELECT ? "SELECT" : "CLAMP");
}

}  // namespace ostream_ext
}  // namespace expr
}  // namespace popops

namespace poputil {

template <>
poplar::ProfileValue toProfileValue(const popops::expr::UnaryOpType& op) {
  return poplar::ProfileValue(popops::expr::opName(op));
}
template <>
poplar::ProfileValue toProfileValue(const popops::expr::BinaryOpType& op) {
  return poplar::ProfileValue(popops::expr::opName(op));
}
template <>
poplar::ProfileValue toProfileValue(const popops::expr::TernaryOpType& op) {
  return poplar::ProfileValue(op == popops::expr::TernaryOpType::SELECT ? "SELECT" : "CLAMP");
}

}  // namespace poputil
