// The door from the runtime's sources into the public classes.
#pragma once
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include "api/view.hpp"

namespace poplar {
namespace emulator {

struct Access {
  static const ViewPtr& pointer(const Tensor& t) { return t.view_; }
  static Tensor tensor(ViewPtr view) { return Tensor(std::move(view)); }
  // The view of a tensor that must be valid; `operation` names the asker.
  static const View& view(const Tensor& t, const char* operation);

  static const TargetData& data(const Target& t) { return *t.data_; }
  static const std::shared_ptr<GraphData>& data(const Graph& g) { return g.data_; }
  // Of a virtual graph, else nullptr.
  static const std::vector<unsigned>* tiles(const Graph& g) { return g.tiles_.get(); }
  static const std::shared_ptr<ProgramData>& data(const program::Program& p) { return p.data_; }
  static std::shared_ptr<ProgramData>& data(program::Program& p) { return p.data_; }

  static const std::shared_ptr<DeviceData>& data(const Device& d) { return d.data_; }
  // Of an engine that was not moved from; `operation` names the asker.
  static Executor& executor(const Engine& e, const char* operation);

  static GraphData* graph(VertexRef v) { return v.graph_; }
  static uint32_t id(VertexRef v) { return v.id_; }
  static VertexRef vertex(GraphData* graph, uint32_t id) { return VertexRef(graph, id); }
  static GraphData* graph(FieldRef f) { return f.graph_; }
  static uint32_t vertex(FieldRef f) { return f.vertex_; }
  static uint32_t field(FieldRef f) { return f.field_; }
  static uint32_t index(FieldRef f) { return f.index_; }
  static constexpr uint32_t kWhole = FieldRef::whole;
};

}  // namespace emulator
}  // namespace poplar
