#include <popops/ElementWise.hpp>
#include <popops/ScaledAdd.hpp>

namespace popops {

using expr::Any;
using expr::Expr;
using namespace poplar;
using namespace poplar::program;
using namespace poputil;

namespace {

bool isFloating(const Type& t) { return t == FLOAT || t == HALF; }

// A scale: a number, or a tensor that joins the operands of the expression.
struct Scale {
  Scale(float value) : number(value) {}
  Scale(const Tensor& t) : tensor(t) {}
  float number = 1;
  Tensor tensor;
};

// A = first(A, scaleA) + sign * scaleB * B
void combine(Graph& graph, const Tensor& A, const Scale& scaleA, const Tensor& B,
             const Scale& scaleB, float sign, ScaledAddSpecialisation speciality, Sequence& prog,
             const DebugContext& dc) {
  const Type type = A.elementType(), of_b = B.elementType();
  if (A.shape() != B.shape()) {
    throw poplibs_error("scaledAddTo: expected tensors of one shape, got " + A.shapeToString() +
                        " and " + B.shapeToString());
  }
  if (type != of_b && !(isFloating(type) && isFloating(of_b))) {
    throw poplibs_error("scaledAddTo: expected tensors of one type, got " + type.toString() +
                        " and " + of_b.toString());
  }
  const Type in = isFloating(type) ? Type(FLOAT) : type;
  std::vector<Tensor> ts = {A, B};
  const auto operand = [&](const Scale& s) -> Any {
    if (!s.tensor.valid()) {
      if (in == FLOAT) return expr::Const(s.number);
      if (s.number != static_cast<float>(static_cast<int>(s.number))) {
        throw poplibs_error("scaledAddTo: expected a whole scale for tensors of type " +
                            type.toString() + ", got " + std::to_string(s.number));
      }
      return expr::Const(static_cast<int>(s.number));
    }
    if (s.tensor.numElements() != 1) {
      throw poplibs_error("scaledAddTo: expected a scale of one element, got " +
                          s.tensor.shapeToString());
    }
    ts.push_back(s.tensor.reshape({}));
    return expr::Cast(expr::PlaceHolder(static_cast<unsigned>(ts.size())), in);
  };
  const expr::Cast a(expr::_1, in), b(expr::_2, in);
  const Any scaled_a = expr::Mul(a, operand(scaleA)), scaled_b = expr::Mul(b, operand(scaleB));
  const Any first =
      speciality == ScaledAddSpecialisation::DEFAULT ? scaled_a : Any(expr::Sub(a, scaled_a));
  const Any sum = sign > 0 ? Any(expr::Add(first, scaled_b)) : Any(expr::Sub(first, scaled_b));
  mapInPlace(graph, expr::Cast(sum, type), ts, prog, {dc, "scaledAdd"});
}

constexpr ScaledAddSpecialisation kPlain = ScaledAddSpecialisation::DEFAULT;

}  // namespace

void scaledAddTo(Graph& graph, Tensor A, Tensor B, float scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, 1.0f, B, scaleB, 1, kPlain, prog, debugContext);
}

void scaledAddTo(Graph& graph, Tensor A, Tensor B, Tensor scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, 1.0f, B, scaleB, 1, kPlain, prog, debugContext);
}

void scaledSubtractFrom(Graph& graph, Tensor A, Tensor B, float scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, 1.0f, B, scaleB, -1, kPlain, prog, debugContext);
}

void scaledSubtractFrom(Graph& graph, Tensor A, Tensor B, Tensor scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, 1.0f, B, scaleB, -1, kPlain, prog, debugContext);
}

void scaledAddTo(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, scaleA, B, scaleB, 1, kPlain, prog, debugContext);
}

void scaledAddTo(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, scaleA, B, scaleB, 1, kPlain, prog, debugContext);
}

void scaledAddTo(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB, Sequence& prog,
                 const ScaledAddSpecialisation speciality, const DebugContext& debugContext,
                 const OptionFlags&) {
  combine(graph, A, scaleA, B, scaleB, 1, speciality, prog, debugContext);
}

void scaledAddTo(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB, Sequence& prog,
                 const ScaledAddSpecialisation speciality, const DebugContext& debugContext,
                 const OptionFlags&) {
  combine(graph, A, scaleA, B, scaleB, 1, speciality, prog, debugContext);
}

void scaledSubtractFrom(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB,
                        Sequence& prog, const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, scaleA, B, scaleB, -1, kPlain, prog, debugContext);
}

void scaledSubtractFrom(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB,
                        Sequence& prog, const DebugContext& debugContext, const OptionFlags&) {
  combine(graph, A, scaleA, B, scaleB, -1, kPlain, prog, debugContext);
}

}  // namespace popops
