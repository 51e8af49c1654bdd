// snap, PopART's layer over Poplar in SDK 2.3 to 3.0: here a thin wrapper.
#ifndef snap_Graph_hpp
#define snap_Graph_hpp

#include <poplar/Graph.hpp>
#include <snap/Tensor.hpp>
#include <string>
#include <vector>

namespace snap {

/// A reference to a Poplar graph.
class Graph {
 public:
  Graph(poplar::Graph& graph) : graph_(&graph) {}
  poplar::Graph& getPoplarGraph() const { return *graph_; }
  const poplar::Target& getTarget() const { return graph_->getTarget(); }

  Tensor addVariable(const poplar::Type& type, const std::vector<std::size_t>& shape,
                     const poplar::DebugContext& debugContext = {}) const {
    return Tensor(graph_->addVariable(type, shape, debugContext), *this);
  }
  template <class T>
  Tensor addConstant(const poplar::Type& type, const std::vector<std::size_t>& shape, T value,
                     const poplar::DebugContext& debugContext = {}) const {
    return Tensor(graph_->addConstant(type, shape, value, debugContext), *this);
  }
  Tensor clone(const Tensor& tensor, const poplar::DebugContext& debugContext = {}) const {
    return Tensor(graph_->clone(tensor.getPoplarTensor(), debugContext), *this);
  }
  void setTileMapping(const Tensor& tensor, unsigned tile) const {
    graph_->setTileMapping(tensor.getPoplarTensor(), tile);
  }

 private:
  poplar::Graph* graph_;
};

}  // namespace snap

#endif  // snap_Graph_hpp
