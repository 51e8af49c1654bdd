// A graph for people: JSON and the language of Graphviz.
#include <poplar/Graph.hpp>
#include <set>

#include "api/graph_data.hpp"
#include "api/text/graph_text.hpp"

namespace poplar {
namespace emulator {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

// Calls fn(variable, written, vertex of its group) for every edge of a group.
template <class Fn>
void forEachEdge(const GraphData& data, const VertexGroup& group, Fn&& fn) {
  for (const Edge& e : group.edges) {
    const bool written = data.types[group.type].fields[e.field].isWritten();
    if (e.single) {
      fn(e.var & ~kConstantBit, written, e.index);
      continue;
    }
    for (uint32_t i = 0; i < e.var; ++i) {
      fn(data.runs[e.begin + i].var & ~kConstantBit, written, e.index);
    }
  }
}

void writeVariables(std::ostream& out, const GraphData& data) {
  for (size_t i = 0; i < data.variables.size(); ++i) {
    out << "  v" << i << " [shape=box, label=" << quoted(data.variables[i].name) << "];\n";
  }
}

void writeArrow(std::ostream& out, const std::string& node, uint32_t var, bool written) {
  const std::string v = "v" + std::to_string(var);
  out << "  " << (written ? node : v) << " -> " << (written ? v : node) << ";\n";
}

}  // namespace

void writeJson(std::ostream& out, const GraphData& data) {
  out << "{\"variables\": [";
  const char* separator = "";
  for (const Variable& v : data.variables) {
    out << separator << "\n  {\"name\": " << quoted(v.name) << ", \"type\": \"" << v.type.toString()
        << "\", \"elements\": " << v.size
        << ", \"constant\": " << (v.values.empty() ? "false" : "true") << '}';
    separator = ",";
  }
  out << "],\n\"computeSets\": [";
  separator = "";
  for (const ComputeSetData& cs : data.compute_sets) {
    out << separator << "\n  {\"name\": " << quoted(cs.name) << ", \"vertices\": [";
    const char* inner = "";
    for (uint32_t g : cs.groups) {
      for (uint32_t tile : data.groups[g].tiles) {
        out << inner << "{\"type\": " << quoted(data.types[data.groups[g].type].info->name)
            << ", \"tile\": " << (tile == kNoTile ? "null" : std::to_string(tile)) << '}';
        inner = ", ";
      }
    }
    out << "]}";
    separator = ",";
  }
  out << "]}\n";
}

}  // namespace emulator

void Graph::outputComputeGraph(std::ostream& out, ArrayRef<program::Program>) const {
  out << "digraph compute {\n";
  emulator::writeVariables(out, *data_);
  for (size_t i = 0; i < data_->compute_sets.size(); ++i) {
    const std::string node = "c" + std::to_string(i);
    out << "  " << node << " [label=" << emulator::quoted(data_->compute_sets[i].name) << "];\n";
    std::set<std::pair<uint32_t, bool>> edges;
    for (uint32_t g : data_->compute_sets[i].groups) {
      emulator::forEachEdge(*data_, data_->groups[g], [&](uint32_t var, bool written, uint32_t) {
        edges.emplace(var, written);
      });
    }
    for (const auto& e : edges) emulator::writeArrow(out, node, e.first, e.second);
  }
  out << "}\n";
}

void Graph::outputVertexGraph(std::ostream& out, ArrayRef<program::Program>) const {
  out << "digraph vertices {\n";
  emulator::writeVariables(out, *data_);
  for (size_t g = 0; g < data_->groups.size(); ++g) {
    const emulator::VertexGroup& group = data_->groups[g];
    const auto node = [&](uint32_t i) { return "g" + std::to_string(g) + "_" + std::to_string(i); };
    for (uint32_t i = 0; i < group.count(); ++i) {
      out << "  " << node(i) << " [label=" << emulator::quoted(data_->types[group.type].info->name)
          << "];\n";
    }
    emulator::forEachEdge(*data_, group, [&](uint32_t var, bool written, uint32_t i) {
      emulator::writeArrow(out, node(i), var, written);
    });
  }
  out << "}\n";
}

}  // namespace poplar
