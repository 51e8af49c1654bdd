#include <algorithm>
#include <poplar/emulator/Sizes.hpp>
#include <poplin/experimental/QRFactorization.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/Loop.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace poplin {
namespace experimental {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;

namespace {

constexpr std::uint64_t kWorkerEntry = 20;  // with the prologue and the exit
constexpr std::uint64_t kRoots = 40;        // of a reflection

void checkOptions(const OptionFlags& options) {
  std::size_t rows = 0;
  const poplibs::OptionSpec spec{
      {"rowsPerIteration", poplibs::OptionHandler::createWithInteger(rows)}};
  for (const auto& option : options) spec.parse(option.first, option.second);
}

void checkTall(std::size_t m, std::size_t n) {
  if (m < n) {
    throw poplibs_error(
        "number of matrix A rows must be greater or equal to the number of columns, got " +
        std::to_string(m) + " and " + std::to_string(n));
  }
}

void checkOperands(const Tensor& a, const Tensor& q) {
  if (a.rank() != 2 || q.rank() != 2) {
    throw poplibs_error("tensors A and Q must have a rank of 2, got " + a.shapeToString() +
                        " and " + q.shapeToString());
  }
  checkTall(a.dim(0), a.dim(1));
  if (a.dim(0) != q.dim(0)) {
    throw poplibs_error("number of rows in matrices A and Q must be equal, got " +
                        a.shapeToString() + " and " + q.shapeToString());
  }
  if (q.dim(0) != q.dim(1)) {
    throw poplibs_error("matrix Q must be square, got " + q.shapeToString());
  }
  if (a.elementType() != FLOAT || q.elementType() != FLOAT) {
    throw poplibs_error("only float is supported for this operation, got " +
                        a.elementType().toString() + " and " + q.elementType().toString());
  }
}

// Tiles for so many rows, from tile `first` on.
template <class Fn>
void overTiles(const Graph& graph, std::size_t rows, std::size_t first, const Fn& fn) {
  const std::size_t tiles = graph.getTarget().getNumTiles(), parts = std::min(rows, tiles);
  for (std::size_t i = 0; i < parts; ++i) {
    fn(rows * i / parts, rows * (i + 1) / parts, static_cast<unsigned>((first + i) % tiles));
  }
}

// A matrix whose rows lie on tiles, as the reflections of rows take them.
Tensor newRows(Graph& graph, std::size_t rows, std::size_t columns, std::size_t first,
               const DebugContext& dc) {
  const Tensor t = graph.addVariable(FLOAT, {rows, columns}, dc);
  overTiles(graph, rows, first, [&](std::size_t begin, std::size_t end, unsigned tile) {
    graph.setTileMapping(t.slice(begin, end), tile);
  });
  return t;
}

void reflect(Graph& graph, ComputeSet cs, const Tensor& rows, const Tensor& v, const Tensor& step,
             bool clear, std::size_t first) {
  const std::size_t m = v.numElements(), workers = graph.getTarget().getNumWorkerContexts();
  overTiles(graph, rows.dim(0), first, [&](std::size_t begin, std::size_t end, unsigned tile) {
    const VertexRef vertex =
        graph.addVertex(cs, poputil::templateVertex("poplin::Reflect", clear),
                        {{"v", v}, {"step", step}, {"rows", rows.slice(begin, end).flatten()}});
    graph.setInitialValue(vertex["first"], static_cast<unsigned>(begin));
    graph.setTileMapping(vertex, tile);
    const std::uint64_t turns = (end - begin + workers - 1) / workers;
    graph.setPerfEstimate(vertex, workers * (kWorkerEntry + turns * 2 * m), 4 * (end - begin) * m);
  });
}

}  // namespace

std::array<Tensor, 2> createQRFactorizationMatrices(Graph& graph, const Type& type,
                                                    const std::size_t m, const std::size_t n,
                                                    const DebugContext& debugContext) {
  checkTall(m, n);
  if (type != FLOAT) {
    throw poplibs_error("only float is supported for this operation, got " + type.toString());
  }
  emulator::checkedElements("createQRFactorizationMatrices", {m, m});
  return {newRows(graph, n, m, 0, {debugContext, "A"}).transpose(),
          newRows(graph, m, m, n, {debugContext, "Q"})};
}

void QRFactorization(Graph& graph, Tensor& A, Tensor& Q, Sequence& prog,
                     const DebugContext& debugContext, const OptionFlags& options) {
  const DebugContext dc(debugContext, "QRFactorization");
  checkOperands(A, Q);
  checkOptions(options);
  const std::size_t m = A.dim(0), n = A.dim(1);
  if (n == 0) return;
  const Tensor a = newRows(graph, n, m, 0, {dc, "a"}), q = newRows(graph, m, m, n, {dc, "q"});
  const Tensor v = graph.addVariable(FLOAT, {m}, {dc, "v"});
  graph.setTileMapping(v, 0);
  prog.add(Copy(A.transpose(), a, false, dc));
  prog.add(Copy(Q, q, false, dc));
  prog.add(popops::countedLoop(
      graph, n,
      [&](const Tensor& step) {
        Sequence each;
        const Tensor column = popops::dynamicSlice(graph, a, step, {0}, {1}, each, dc);
        const ComputeSet find = graph.addComputeSet({dc, "householder"});
        const VertexRef vertex =
            graph.addVertex(find, "poplin::Householder",
                            {{"column", column.flatten()}, {"step", step.reshape({})}, {"v", v}});
        graph.setTileMapping(vertex, 0);
        graph.setPerfEstimate(vertex, kWorkerEntry + kRoots + 2 * m, 3 * m);
        each.add(Execute(find, dc));
        const ComputeSet apply = graph.addComputeSet({dc, "reflect"});
        reflect(graph, apply, a, v, step.reshape({}), true, 0);
        reflect(graph, apply, q, v, step.reshape({}), false, n);
        each.add(Execute(apply, dc));
        return each;
      },
      dc));
  prog.add(Copy(a.transpose(), A, false, dc));
  prog.add(Copy(q, Q, false, dc));
}

}  // namespace experimental
}  // namespace poplin
