#ifndef popops_CircBuf_hpp
#define popops_CircBuf_hpp

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <vector>

namespace popops {

/// The last `size` tensors that were added, of one shape and type.
class CircBuf {
 public:
  CircBuf(poplar::Graph& graph, const poplar::Type& dataType, unsigned size,
          const std::vector<std::size_t>& shape, const poplar::DebugContext& debugContext = {});

  /// The tensor that was added `i` calls of add() before the last one.
  poplar::Tensor prev(unsigned i, poplar::program::Sequence& seq,
                      const poplar::DebugContext& debugContext = {});
  void add(poplar::Tensor t, poplar::program::Sequence& seq,
           const poplar::DebugContext& debugContext = {});
  /// Where the last tensor was added: {1} of unsigned int.
  poplar::Tensor getIndex() const;
  unsigned size() const;
  /// How to map tensors that are added without exchange.
  poplar::Graph::TileToTensorMapping getTileMapping();

 private:
  poplar::Graph& graph_;
  unsigned size_;
  poplar::Tensor index_, history_;  // history: {size, ...shape}
};

}  // namespace popops

#endif  // popops_CircBuf_hpp
