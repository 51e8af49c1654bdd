#include <popops/Zero.hpp>
#include <popsparse/codelets.hpp>
#include <popsparse/experimental/BlockSparseMatMul.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>

#include "pattern.hpp"

namespace popsparse {
namespace experimental {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

// A product [M, K] x [K, N] of each group. `pattern` is that of the sparse operand, as it lies, or
// that of the result.
class BSMatMulImpl {
 public:
  std::array<std::size_t, 3> blocks;  // of M, K and N
  std::array<unsigned, 3> size;       // of a block
  Pattern pattern;
  bool sparse_result, transposed;
  Type in, out;
  SubBlockMask masked;

  std::size_t lhsRows() const { return blocks[0] * size[0]; }
  std::size_t depth() const { return blocks[1] * size[1]; }
  std::size_t columns() const { return blocks[2] * size[2]; }
};

namespace {

void checkTypes(const Type& in, const Type& out, const Type& partial) {
  for (const Type& type : {in, out, partial}) {
    if (type != FLOAT && type != HALF) {
      throw poplibs_error("BSMatMulParams: expected types float or half, got " + type.toString());
    }
  }
  if (in == FLOAT && partial == HALF) {
    throw poplibs_error("BSMatMulParams: partialDataType: expected float with float, got half");
  }
}

// `sparse`: which of M, K and N are the rows and the columns of the sparse matrix.
BSMatMulImpl* newImpl(const std::array<int, 3>& dim, const std::array<int, 3>& block,
                      const std::vector<unsigned char>& mask, std::array<std::size_t, 2> sparse,
                      unsigned groups) {
  std::unique_ptr<BSMatMulImpl> impl(new BSMatMulImpl);
  for (std::size_t i = 0; i < 3; ++i) {
    checkBlocks(dim[i], block[i], static_cast<int>(i), "BSMatMulParams");
    impl->size[i] = static_cast<unsigned>(block[i]);
    impl->blocks[i] = static_cast<std::size_t>(dim[i] / block[i]);
  }
  const std::size_t rows = impl->blocks[sparse[0]], columns = impl->blocks[sparse[1]];
  if (groups == 0 || mask.size() != groups * rows * columns) {
    throw poplibs_error("BSMatMulParams: expected a sparsity of " + std::to_string(groups) +
                        " groups of " + std::to_string(rows) + " x " + std::to_string(columns) +
                        " blocks, got " + std::to_string(mask.size()) + " blocks");
  }
  impl->pattern = {rows, columns, {{impl->size[sparse[0]], impl->size[sparse[1]]}}, groups, mask};
  return impl.release();
}

void checkOptions(const OptionFlags& options, unsigned groups) {
  double ratio;
  int passes = 1;
  std::string method;  // plans that give the same numbers
  const poplibs::OptionSpec spec{
      {"memoryCycleRatio", poplibs::OptionHandler::createWithDouble(ratio)},
      {"numberOfPass", poplibs::OptionHandler::createWithInteger<int>(passes)},
      {"partitionMethod", poplibs::OptionHandler::createWithString(method)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  if (passes > 1 && groups > 1) {
    throw poplibs_error("bsMatMul: numberOfPass: expected 1 with groups, got " +
                        std::to_string(passes));
  }
}

void checkShape(const Tensor& t, const std::vector<std::size_t>& shape, const Type& type,
                const char* operand) {
  if (t.shape() != shape || t.elementType() != type) {
    std::string wanted;
    for (const std::size_t n : shape) wanted += (wanted.empty() ? "" : " x ") + std::to_string(n);
    throw poplibs_error("bsMatMul: " + std::string(operand) + ": expected " + wanted + " of " +
                        type.toString() + ", got " + t.shapeToString() + " of " +
                        t.elementType().toString());
  }
}

std::vector<std::size_t> sparseShape(const Pattern& p) { return {p.blocks(), p.area()}; }

Tensor create(Graph& graph, const Type& type, const std::vector<std::size_t>& shape,
              const DebugContext& dc) {
  const Tensor t = graph.addVariable(type, shape, dc);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

// [rows, columns] as blocks that lie in memory one after the other: [blocks, area].
Tensor asBlocks(Graph& graph, const Tensor& t, unsigned high, unsigned wide, Sequence& prog,
                const DebugContext& dc) {
  const std::size_t down = t.dim(0) / high, across = t.dim(1) / wide;
  const Tensor view = t.reshape({down, high, across, wide})
                          .dimShuffle({0, 2, 1, 3})
                          .reshape({down * across, std::size_t{high} * wide});
  const Tensor out = create(graph, t.elementType(), view.shape(), {dc, "blocks"});
  prog.add(Copy(view, out, false, dc));
  return out;
}

// Which blocks of the operands make a block of the result.
struct Pairs {
  std::vector<Tensor> lhs, rhs;
};

// The dense result of a sparse right operand: the pairs of each of its blocks, row by row.
std::vector<Pairs> pairsOfDense(const BSMatMulImpl& m, const Tensor& lhs, const Tensor& rhs) {
  const std::size_t height = m.blocks[0], depth = m.blocks[1], width = m.blocks[2];
  std::vector<Pairs> out(m.pattern.groups * height * width);
  std::size_t block = 0;
  for (std::size_t at = 0; at < m.pattern.mask.size(); ++at) {
    if (!m.pattern.mask[at]) continue;
    const std::size_t group = at / (depth * width), row = at / m.pattern.columns % m.pattern.rows,
                      column = at % m.pattern.columns, k = m.transposed ? column : row,
                      j = m.transposed ? row : column;
    for (std::size_t i = 0; i < height; ++i) {
      Pairs& pairs = out[(group * height + i) * width + j];
      pairs.lhs.push_back(lhs[(group * height + i) * depth + k]);
      pairs.rhs.push_back(rhs[block]);
    }
    ++block;
  }
  return out;
}

// The sparse result of dense operands: the pairs of each block that is there.
std::vector<Pairs> pairsOfSparse(const BSMatMulImpl& m, const Tensor& lhs, const Tensor& rhs) {
  const std::size_t height = m.blocks[0], depth = m.blocks[1], width = m.blocks[2];
  std::vector<Pairs> out;
  for (std::size_t at = 0; at < m.pattern.mask.size(); ++at) {
    if (!m.pattern.mask[at]) continue;
    const std::size_t group = at / (height * width), i = at / width % height, j = at % width;
    out.emplace_back();
    for (std::size_t k = 0; k < depth; ++k) {
      out.back().lhs.push_back(lhs[(group * height + i) * depth + k]);
      out.back().rhs.push_back(rhs[(group * depth + k) * width + j]);
    }
  }
  return out;
}

}  // namespace

BSMatMulParams::BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                               const std::vector<unsigned char>& rhsSparsity, bool rhsNeedTranspose,
                               Type inDataType, Type outDataType, Type partialDataType,
                               unsigned numGroupsIn)
    : impl(newImpl(dim, blockSize, rhsSparsity,
                   rhsNeedTranspose ? std::array<std::size_t, 2>{{2, 1}}
                                    : std::array<std::size_t, 2>{{1, 2}},
                   numGroupsIn)) {
  checkTypes(inDataType, outDataType, partialDataType);
  impl->sparse_result = false;
  impl->transposed = rhsNeedTranspose;
  impl->in = inDataType;
  impl->out = outDataType;
  impl->masked = SubBlockMask::None;
}

BSMatMulParams::BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                               const std::vector<unsigned char>& resSparsity, Type inDataType,
                               Type outDataType, Type partialDataType, SubBlockMask subBlockMask,
                               unsigned numGroupsIn)
    : impl(newImpl(dim, blockSize, resSparsity, {{0, 2}}, numGroupsIn)) {
  checkTypes(inDataType, outDataType, partialDataType);
  impl->sparse_result = true;
  impl->transposed = false;
  impl->in = inDataType;
  impl->out = outDataType;
  impl->masked = subBlockMask;
}

BSMatMulParams::BSMatMulParams(BSMatMulParams&& other) = default;
BSMatMulParams::~BSMatMulParams() = default;

Tensor createBSMatMulInputLHS(Graph& graph, const BSMatMulParams& bsMatMul,
                              const DebugContext& debugContext, const OptionFlags& options) {
  const BSMatMulImpl& m = *bsMatMul.impl;
  checkOptions(options, m.pattern.groups);
  return create(graph, m.in, {m.pattern.groups * m.lhsRows(), m.depth()}, debugContext);
}

Tensor createBSMatMulInputRHS(Graph& graph, const BSMatMulParams& bsMatMul,
                              const DebugContext& debugContext, const OptionFlags& options) {
  const BSMatMulImpl& m = *bsMatMul.impl;
  checkOptions(options, m.pattern.groups);
  if (!m.sparse_result) return create(graph, m.in, sparseShape(m.pattern), debugContext);
  return create(graph, m.in, {m.pattern.groups * m.depth(), m.columns()}, debugContext);
}

Tensor bsMatMul(Graph& graph, const BSMatMulParams& bsMatMulParams, Sequence& prog,
                const Tensor& lhsMatrix, const Tensor& rhsMatrix, const OptionFlags& options,
                const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "bsMatMul");
  const BSMatMulImpl& m = *bsMatMulParams.impl;
  const std::size_t groups = m.pattern.groups;
  checkOptions(options, m.pattern.groups);
  checkShape(lhsMatrix, {groups * m.lhsRows(), m.depth()}, m.in, "lhsMatrix");
  checkShape(rhsMatrix,
             m.sparse_result ? std::vector<std::size_t>{groups * m.depth(), m.columns()}
                             : sparseShape(m.pattern),
             m.in, "rhsMatrix");
  std::vector<int> offsets;
  if (m.sparse_result) offsets = diagonals(m.pattern, m.masked, "bsMatMul");
  addCodelets(graph);  // poplibs computes with those of poplin, which are all that programs add

  const Tensor lhs = asBlocks(graph, lhsMatrix, m.size[0], m.size[1], prog, dc);
  const std::vector<Pairs> pairs =
      m.sparse_result
          ? pairsOfSparse(m, lhs, asBlocks(graph, rhsMatrix, m.size[1], m.size[2], prog, dc))
          : pairsOfDense(m, lhs, rhsMatrix);
  const std::size_t area = std::size_t{m.size[0]} * m.size[2];
  const Tensor out = graph.addVariable(m.out, {pairs.size(), area}, {dc, "out"});
  const ComputeSet cs = graph.addComputeSet(dc);
  const unsigned tiles = graph.getTarget().getNumTiles();
  std::vector<Tensor> empty;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const unsigned tile = static_cast<unsigned>(i % tiles);
    graph.setTileMapping(out[i], tile);
    if (pairs[i].lhs.empty()) {
      empty.push_back(out[i]);
      continue;
    }
    const VertexRef v = graph.addVertex(
        cs, poputil::templateVertex("popsparse::BlockProducts", m.in, m.out),
        {{"a", concat(pairs[i].lhs)}, {"b", concat(pairs[i].rhs)}, {"out", out[i]}});
    graph.setInitialValue(v["depth"], m.size[1]);
    graph.setInitialValue(v["columns"], m.size[2]);
    graph.setInitialValue(v["transposed"], m.transposed);
    graph.setInitialValue(v["masked"], static_cast<unsigned>(m.masked));
    graph.setInitialValue(v["offset"], m.sparse_result ? offsets[i] : 0);
    graph.setTileMapping(v, tile);
  }
  if (!empty.empty()) popops::zero(graph, concat(empty), prog, dc);
  prog.add(Execute(cs, dc));
  if (m.sparse_result) return out;
  return out.reshape({groups * m.blocks[0], m.blocks[2], m.size[0], m.size[2]})
      .dimShuffle({0, 2, 1, 3})
      .reshape({groups * m.lhsRows(), m.columns()});
}

}  // namespace experimental
}  // namespace popsparse
