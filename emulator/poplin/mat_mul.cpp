#include <poplin/MatMul.hpp>
#include <popops/Cast.hpp>
#include <popops/Reduce.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "block_plan.hpp"
#include "mat_mul_check.hpp"

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Shape = std::vector<std::size_t>;

namespace {

bool isFloating(const Type& t) { return t == FLOAT || t == HALF; }

void checkOperands(const Tensor& a, const Tensor& b, std::size_t rank, const char* operation) {
  const bool shapes = a.rank() == rank && b.rank() == rank && a.dim(rank - 1) == b.dim(rank - 2) &&
                      (rank == 2 || a.dim(0) == b.dim(0));
  if (!shapes) {
    throw poplibs_error(std::string(operation) + ": expected " +
                        (rank == 2 ? "[M,K] and [K,N]" : "[G,M,K] and [G,K,N]") + ", got " +
                        a.shapeToString() + " and " + b.shapeToString());
  }
  if (!isFloating(a.elementType()) || a.elementType() != b.elementType()) {
    throw poplibs_error(std::string(operation) +
                        ": expected operands of one type, float or half, got " +
                        a.elementType().toString() + " and " + b.elementType().toString());
  }
}

// The partial products of all blocks of the depth: float [blocks, M, N].
Tensor addProducts(Graph& graph, const Tensor& a, const Tensor& b, ComputeSet cs,
                   const DebugContext& dc) {
  const BlockPlan plan(graph.getTarget(), a.dim(0), a.dim(1), b.dim(1));
  const Tensor out =
      graph.addVariable(FLOAT, {plan.depth_blocks, plan.rows, plan.columns}, {dc, "products"});
  const std::string type = templateVertex("poplin::MatMulBlock", a.elementType());
  for (std::size_t r = 0; r < plan.row_blocks; ++r) {
    for (std::size_t k = 0; k < plan.depth_blocks; ++k) {
      for (std::size_t c = 0; c < plan.column_blocks; ++c) {
        const Tensor left = a.slice(plan.rowsOf(r), 0).slice(plan.depthOf(k), 1);
        const Tensor right = b.slice(plan.depthOf(k), 0).slice(plan.columnsOf(c), 1);
        const Tensor block = out[k].slice(plan.rowsOf(r), 0).slice(plan.columnsOf(c), 1);
        graph.setTileMapping(block, plan.tile(r, k, c));
        if (block.numElements() == 0) continue;
        const VertexRef v = graph.addVertex(cs, type,
                                            {
                                                {"a", left.flatten()},
                                                {"b", right.flatten()},
                                                {"out", block.flatten()},
                                            });
        graph.setInitialValue(v["depth"], static_cast<unsigned>(left.dim(1)));
        graph.setInitialValue(v["columns"], static_cast<unsigned>(right.dim(1)));
        graph.setTileMapping(v, plan.tile(r, k, c));
      }
    }
  }
  return out;
}

// Reduces the partial products over the depth and casts to the type of the result.
void finish(Graph& graph, const Tensor& products, const Tensor& out, Sequence& prog,
            const DebugContext& dc) {
  if (products.dim(0) != 1) {
    popops::reduceWithOutput(graph, products, out, {0}, popops::Operation::ADD, prog, dc);
  } else if (out.elementType() != FLOAT) {
    popops::castWithOutput(graph, products[0], out, prog, dc);
  } else {
    prog.add(Copy(products[0], out, false, dc));
  }
}

Tensor newOutput(Graph& graph, const Type& type, const Tensor& a, const Tensor& b,
                 const DebugContext& dc) {
  const Tensor out = graph.addVariable(type, {a.dim(0), b.dim(1)}, {dc, "out"});
  BlockPlan(graph.getTarget(), a.dim(0), a.dim(1), b.dim(1)).mapOutput(graph, out);
  return out;
}

void checkOutputType(const Type& type, const char* operation) {
  if (!isFloating(type)) {
    throw poplibs_error(std::string(operation) +
                        ": expected an output of type float or half, got " + type.toString());
  }
}

// Products of groups [G, M, K] and [G, K, N], in one compute set: [M, N] each.
std::vector<Tensor> multiply(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
                             const Type& type, const DebugContext& dc) {
  const ComputeSet cs = graph.addComputeSet(dc);
  std::vector<Tensor> products, outs;
  for (std::size_t g = 0; g < A.dim(0); ++g) {
    products.push_back(addProducts(graph, A[g], B[g], cs, dc));
  }
  prog.add(Execute(cs, dc));
  for (std::size_t g = 0; g < A.dim(0); ++g) {
    if (products[g].dim(0) == 1 && type == FLOAT) {
      outs.push_back(products[g][0]);
    } else {
      outs.push_back(newOutput(graph, type, A[g], B[g], dc));
      finish(graph, products[g], outs.back(), prog, dc);
    }
  }
  return outs;
}

void copyProduct(const Tensor& product, const Tensor& out, Sequence& prog, const DebugContext& dc,
                 const char* operation) {
  if (out.shape() != product.shape()) {
    throw poplibs_error(std::string(operation) + ": expected an output of " +
                        product.shapeToString() + ", got " + out.shapeToString());
  }
  prog.add(Copy(product, out, false, dc));
}

void checkScale(const Tensor& k, const Tensor& A, const char* operation) {
  if (k.numElements() != 1 || k.elementType() != A.elementType()) {
    throw poplibs_error(std::string(operation) +
                        ": k: expected one element of the type of A, got " + k.shapeToString() +
                        " of " + k.elementType().toString());
  }
}

}  // namespace

Tensor matMul(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
              const Type& outputType, const DebugContext& debugContext, const OptionFlags& options,
              PlanningCache* cache) {
  checkOperands(A, B, 2, "matMul");
  checkOutputType(outputType, "matMul");
  planProduct({A.elementType(), outputType, A.shape(), B.shape()}, options, cache);
  return multiply(graph, A.expand({0}), B.expand({0}), prog, outputType,
                  {debugContext, "matMul"})[0];
}

Tensor matMul(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
              const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  return matMul(graph, A, B, prog, A.elementType(), debugContext, options, cache);
}

void matMulWithOutput(Graph& graph, const Tensor& A, const Tensor& B, Tensor& out, Sequence& prog,
                      const DebugContext& debugContext, const OptionFlags& options,
                      PlanningCache* cache) {
  copyProduct(matMul(graph, A, B, prog, out.elementType(), debugContext, options, cache), out, prog,
              debugContext, "matMulWithOutput");
}

Tensor matMulGrouped(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
                     const Type& outputType, const DebugContext& debugContext,
                     const OptionFlags& options, PlanningCache* cache) {
  const DebugContext dc(debugContext, "matMulGrouped");
  checkOperands(A, B, 3, "matMulGrouped");
  checkOutputType(outputType, "matMulGrouped");
  planProduct({A.elementType(), outputType, A.shape(), B.shape()}, options, cache);
  std::vector<Tensor> outs = multiply(graph, A, B, prog, outputType, dc);
  if (outs.empty()) return graph.addVariable(outputType, {0, A.dim(1), B.dim(2)}, dc);
  for (Tensor& t : outs) t = t.expand({0});
  return concat(outs);
}

void matMulAcc(Graph& graph, const Tensor& C, float k, const Tensor& A, const Tensor& B,
               Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
               PlanningCache* cache) {
  const Tensor product = matMul(graph, A, B, prog, FLOAT, debugContext, options, cache);
  popops::scaledAddTo(graph, C, product, k, prog, debugContext);
}

void matMulAcc(Graph& graph, const Tensor& C, const Tensor& k, const Tensor& A, const Tensor& B,
               Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
               PlanningCache* cache) {
  checkScale(k, A, "matMulAcc");
  const Tensor product = matMul(graph, A, B, prog, FLOAT, debugContext, options, cache);
  popops::scaledAddTo(graph, C, product, k, prog, debugContext);
}

void matMulGroupedAcc(Graph& graph, const Tensor& C, float k, const Tensor& A, const Tensor& B,
                      Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
                      PlanningCache* cache) {
  const Tensor product = matMulGrouped(graph, A, B, prog, FLOAT, debugContext, options, cache);
  popops::scaledAddTo(graph, C, product, k, prog, debugContext);
}

void matMulGroupedAcc(Graph& graph, const Tensor& C, const Tensor& k, const Tensor& A,
                      const Tensor& B, Sequence& prog, const DebugContext& debugContext,
                      const OptionFlags& options, PlanningCache* cache) {
  checkScale(k, A, "matMulGroupedAcc");
  const Tensor product = matMulGrouped(graph, A, B, prog, FLOAT, debugContext, options, cache);
  popops::scaledAddTo(graph, C, product, k, prog, debugContext);
}

void matMulGroupedWithOutput(Graph& graph, const Tensor& A, const Tensor& B, Tensor& out,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache* cache) {
  copyProduct(matMulGrouped(graph, A, B, prog, out.elementType(), debugContext, options, cache),
              out, prog, debugContext, "matMulGroupedWithOutput");
}

Tensor transposeGroupedMatrix(const Tensor& A) {
  if (A.rank() != 3) {
    throw poplibs_error("transposeGroupedMatrix: expected [G,M,N], got " + A.shapeToString());
  }
  return A.dimShuffle({0, 2, 1});
}

}  // namespace poplin
