// Properties of a vertex for estimators, read from the graph.
#pragma once
#include <cstdint>
#include <poplar/VertexIntrospector.hpp>
#include <vector>

#include "api/graph_data.hpp"

namespace poplar {
namespace emulator {

struct FieldFacts {
  const VertexType* vertex;
  const Field* field;
  size_t size;               // elements, or rows
  std::vector<size_t> rows;  // [row]: elements, of a field with rows
  const char* value;         // of a scalar of state
  std::vector<char> values;  // of a vector of state
};

struct VertexFacts {
  const VertexType* type;
  std::vector<FieldFacts> fields;  // as in `type`
};

// Reads the vertices of a group one after another.
class VertexReader {
 public:
  VertexReader(const GraphData& data, const VertexGroup& group);

  // Holds until the next call.
  const VertexFacts& read(uint32_t index);

 private:
  const GraphData& data_;
  const VertexGroup& group_;
  VertexFacts facts_;
  // By vertex, in the order of connection.
  std::vector<const Edge*> edges_;
  std::vector<const FieldSize*> sizes_;
  std::vector<const StateValues*> state_;
};

}  // namespace emulator
}  // namespace poplar
