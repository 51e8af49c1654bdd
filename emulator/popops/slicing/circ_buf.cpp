#include <popops/CircBuf.hpp>
#include <popops/DynamicSlice.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using namespace poplar;
using namespace poplar::program;

namespace {

void addOffset(Graph& graph, const Tensor& in, const Tensor& out, unsigned size, unsigned offset,
               Sequence& seq, const DebugContext& dc) {
  const ComputeSet cs = graph.addComputeSet(dc);
  const VertexRef v =
      graph.addVertex(cs, "popops::CircOffset", {{"indexIn", in[0]}, {"indexOut", out[0]}});
  graph.setInitialValue(v["hSize"], size);
  graph.setInitialValue(v["offset"], offset);
  graph.setTileMapping(v, 0);
  seq.add(Execute(cs, dc));
}

}  // namespace

CircBuf::CircBuf(Graph& graph, const Type& dataType, unsigned size,
                 const std::vector<std::size_t>& shape, const DebugContext& debugContext)
    : graph_(graph), size_(size) {
  if (size == 0) throw poputil::poplibs_error("CircBuf: expected a size above 0, got 0");
  const DebugContext dc(debugContext, "CircBuf");
  std::vector<std::size_t> all = shape;
  all.insert(all.begin(), size);
  history_ = createSliceableTensor(graph, dataType, all, {0}, {1}, 0, dc);
  index_ = graph.addVariable(UNSIGNED_INT, {1}, {dc, "index"});
  graph.setInitialValue(index_, 0);
  graph.setTileMapping(index_, 0);
}

Tensor CircBuf::prev(unsigned i, Sequence& seq, const DebugContext& debugContext) {
  if (i >= size_) {
    throw poputil::poplibs_error("CircBuf::prev: expected an age below the size " +
                                 std::to_string(size_) + ", got " + std::to_string(i));
  }
  const DebugContext dc(debugContext, "CircBuf/prev");
  const Tensor at = graph_.addVariable(UNSIGNED_INT, {1}, {dc, "offset"});
  graph_.setTileMapping(at, 0);
  addOffset(graph_, index_, at, size_, size_ - i, seq, dc);
  return dynamicSlice(graph_, history_, at, {0}, {1}, seq, dc)[0];
}

void CircBuf::add(Tensor t, Sequence& seq, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "CircBuf/add");
  const Tensor next = graph_.addVariable(UNSIGNED_INT, {1}, {dc, "next"});
  graph_.setTileMapping(next, 0);
  addOffset(graph_, index_, next, size_, 1, seq, dc);
  seq.add(Copy(next, index_, false, dc));
  dynamicUpdate(graph_, history_, t.expand({0}), index_, {0}, {1}, seq, dc);
}

Tensor CircBuf::getIndex() const { return index_; }

unsigned CircBuf::size() const { return size_; }

Graph::TileToTensorMapping CircBuf::getTileMapping() { return graph_.getTileMapping(history_[0]); }

}  // namespace popops
