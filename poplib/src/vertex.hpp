// Adding a vertex in one call: type, tile, edges and state.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include <poplar/Graph.hpp>

namespace popsnn {

struct Edge {
  const char* field;
  poplar::Tensor tensor;
};

// A scalar state field; every one of ours is 32 bits wide.
class State {
 public:
  State(const char* field, unsigned value) : field_(field), type_(kUnsigned), unsigned_(value) {}
  State(const char* field, std::size_t value) : State(field, static_cast<unsigned>(value)) {}
  State(const char* field, int value) : field_(field), type_(kInt), int_(value) {}
  State(const char* field, float value) : field_(field), type_(kFloat), float_(value) {}

  void set(poplar::Graph& graph, poplar::VertexRef vertex) const {
    switch (type_) {
      case kUnsigned:
        graph.setInitialValue(vertex[field_], unsigned_);
        break;
      case kInt:
        graph.setInitialValue(vertex[field_], int_);
        break;
      case kFloat:
        graph.setInitialValue(vertex[field_], float_);
        break;
    }
  }

 private:
  const char* field_;
  enum { kUnsigned, kInt, kFloat } type_;
  union {
    unsigned unsigned_;
    int int_;
    float float_;
  };
};

// Vectors are connected flat: codelets index them by the shapes that their fields state.
inline void add_vertex(poplar::Graph& graph, poplar::ComputeSet compute_set,
                       const std::string& type, std::size_t tile, const std::vector<Edge>& edges,
                       const std::vector<State>& state) {
  poplar::VertexRef vertex = graph.addVertex(compute_set, type);
  graph.setTileMapping(vertex, unsigned(tile));
  for (const Edge& edge : edges)
    graph.connect(vertex[edge.field], edge.tensor.rank() > 1 ? edge.tensor.flatten() : edge.tensor);
  for (const State& field : state) field.set(graph, vertex);
}

}  // namespace popsnn
