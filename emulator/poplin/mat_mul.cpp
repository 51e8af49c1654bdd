#include <poplin/MatMul.hpp>
#include <popops/Cast.hpp>
#include <popops/Reduce.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "block_plan.hpp"

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

void mapOutput(Graph& graph, const BlockPlan& plan, const Tensor& out) {
  for (std::size_t r = 0; r < plan.row_parts; ++r) {
    for (std::size_t c = 0; c < plan.column_parts; ++c) {
      graph.setTileMapping(out.slice(plan.rowsOf(r), 0).slice(plan.columnsOf(c), 1),
                           plan.tile(r, 0, c));
    }
  }
}

// The products of all parts of the depth: float [parts, M, N].
Tensor addProducts(Graph& graph, const Tensor& a, const Tensor& b, ComputeSet cs,
                   const DebugContext& dc) {
  const BlockPlan plan(graph.getTarget(), a.dim(0), a.dim(1), b.dim(1));
  const Tensor out =
      graph.addVariable(FLOAT, {plan.depth_parts, plan.rows, plan.columns}, {dc, "products"});
  const std::string type = templateVertex("poplin::MatMulBlock", a.elementType());
  for (std::size_t r = 0; r < plan.row_parts; ++r) {
    for (std::size_t k = 0; k < plan.depth_parts; ++k) {
      for (std::size_t c = 0; c < plan.column_parts; ++c) {
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

// Brings products to the type and number of the result: adds up the parts of the depth.
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
  mapOutput(graph, BlockPlan(graph.getTarget(), a.dim(0), a.dim(1), b.dim(1)), out);
  return out;
}

void checkOutputType(const Type& type, const char* operation) {
  if (!isFloating(type)) {
    throw poplibs_error(std::string(operation) +
                        ": expected an output of type float or half, got " + type.toString());
  }
}

void checkShape(const Shape& a, const Shape& b, const char* operation) {
  if (a.size() != 2 || b.size() != 2 || a[1] != b[0]) {
    throw poplibs_error(std::string(operation) + ": expected shapes [M,K] and [K,N]");
  }
}

}  // namespace

Tensor matMul(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
              const Type& outputType, const DebugContext& debugContext, const OptionFlags&,
              PlanningCache*) {
  const DebugContext dc(debugContext, "matMul");
  checkOperands(A, B, 2, "matMul");
  checkOutputType(outputType, "matMul");
  const ComputeSet cs = graph.addComputeSet(dc);
  const Tensor products = addProducts(graph, A, B, cs, dc);
  prog.add(Execute(cs, dc));
  if (products.dim(0) == 1 && outputType == FLOAT) return products[0];
  const Tensor out = newOutput(graph, outputType, A, B, dc);
  finish(graph, products, out, prog, dc);
  return out;
}

Tensor matMul(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
              const DebugContext& debugContext, const OptionFlags& options, PlanningCache* cache) {
  return matMul(graph, A, B, prog, A.elementType(), debugContext, options, cache);
}

void matMulWithOutput(Graph& graph, const Tensor& A, const Tensor& B, Tensor& out, Sequence& prog,
                      const DebugContext& debugContext, const OptionFlags& options,
                      PlanningCache* cache) {
  const Tensor product = matMul(graph, A, B, prog, out.elementType(), debugContext, options, cache);
  if (out.shape() != product.shape()) {
    throw poplibs_error("matMulWithOutput: expected an output of " + product.shapeToString() +
                        ", got " + out.shapeToString());
  }
  prog.add(Copy(product, out, false, debugContext));
}

Tensor matMulGrouped(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
                     const Type& outputType, const DebugContext& debugContext, const OptionFlags&,
                     PlanningCache*) {
  const DebugContext dc(debugContext, "matMulGrouped");
  checkOperands(A, B, 3, "matMulGrouped");
  checkOutputType(outputType, "matMulGrouped");
  const ComputeSet cs = graph.addComputeSet(dc);
  std::vector<Tensor> products, outs;
  for (std::size_t g = 0; g < A.dim(0); ++g) {
    products.push_back(addProducts(graph, A[g], B[g], cs, dc));
  }
  prog.add(Execute(cs, dc));
  for (std::size_t g = 0; g < A.dim(0); ++g) {
    outs.push_back(newOutput(graph, outputType, A[g], B[g], dc).expand({0}));
    finish(graph, products[g], outs.back()[0], prog, dc);
  }
  if (outs.empty()) return graph.addVariable(outputType, {0, A.dim(1), B.dim(2)}, dc);
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
  const Tensor product = matMul(graph, A, B, prog, FLOAT, debugContext, options, cache);
  popops::scaledAddTo(graph, C, product, k, prog, debugContext);
}

void matMulGroupedAcc(Graph& graph, const Tensor& C, float k, const Tensor& A, const Tensor& B,
                      Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
                      PlanningCache* cache) {
  const Tensor product = matMulGrouped(graph, A, B, prog, FLOAT, debugContext, options, cache);
  popops::scaledAddTo(graph, C, product, k, prog, debugContext);
}

Tensor createMatMulInputLHS(Graph& graph, const Type& inputType, const Type&, const Shape& aShape,
                            const Shape& bShape, const DebugContext& debugContext,
                            const OptionFlags&, PlanningCache*) {
  checkShape(aShape, bShape, "createMatMulInputLHS");
  const BlockPlan plan(graph.getTarget(), aShape[0], aShape[1], bShape[1]);
  const Tensor t = graph.addVariable(inputType, aShape, debugContext);
  for (std::size_t r = 0; r < plan.row_parts; ++r) {
    for (std::size_t k = 0; k < plan.depth_parts; ++k) {
      graph.setTileMapping(t.slice(plan.rowsOf(r), 0).slice(plan.depthOf(k), 1),
                           plan.tile(r, k, 0));
    }
  }
  return t;
}

Tensor createMatMulInputRHS(Graph& graph, const Type& inputType, const Type&, const Shape& aShape,
                            const Shape& bShape, const DebugContext& debugContext,
                            const OptionFlags&, PlanningCache*) {
  checkShape(aShape, bShape, "createMatMulInputRHS");
  const BlockPlan plan(graph.getTarget(), aShape[0], aShape[1], bShape[1]);
  // Each block is stored in one piece, so that its vertices read it in place.
  std::vector<Tensor> depths;
  for (std::size_t k = 0; k < plan.depth_parts; ++k) {
    std::vector<Tensor> blocks;
    for (std::size_t c = 0; c < plan.column_parts; ++c) {
      blocks.push_back(graph.addVariable(
          inputType, {plan.depthOf(k).size(), plan.columnsOf(c).size()}, debugContext));
      graph.setTileMapping(blocks.back(), plan.tile(0, k, c));
    }
    depths.push_back(concat(blocks, 1));
  }
  return concat(depths);
}

Tensor createMatMulOutput(Graph& graph, const Type&, const Type& outputType, const Shape& aShape,
                          const Shape& bShape, const DebugContext& debugContext, const OptionFlags&,
                          PlanningCache*) {
  checkShape(aShape, bShape, "createMatMulOutput");
  const Tensor t = graph.addVariable(outputType, {aShape[0], bShape[1]}, debugContext);
  mapOutput(graph, BlockPlan(graph.getTarget(), aShape[0], aShape[1], bShape[1]), t);
  return t;
}

Tensor createMatMulInputLHS(Graph& graph, const Type& dataType, const Shape& aShape,
                            const Shape& bShape, const DebugContext& debugContext,
                            const OptionFlags& options, PlanningCache* cache) {
  return createMatMulInputLHS(graph, dataType, dataType, aShape, bShape, debugContext, options,
                              cache);
}

Tensor createMatMulInputRHS(Graph& graph, const Type& dataType, const Shape& aShape,
                            const Shape& bShape, const DebugContext& debugContext,
                            const OptionFlags& options, PlanningCache* cache) {
  return createMatMulInputRHS(graph, dataType, dataType, aShape, bShape, debugContext, options,
                              cache);
}

Tensor createMatMulOutput(Graph& graph, const Type& dataType, const Shape& aShape,
                          const Shape& bShape, const DebugContext& debugContext,
                          const OptionFlags& options, PlanningCache* cache) {
  return createMatMulOutput(graph, dataType, dataType, aShape, bShape, debugContext, options,
                            cache);
}

Tensor transposeGroupedMatrix(const Tensor& A) { return A.dimShuffle({0, 2, 1}); }

}  // namespace poplin
