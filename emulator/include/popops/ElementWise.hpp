#ifndef popops_ElementWise_hpp
#define popops_ElementWise_hpp

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popops/Expr.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace popops {

/// Appends to `prog` what evaluates an expression at each index of the tensors `ts` (placeholder _1
/// is the first), which broadcast to each other as in NumPy. The result is a new variable, laid out
/// as the operand that is mapped to the most tiles. Operands of an operation have one type:
/// throws poputil::poplibs_error where they do not, or where the operation has no meaning for it.
poplar::Tensor map(poplar::Graph& graph, const expr::Expr& expr,
                   const std::vector<poplar::Tensor>& ts, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});
/// One result for each expression.
std::vector<poplar::Tensor> map(poplar::Graph& graph, const std::vector<expr::Any>& exprs,
                                const std::vector<poplar::Tensor>& ts,
                                poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {});

/// Writes the result to `ts[0]`, whose shape and type it must have.
void mapInPlace(poplar::Graph& graph, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});
/// Writes the result of expression i to `ts[i]`, after all of them are evaluated.
void mapInPlace(poplar::Graph& graph, const std::vector<expr::Any>& exprs,
                const std::vector<poplar::Tensor>& ts, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});

/// Writes the result to `out`, whose shape and type it must have.
void mapWithOutput(poplar::Graph& graph, const expr::Expr& expr,
                   const std::vector<poplar::Tensor>& ts, const poplar::Tensor& out,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});
void mapWithOutput(poplar::Graph& graph, const std::vector<expr::Any>& exprs,
                   const std::vector<poplar::Tensor>& ts, const std::vector<poplar::Tensor>& outs,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});

// A single operation instead of an expression.
#define POPOPS_MAP(OPTYPE, EXPR, PARAMETERS, TENSORS)                                           \
  inline poplar::Tensor map(                                                                    \
      poplar::Graph& graph, expr::OPTYPE op, PARAMETERS, poplar::program::Sequence& prog,       \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    return map(graph, EXPR, TENSORS, prog, debugContext, options);                              \
  }                                                                                             \
  inline void mapInPlace(                                                                       \
      poplar::Graph& graph, expr::OPTYPE op, PARAMETERS, poplar::program::Sequence& prog,       \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    mapInPlace(graph, EXPR, TENSORS, prog, debugContext, options);                              \
  }                                                                                             \
  inline void mapWithOutput(poplar::Graph& graph, expr::OPTYPE op, PARAMETERS,                  \
                            const poplar::Tensor& out, poplar::program::Sequence& prog,         \
                            const poplar::DebugContext& debugContext = {},                      \
                            const poplar::OptionFlags& options = {}) {                          \
    mapWithOutput(graph, EXPR, TENSORS, out, prog, debugContext, options);                      \
  }
#define POPOPS_COMMA ,
POPOPS_MAP(UnaryOpType, expr::UnaryOp(op POPOPS_COMMA expr::_1), const poplar::Tensor& a,
           std::vector<poplar::Tensor>{a})
POPOPS_MAP(BinaryOpType, expr::BinaryOp(op POPOPS_COMMA expr::_1 POPOPS_COMMA expr::_2),
           const poplar::Tensor& a POPOPS_COMMA const poplar::Tensor& b,
           std::vector<poplar::Tensor>{a POPOPS_COMMA b})
POPOPS_MAP(TernaryOpType,
           expr::TernaryOp(op POPOPS_COMMA expr::_1 POPOPS_COMMA expr::_2 POPOPS_COMMA expr::_3),
           const poplar::Tensor& a POPOPS_COMMA const poplar::Tensor& b
               POPOPS_COMMA const poplar::Tensor& c,
           std::vector<poplar::Tensor>{a POPOPS_COMMA b POPOPS_COMMA c})
#undef POPOPS_COMMA
#undef POPOPS_MAP

/// Throws poputil::poplibs_error: expressions are evaluated by a vertex for all of them, and no
/// codelet is generated.
void outputGeneratedCodelet(const poplar::Target& target, const expr::Expr& expr,
                            const std::vector<poplar::Tensor>& ts,
                            const poplar::OptionFlags& options, std::ostream& os);

/// Throws where a constant of the host does not go with a tensor of `elementType`.
template <typename constType>
void checkTypes(poplar::Type elementType, constType) {
  if (elementType != poplar::equivalent_device_type<constType>().value) {
    throw std::runtime_error("checkTypes: expected a constant of type " + elementType.toString() +
                             ", got one of another type");
  }
}
template <>
inline void checkTypes<float>(poplar::Type elementType, float) {
  if (elementType != poplar::FLOAT && elementType != poplar::HALF) {
    throw std::runtime_error("checkTypes: expected a tensor of type float or half, got " +
                             elementType.toString());
  }
}
template <>
inline void checkTypes<double>(poplar::Type elementType, double) {
  checkTypes<float>(elementType, 0.0f);
}

namespace detail {

template <class T>
using IfConstant = typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), int>::type;

/// A constant operand must have the type of the tensor; floats and doubles go with halves too.
template <class T>
expr::Const constant(const poplar::Tensor& operand, T value, const char* operation) {
  const poplar::Type type = operand.elementType();
  const bool fits = std::is_floating_point<T>::value
                        ? type == poplar::FLOAT || type == poplar::HALF
                        : type == poplar::Type(poplar::emulator::HostType<T>::code);
  if (!fits) {
    throw poputil::poplibs_error(std::string(operation) + ": expected a constant of type " +
                                 type.toString() + " next to the tensor, got one of another type");
  }
  return expr::Const(value);
}

}  // namespace detail

// NAME, NAMEInPlace and NAMEWithOutput of one operation. In place means: into the first operand.
#define POPOPS_UNARY(NAME, OP)                                                                  \
  inline poplar::Tensor NAME(                                                                   \
      poplar::Graph& graph, const poplar::Tensor& A, poplar::program::Sequence& prog,           \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    return map(graph, expr::UnaryOpType::OP, A, prog, {debugContext, #NAME}, options);          \
  }                                                                                             \
  inline void NAME##InPlace(                                                                    \
      poplar::Graph& graph, const poplar::Tensor& A, poplar::program::Sequence& prog,           \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    mapInPlace(graph, expr::UnaryOpType::OP, A, prog, {debugContext, #NAME}, options);          \
  }                                                                                             \
  inline void NAME##WithOutput(poplar::Graph& graph, const poplar::Tensor& A,                   \
                               const poplar::Tensor& out, poplar::program::Sequence& prog,      \
                               const poplar::DebugContext& debugContext = {},                   \
                               const poplar::OptionFlags& options = {}) {                       \
    mapWithOutput(graph, expr::UnaryOpType::OP, A, out, prog, {debugContext, #NAME}, options);  \
  }

POPOPS_UNARY(abs, ABSOLUTE)
POPOPS_UNARY(asin, ASIN)
POPOPS_UNARY(bitwiseNot, BITWISE_NOT)
POPOPS_UNARY(cbrt, CBRT)
POPOPS_UNARY(ceil, CEIL)
POPOPS_UNARY(cos, COS)
POPOPS_UNARY(countLeadingZeros, COUNT_LEADING_ZEROS)
POPOPS_UNARY(erf, ERF)
POPOPS_UNARY(exp, EXPONENT)
POPOPS_UNARY(exp2, EXPONENT2)
POPOPS_UNARY(expm1, EXPONENT_MINUS_ONE)
POPOPS_UNARY(floor, FLOOR)
POPOPS_UNARY(geluErf, GELU_ERF)
POPOPS_UNARY(inv, INVERSE)
POPOPS_UNARY(isFinite, IS_FINITE)
POPOPS_UNARY(isInf, IS_INF)
POPOPS_UNARY(isNaN, IS_NAN)
POPOPS_UNARY(log, LOGARITHM)
POPOPS_UNARY(log1p, LOGARITHM_ONE_PLUS)
POPOPS_UNARY(logicalNot, LOGICAL_NOT)
POPOPS_UNARY(nearbyint, NEARBY_INT)
POPOPS_UNARY(neg, NEGATE)
POPOPS_UNARY(popcount, POPCOUNT)
POPOPS_UNARY(relu, RELU)
POPOPS_UNARY(round, ROUND)
POPOPS_UNARY(rsqrt, RSQRT)
POPOPS_UNARY(sigmoid, SIGMOID)
POPOPS_UNARY(signum, SIGNUM)
POPOPS_UNARY(sin, SIN)
POPOPS_UNARY(sqrt, SQRT)
POPOPS_UNARY(square, SQUARE)
POPOPS_UNARY(tan, TAN)
POPOPS_UNARY(tanh, TANH)
POPOPS_UNARY(trunc, TRUNC)

#undef POPOPS_UNARY

#define POPOPS_TAIL                \
  poplar::program::Sequence &prog, \
      const poplar::DebugContext &debugContext = {}, const poplar::OptionFlags &options = {}
#define POPOPS_BINARY(NAME, OP)                                                                    \
  inline poplar::Tensor NAME(poplar::Graph& graph, const poplar::Tensor& A,                        \
                             const poplar::Tensor& B, POPOPS_TAIL) {                               \
    return map(graph, expr::BinaryOpType::OP, A, B, prog, {debugContext, #NAME}, options);         \
  }                                                                                                \
  template <class constType, detail::IfConstant<constType> = 0>                                    \
  poplar::Tensor NAME(poplar::Graph& graph, const poplar::Tensor& A, const constType B,            \
                      POPOPS_TAIL) {                                                               \
    return map(graph,                                                                              \
               expr::BinaryOp(expr::BinaryOpType::OP, expr::_1, detail::constant(A, B, #NAME)),    \
               {A}, prog, {debugContext, #NAME}, options);                                         \
  }                                                                                                \
  template <class constType, detail::IfConstant<constType> = 0>                                    \
  poplar::Tensor NAME(poplar::Graph& graph, const constType A, const poplar::Tensor& B,            \
                      POPOPS_TAIL) {                                                               \
    return map(graph,                                                                              \
               expr::BinaryOp(expr::BinaryOpType::OP, detail::constant(B, A, #NAME), expr::_1),    \
               {B}, prog, {debugContext, #NAME}, options);                                         \
  }                                                                                                \
  inline void NAME##InPlace(poplar::Graph& graph, const poplar::Tensor& A,                         \
                            const poplar::Tensor& B, POPOPS_TAIL) {                                \
    mapInPlace(graph, expr::BinaryOpType::OP, A, B, prog, {debugContext, #NAME}, options);         \
  }                                                                                                \
  template <class constType, detail::IfConstant<constType> = 0>                                    \
  void NAME##InPlace(poplar::Graph& graph, const poplar::Tensor& A, const constType B,             \
                     POPOPS_TAIL) {                                                                \
    mapInPlace(graph,                                                                              \
               expr::BinaryOp(expr::BinaryOpType::OP, expr::_1, detail::constant(A, B, #NAME)),    \
               {A}, prog, {debugContext, #NAME}, options);                                         \
  }                                                                                                \
  inline void NAME##WithOutput(poplar::Graph& graph, const poplar::Tensor& A,                      \
                               const poplar::Tensor& B, const poplar::Tensor& out, POPOPS_TAIL) {  \
    mapWithOutput(graph, expr::BinaryOpType::OP, A, B, out, prog, {debugContext, #NAME}, options); \
  }                                                                                                \
  template <class constType, detail::IfConstant<constType> = 0>                                    \
  void NAME##WithOutput(poplar::Graph& graph, const poplar::Tensor& A, const constType B,          \
                        const poplar::Tensor& out, POPOPS_TAIL) {                                  \
    mapWithOutput(graph,                                                                           \
                  expr::BinaryOp(expr::BinaryOpType::OP, expr::_1, detail::constant(A, B, #NAME)), \
                  {A}, out, prog, {debugContext, #NAME}, options);                                 \
  }                                                                                                \
  template <class constType, detail::IfConstant<constType> = 0>                                    \
  void NAME##WithOutput(poplar::Graph& graph, const constType A, const poplar::Tensor& B,          \
                        const poplar::Tensor& out, POPOPS_TAIL) {                                  \
    mapWithOutput(graph,                                                                           \
                  expr::BinaryOp(expr::BinaryOpType::OP, detail::constant(B, A, #NAME), expr::_1), \
                  {B}, out, prog, {debugContext, #NAME}, options);                                 \
  }

POPOPS_BINARY(add, ADD)
POPOPS_BINARY(atan2, ATAN2)
POPOPS_BINARY(bitwiseAnd, BITWISE_AND)
POPOPS_BINARY(bitwiseOr, BITWISE_OR)
POPOPS_BINARY(bitwiseXnor, BITWISE_XNOR)
POPOPS_BINARY(bitwiseXor, BITWISE_XOR)
POPOPS_BINARY(div, DIVIDE)
POPOPS_BINARY(eq, EQUAL)
POPOPS_BINARY(gt, GREATER_THAN)
POPOPS_BINARY(gteq, GREATER_THAN_EQUAL)
POPOPS_BINARY(invStdDevToVariance, INV_STD_DEV_TO_VARIANCE)
POPOPS_BINARY(logicalAnd, LOGICAL_AND)
POPOPS_BINARY(logicalOr, LOGICAL_OR)
POPOPS_BINARY(lt, LESS_THAN)
POPOPS_BINARY(lteq, LESS_THAN_EQUAL)
POPOPS_BINARY(max, MAXIMUM)
POPOPS_BINARY(min, MINIMUM)
POPOPS_BINARY(mul, MULTIPLY)
POPOPS_BINARY(neq, NOT_EQUAL)
POPOPS_BINARY(pow, POWER)
POPOPS_BINARY(rem, REMAINDER)
POPOPS_BINARY(shiftLeft, SHIFT_LEFT)
POPOPS_BINARY(shiftRight, SHIFT_RIGHT)
POPOPS_BINARY(shiftRightSignExtend, SHIFT_RIGHT_SIGN_EXTEND)
POPOPS_BINARY(sub, SUBTRACT)
POPOPS_BINARY(varianceToInvStdDev, VARIANCE_TO_INV_STD_DEV)

#undef POPOPS_BINARY

/// 1 / sqrt(src + epsilon) as another type: half, or that of `src`. `epsilon` has one element, of
/// the type of `src`.
poplar::Tensor varianceToInvStdDev(poplar::Graph& graph, const poplar::Tensor& src,
                                   const poplar::Tensor& epsilon, poplar::program::Sequence& prog,
                                   const poplar::Type dstType = poplar::HALF,
                                   const poplar::DebugContext& debugContext = {});
poplar::Tensor varianceToInvStdDev(poplar::Graph& graph, const poplar::Tensor& src,
                                   const float epsilon, poplar::program::Sequence& prog,
                                   const poplar::Type dstType = poplar::HALF,
                                   const poplar::DebugContext& debugContext = {});
/// 1 / src^2 - epsilon as another type: float, or that of `src`.
poplar::Tensor invStdDevToVariance(poplar::Graph& graph, const poplar::Tensor& src,
                                   const poplar::Tensor& epsilon, poplar::program::Sequence& prog,
                                   const poplar::Type dstType = poplar::FLOAT,
                                   const poplar::DebugContext& debugContext = {});
poplar::Tensor invStdDevToVariance(poplar::Graph& graph, const poplar::Tensor& src,
                                   const float epsilon, poplar::program::Sequence& prog,
                                   const poplar::Type dstType = poplar::FLOAT,
                                   const poplar::DebugContext& debugContext = {});

/// `A` where `conditions` is true, else `B`.
#define POPOPS_TERNARY(NAME, OP, A, B, C)                                                      \
  inline poplar::Tensor NAME(poplar::Graph& graph, const poplar::Tensor& A,                    \
                             const poplar::Tensor& B, const poplar::Tensor& C, POPOPS_TAIL) {  \
    return map(graph, expr::TernaryOpType::OP, A, B, C, prog, {debugContext, #NAME}, options); \
  }                                                                                            \
  inline void NAME##InPlace(poplar::Graph& graph, const poplar::Tensor& A,                     \
                            const poplar::Tensor& B, const poplar::Tensor& C, POPOPS_TAIL) {   \
    mapInPlace(graph, expr::TernaryOpType::OP, A, B, C, prog, {debugContext, #NAME}, options); \
  }                                                                                            \
  inline void NAME##WithOutput(poplar::Graph& graph, const poplar::Tensor& A,                  \
                               const poplar::Tensor& B, const poplar::Tensor& C,               \
                               const poplar::Tensor& out, POPOPS_TAIL) {                       \
    mapWithOutput(graph, expr::TernaryOpType::OP, A, B, C, out, prog, {debugContext, #NAME},   \
                  options);                                                                    \
  }
POPOPS_TERNARY(select, SELECT, A, B, conditions)
POPOPS_TERNARY(clamp, CLAMP, values, minimums, maximums)
#undef POPOPS_TERNARY
#undef POPOPS_TAIL

}  // namespace popops

namespace poputil {

template <>
poplar::ProfileValue toProfileValue(const popops::expr::UnaryOpType& op);
template <>
poplar::ProfileValue toProfileValue(const popops::expr::BinaryOpType& op);
template <>
poplar::ProfileValue toProfileValue(const popops::expr::TernaryOpType& op);

}  // namespace poputil

#endif  // popops_ElementWise_hpp
