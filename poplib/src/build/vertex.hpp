// Adding a vertex in one call: type, tile, edges and state; and many copies at once.
#pragma once
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popsnn {

struct Edge {
  const char* field;
  poplar::Tensor tensor;
};

// A state field: a scalar or a vector of 32-bit values.
class State {
 public:
  State(const char* field, unsigned value)
      : set_([=](poplar::Graph& graph, poplar::FieldRef at) { graph.setInitialValue(at, value); }),
        field_(field) {}
  State(const char* field, std::size_t value) : State(field, static_cast<unsigned>(value)) {}
  State(const char* field, int value)
      : set_([=](poplar::Graph& graph, poplar::FieldRef at) { graph.setInitialValue(at, value); }),
        field_(field) {}
  State(const char* field, float value)
      : set_([=](poplar::Graph& graph, poplar::FieldRef at) { graph.setInitialValue(at, value); }),
        field_(field) {}
  State(const char* field, std::vector<unsigned> values)
      : set_([=](poplar::Graph& graph, poplar::FieldRef at) {
          graph.setInitialValue(at, poplar::ArrayRef<unsigned>(values));
        }),
        field_(field) {}

  void set(poplar::Graph& graph, poplar::VertexRef vertex) const { set_(graph, vertex[field_]); }

 private:
  std::function<void(poplar::Graph&, poplar::FieldRef)> set_;
  const char* field_;
};

// A field of as many vectors as there are tensors. Without any it is one vector of one element, of
// type `element`, that the codelet does not touch: no vertex of poplibs has a field without rows.
struct Rows {
  const char* field;
  std::vector<poplar::Tensor> tensors;
  poplar::Type element = poplar::FLOAT;
};

// Vectors are connected flat: codelets index them by the shapes in the comments of their fields.
inline void add_vertex(poplar::Graph& graph, poplar::ComputeSet compute_set,
                       const std::string& type, std::size_t tile, const std::vector<Edge>& edges,
                       const std::vector<State>& state, const std::vector<Rows>& rows = {}) {
  poplar::VertexRef vertex = graph.addVertex(compute_set, type);
  graph.setTileMapping(vertex, unsigned(tile));
  for (const Edge& edge : edges)
    graph.connect(vertex[edge.field], edge.tensor.rank() > 1 ? edge.tensor.flatten() : edge.tensor);
  for (const Rows& row : rows) {
    graph.setFieldSize(vertex[row.field], std::max<std::size_t>(1, row.tensors.size()));
    for (std::size_t i = 0; i < row.tensors.size(); ++i)
      graph.connect(vertex[row.field][i], row.tensors[i].flatten());
    if (!row.tensors.empty()) continue;
    const poplar::Tensor none = graph.addVariable(row.element, {1}, "none");
    graph.setTileMapping(none, unsigned(tile));
    graph.connect(vertex[row.field][0], none);
  }
  for (const State& field : state) field.set(graph, vertex);
}

struct Copies {
  std::vector<poplar::Tensor> from, to;
};

// One copy for each type; none for an empty list.
inline void add_copies(poplar::program::Sequence& program, const Copies& copies) {
  for (const poplar::Type& type : {poplar::FLOAT, poplar::HALF, poplar::UNSIGNED_INT}) {
    Copies of_type;
    for (std::size_t i = 0; i < copies.from.size(); ++i) {
      if (copies.from[i].elementType() != type) continue;
      of_type.from.push_back(copies.from[i]);
      of_type.to.push_back(copies.to[i]);
    }
    if (!of_type.from.empty())
      program.add(poplar::program::Copy(poplar::concat(of_type.from), poplar::concat(of_type.to)));
  }
}

}  // namespace popsnn
