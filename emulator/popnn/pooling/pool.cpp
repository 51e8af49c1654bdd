#include <algorithm>
#include <poputil/OptionParsing.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "windows.hpp"

namespace popnn {
namespace pooling {

using namespace poplar;
using namespace poplar::program;
using namespace poputil;
using Rows = std::vector<std::vector<unsigned>>;

namespace {

std::size_t ceilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// [B, C, field...] as rows, one for each position, of all samples and channels; and back.
Tensor toRows(const Tensor& t) {
  return t.reshape({t.dim(0) * t.dim(1), t.numElements() / (t.dim(0) * t.dim(1))}).transpose();
}
Tensor fromRows(const Tensor& rows, const PoolParams& p, const std::vector<std::size_t>& field) {
  std::vector<std::size_t> shape = {p.batchSize, p.numChannels};
  shape.insert(shape.end(), field.begin(), field.end());
  return rows.transpose().reshape(shape);
}

// Rows of the output, cut into blocks of columns where there are fewer rows than tiles.
class Blocks {
 public:
  Blocks(Graph& graph, const Type& type, std::size_t rows, std::size_t columns,
         const DebugContext& dc)
      : out(graph.addVariable(type, {rows, columns}, dc)) {
    const std::size_t tiles = graph.getTarget().getNumTiles();
    const std::size_t cuts =
        rows == 0 ? 1 : std::max<std::size_t>(std::min(columns, tiles / rows), 1);
    width_ = std::max<std::size_t>(ceilDivide(columns, cuts), 1);
    per_row_ = ceilDivide(columns, width_);
    per_tile_ = std::max<std::size_t>(ceilDivide(rows * per_row_, tiles), 1);
    for (std::size_t i = 0; i < count(); ++i) {
      graph.setTileMapping(of(out, row(i), i), tile(i));
    }
  }

  std::size_t count() const { return out.dim(0) * per_row_; }
  std::size_t row(std::size_t block) const { return block / per_row_; }
  unsigned tile(std::size_t block) const { return static_cast<unsigned>(block / per_tile_); }
  // The columns of a block, of a row of `t`.
  Tensor of(const Tensor& t, std::size_t row, std::size_t block) const {
    const std::size_t begin = block % per_row_ * width_;
    return t[row].slice(begin, std::min(begin + width_, t.dim(1)), 0);
  }

  Tensor out;

 private:
  std::size_t width_, per_row_, per_tile_;
};

// The operands of the vertex of a tile.
struct Operands {
  std::vector<Tensor> in, pooled, gradients, out;
  std::vector<unsigned> counts;
  std::vector<float> weights;
};

// Calls add(operands, block) for every block of a tile, and then makes the vertex. One that is
// `of_maxima` takes those and their gradients, any other one weights.
template <class Add>
Tensor addVertices(Graph& graph, const Blocks& blocks, const std::string& type, bool of_maxima,
                   Sequence& prog, const DebugContext& dc, const Add& add) {
  const ComputeSet cs = graph.addComputeSet(dc);
  for (std::size_t i = 0; i < blocks.count();) {
    const unsigned tile = blocks.tile(i);
    Operands o;
    for (; i < blocks.count() && blocks.tile(i) == tile; ++i) {
      o.out.push_back(blocks.of(blocks.out, blocks.row(i), i));
      add(o, i);
    }
    const VertexRef v = graph.addVertex(cs, type);
    graph.connect(v["in"], o.in);
    graph.connect(v["out"], o.out);
    graph.setInitialValue(v["counts"], o.counts);
    if (of_maxima) {
      graph.connect(v["pooled"], o.pooled);
      graph.connect(v["gradients"], o.gradients);
    } else {
      graph.setInitialValue(v["weights"], o.weights);
    }
    graph.setTileMapping(v, tile);
  }
  prog.add(Execute(cs, dc));
  return blocks.out;
}

// Row r of the result is the maximum or weighted sum of the rows sources[r] of `in`; `weight(r, s)`
// is that of row s.
template <class Weight>
Tensor addPool(Graph& graph, const Tensor& in, const Rows& sources, bool max, Sequence& prog,
               const DebugContext& dc, const Weight& weight) {
  const Blocks blocks(graph, in.elementType(), sources.size(), in.dim(1), dc);
  const std::string type = templateVertex("popnn::Pool", in.elementType(), max);
  return addVertices(graph, blocks, type, false, prog, dc, [&](Operands& o, std::size_t i) {
    const std::size_t row = blocks.row(i);
    o.counts.push_back(static_cast<unsigned>(sources[row].size()));
    for (const unsigned s : sources[row]) {
      o.in.push_back(blocks.of(in, s, i));
      o.weights.push_back(weight(row, s));
    }
  });
}

void checkTensor(const PoolParams& p, const Tensor& t, const std::vector<std::size_t>& field,
                 const char* operation, const char* name) {
  std::vector<std::size_t> shape = {p.batchSize, p.numChannels};
  shape.insert(shape.end(), field.begin(), field.end());
  if (t.shape() != shape || (t.elementType() != FLOAT && t.elementType() != HALF)) {
    std::string expected;
    for (const std::size_t d : shape)
      expected += (expected.empty() ? "{" : ",") + std::to_string(d);
    throw poplibs_error(std::string(operation) + ": expected " + name + " of shape " + expected +
                        "} of float or half, got " + t.shapeToString() + " of " +
                        t.elementType().toString());
  }
}

// They choose among plans of poplibs; results are the same.
void checkOptions(const OptionFlags& options) {
  bool ignored;
  const poplibs::OptionSpec spec{
      {"poolUseIntrospectiveMapping", poplibs::OptionHandler::createWithBool(ignored)},
      {"optimizeForSpeed", poplibs::OptionHandler::createWithBool(ignored)},
      {"useFloatPartialsWhereBeneficial", poplibs::OptionHandler::createWithBool(ignored)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
}

Tensor maxGradient(Graph& graph, const PoolParams& p, const Tensor& in, const Tensor& pooled,
                   const Tensor& gradient, bool scaled, Sequence& prog, const DebugContext& dc) {
  const Rows covers = coverings(p);
  const Type type = in.elementType();
  Tensor each = gradient;
  if (scaled) {
    const Rows all = windows(p);
    const Blocks blocks(graph, type, all.size(), in.dim(1), {dc, "scaled"});
    each = addVertices(graph, blocks, templateVertex("popnn::MaxPoolScale", type), true, prog,
                       {dc, "scaled"}, [&](Operands& o, std::size_t i) {
                         const std::size_t row = blocks.row(i);
                         o.counts.push_back(static_cast<unsigned>(all[row].size()));
                         for (const unsigned s : all[row]) o.in.push_back(blocks.of(in, s, i));
                         o.pooled.push_back(blocks.of(pooled, row, i));
                         o.gradients.push_back(blocks.of(gradient, row, i));
                       });
  }
  const Blocks blocks(graph, type, covers.size(), in.dim(1), dc);
  return addVertices(graph, blocks, templateVertex("popnn::MaxPoolGradient", type), true, prog, dc,
                     [&](Operands& o, std::size_t i) {
                       const std::size_t row = blocks.row(i);
                       o.counts.push_back(static_cast<unsigned>(covers[row].size()));
                       o.in.push_back(blocks.of(in, row, i));
                       for (const unsigned w : covers[row]) {
                         o.pooled.push_back(blocks.of(pooled, w, i));
                         o.gradients.push_back(blocks.of(each, w, i));
                       }
                     });
}

Tensor sumGradient(Graph& graph, const PoolParams& p, const Tensor& gradient, Sequence& prog,
                   const DebugContext& dc) {
  const Rows all = windows(p);
  return addPool(graph, gradient, coverings(p), false, prog, dc, [&](std::size_t, unsigned w) {
    return p.poolingType == PoolingType::AVG ? 1.0f / static_cast<float>(all[w].size()) : 1.0f;
  });
}

}  // namespace

Tensor pool(Graph& graph, const PoolParams& params, const Tensor& in, Sequence& prog,
            const DebugContext& debugContext, const OptionFlags& options) {
  checkOptions(options);
  checkParams(params);
  checkTensor(params, in, params.inputFieldShape, "pool", "an input");
  const Rows all = windows(params);
  const Tensor out = addPool(graph, toRows(in), all, params.poolingType == PoolingType::MAX, prog,
                             {debugContext, "pool"}, [&](std::size_t row, unsigned) {
                               return params.poolingType == PoolingType::AVG
                                          ? 1.0f / static_cast<float>(all[row].size())
                                          : 1.0f;
                             });
  return fromRows(out, params, params.getOutputFieldShape());
}

Tensor poolInputGradient(Graph& graph, const PoolParams& params, const Tensor& in,
                         const Tensor& pooled, const Tensor& pooledGradient, bool useScaledGradient,
                         Sequence& prog, const DebugContext& debugContext,
                         const OptionFlags& options) {
  const char* const operation = "poolInputGradient";
  const DebugContext dc(debugContext, operation);
  checkOptions(options);
  checkParams(params);
  const std::vector<std::size_t> field = params.getOutputFieldShape();
  checkTensor(params, pooledGradient, field, operation, "a gradient");
  const Tensor gradient = toRows(pooledGradient);
  if (params.poolingType != PoolingType::MAX) {
    return fromRows(sumGradient(graph, params, gradient, prog, dc), params, params.inputFieldShape);
  }
  checkTensor(params, in, params.inputFieldShape, operation, "an input");
  checkTensor(params, pooled, field, operation, "an output");
  return fromRows(
      maxGradient(graph, params, toRows(in), toRows(pooled), gradient, useScaledGradient, prog, dc),
      params, params.inputFieldShape);
}

Tensor poolInputGradient(Graph& graph, const PoolParams& params, const unsigned fwdChansPerGroup,
                         const Tensor& pooledGradient, Sequence& prog,
                         const DebugContext& debugContext, const OptionFlags& options) {
  if (params.poolingType == PoolingType::MAX) {
    throw poplibs_error(
        "poolInputGradient: expected the input and output of a maximum pooling, got none");
  }
  if (fwdChansPerGroup == 0 || params.numChannels % fwdChansPerGroup != 0) {
    throw poplibs_error("poolInputGradient: expected groups that divide " +
                        std::to_string(params.numChannels) + " channels, got " +
                        std::to_string(fwdChansPerGroup));
  }
  return poolInputGradient(graph, params, Tensor(), Tensor(), pooledGradient, false, prog,
                           debugContext, options);
}

}  // namespace pooling
}  // namespace popnn
