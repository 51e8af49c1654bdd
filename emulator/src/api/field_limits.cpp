// The limits of the fields of a vertex type.
#include <limits>
#include <poplar/Graph.hpp>
#include <poplar/VectorLayout.hpp>
#include <poplar/exceptions.hpp>

#include "api/graph_data.hpp"
#include "api/types.hpp"
#include "compile/field_names.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void noDimension(const FieldName& field, size_t rank, unsigned dimension) {
  throw index_error(text(field.text(), " expected a dimension below ", rank, ", got ", dimension));
}

}  // namespace

}  // namespace errors

namespace {

const Field& fieldOf(const GraphData& data, const char* operation, StringRef vertex,
                     StringRef name) {
  const auto type = data.type_ids.find(vertex.str());
  if (type == data.type_ids.end()) errors::unknownVertexType(operation, vertex);
  const VertexType& found = data.types[type->second];
  const uint32_t i = found.find(name);
  if (i == found.fields.size()) errors::unknownField(withFields(*found.info), name);
  return found.fields[i];
}

}  // namespace
}  // namespace emulator

using emulator::Field;

size_t Graph::getMaxFieldDim(StringRef vertexType, StringRef name, unsigned dimension) const {
  const Field& field = emulator::fieldOf(*data_, "Graph::getMaxFieldDim", vertexType, name);
  const bool rows = field.hasRows();
  const size_t rank =
      field.info->shape == POPC_SCALAR                                                          ? 0
      : rows && (field.info->row_shape == POPC_VECTOR || field.info->shape == POPC_VECTOR_LIST) ? 2
                                                                                                : 1;
  if (dimension >= rank) {
    emulator::errors::noDimension({"Graph::getMaxFieldDim", vertexType.str(), name.str()}, rank,
                                  dimension);
  }
  const bool list = field.info->shape == POPC_VECTOR_LIST;
  const uint32_t layout = rows && dimension == 0 ? field.info->outer_layout : field.info->layout;
  const bool is_short = !list && layout == static_cast<uint32_t>(VectorLayout::SHORT_SPAN);
  return is_short ? emulator::kShortSpanMax : std::numeric_limits<size_t>::max();
}

uint64_t Graph::getMaxVertexFieldValue(StringRef vertexType, StringRef name) const {
  const Field& field = emulator::fieldOf(*data_, "Graph::getMaxVertexFieldValue", vertexType, name);
  return emulator::limitsOf(field.type, "Graph::getMaxVertexFieldValue").max;
}

}  // namespace poplar
