#include <poplin/MatMul.hpp>
#include <poputil/exceptions.hpp>

#include "block_plan.hpp"
#include "mat_mul_check.hpp"

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Shape = std::vector<std::size_t>;

namespace {

using Create = Tensor (*)(Graph&, const Type&, const Type&, const Shape&, const Shape&,
                          const DebugContext&, const OptionFlags&, PlanningCache*);

// One tensor for each group, along a new first dimension.
Tensor perGroup(Create create, Graph& graph, const Type& in, const Type& out, const Shape& a,
                const Shape& b, const DebugContext& dc, const OptionFlags& options,
                PlanningCache* cache, const char* operation) {
  const Shape group_a = ofGroup(a, operation), group_b = ofGroup(b, operation);
  if (a[0] != b[0] || a[0] == 0) {
    throw poplibs_error(std::string(operation) +
                        ": expected equal numbers of groups above 0, got " + std::to_string(a[0]) +
                        " and " + std::to_string(b[0]));
  }
  planProduct({in, out, a, b}, options, cache);
  std::vector<Tensor> groups;
  for (std::size_t g = 0; g < a[0]; ++g) {
    groups.push_back(create(graph, in, out, group_a, group_b, dc, {}, nullptr).expand({0}));
  }
  return concat(groups);
}

}  // namespace

Tensor createMatMulInputLHS(Graph& graph, const Type& inputType, const Type& outputType,
                            const Shape& aShape, const Shape& bShape,
                            const DebugContext& debugContext, const OptionFlags& options,
                            PlanningCache* cache) {
  checkShape(aShape, bShape, "createMatMulInputLHS");
  planProduct({inputType, outputType, aShape, bShape}, options, cache);
  const BlockPlan plan(graph.getTarget(), aShape[0], aShape[1], bShape[1]);
  const Tensor t = graph.addVariable(inputType, aShape, debugContext);
  for (std::size_t r = 0; r < plan.row_blocks; ++r) {
    for (std::size_t k = 0; k < plan.depth_blocks; ++k) {
      graph.setTileMapping(t.slice(plan.rowsOf(r), 0).slice(plan.depthOf(k), 1),
                           plan.tile(r, k, 0));
    }
  }
  return t;
}

Tensor createMatMulInputRHS(Graph& graph, const Type& inputType, const Type& outputType,
                            const Shape& aShape, const Shape& bShape,
                            const DebugContext& debugContext, const OptionFlags& options,
                            PlanningCache* cache) {
  checkShape(aShape, bShape, "createMatMulInputRHS");
  planProduct({inputType, outputType, aShape, bShape}, options, cache);
  const BlockPlan plan(graph.getTarget(), aShape[0], aShape[1], bShape[1]);
  // Each block is contiguous, so that its vertices read it in place.
  std::vector<Tensor> depths;
  for (std::size_t k = 0; k < plan.depth_blocks; ++k) {
    std::vector<Tensor> blocks;
    for (std::size_t c = 0; c < plan.column_blocks; ++c) {
      blocks.push_back(graph.addVariable(
          inputType, {plan.depthOf(k).size(), plan.columnsOf(c).size()}, debugContext));
      graph.setTileMapping(blocks.back(), plan.tile(0, k, c));
    }
    depths.push_back(concat(blocks, 1));
  }
  return concat(depths);
}

Tensor createMatMulOutput(Graph& graph, const Type& inputType, const Type& outputType,
                          const Shape& aShape, const Shape& bShape,
                          const DebugContext& debugContext, const OptionFlags& options,
                          PlanningCache* cache) {
  checkShape(aShape, bShape, "createMatMulOutput");
  planProduct({inputType, outputType, aShape, bShape}, options, cache);
  const Tensor t = graph.addVariable(outputType, {aShape[0], bShape[1]}, debugContext);
  BlockPlan(graph.getTarget(), aShape[0], aShape[1], bShape[1]).mapOutput(graph, t);
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

Tensor createMatMulGroupedInputLHS(Graph& graph, const Type& inputType, const Type& outputType,
                                   const Shape& aShape, const Shape& bShape,
                                   const DebugContext& debugContext, const OptionFlags& options,
                                   PlanningCache* cache) {
  return perGroup(createMatMulInputLHS, graph, inputType, outputType, aShape, bShape, debugContext,
                  options, cache, "createMatMulGroupedInputLHS");
}

Tensor createMatMulGroupedInputRHS(Graph& graph, const Type& inputType, const Type& outputType,
                                   const Shape& aShape, const Shape& bShape,
                                   const DebugContext& debugContext, const OptionFlags& options,
                                   PlanningCache* cache) {
  return perGroup(createMatMulInputRHS, graph, inputType, outputType, aShape, bShape, debugContext,
                  options, cache, "createMatMulGroupedInputRHS");
}

Tensor createMatMulGroupedOutput(Graph& graph, const Type& inputType, const Type& outputType,
                                 const Shape& aShape, const Shape& bShape,
                                 const DebugContext& debugContext, const OptionFlags& options,
                                 PlanningCache* cache) {
  return perGroup(createMatMulOutput, graph, inputType, outputType, aShape, bShape, debugContext,
                  options, cache, "createMatMulGroupedOutput");
}

Tensor preArrangeMatMulInputRHS(Graph& graph, const Shape& aShape, const Tensor& B, Sequence& prog,
                                const Type& outputType, const DebugContext& debugContext,
                                const OptionFlags& options, PlanningCache* cache) {
  const Tensor out = createMatMulInputRHS(graph, B.elementType(), outputType, aShape, B.shape(),
                                          debugContext, options, cache);
  prog.add(Copy(B, out, false, debugContext));
  return out;
}

Tensor preArrangeMatMulInputRHS(Graph& graph, const Shape& aShape, const Tensor& B, Sequence& prog,
                                const DebugContext& debugContext, const OptionFlags& options,
                                PlanningCache* cache) {
  return preArrangeMatMulInputRHS(graph, aShape, B, prog, B.elementType(), debugContext, options,
                                  cache);
}

Tensor preArrangeMatMulGroupedInputRHS(Graph& graph, const Shape& aShape, const Tensor& B,
                                       Sequence& prog, const Type& outputType,
                                       const DebugContext& debugContext, const OptionFlags& options,
                                       PlanningCache* cache) {
  const Tensor out = createMatMulGroupedInputRHS(graph, B.elementType(), outputType, aShape,
                                                 B.shape(), debugContext, options, cache);
  prog.add(Copy(B, out, false, debugContext));
  return out;
}

}  // namespace poplin
