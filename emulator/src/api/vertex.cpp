// Compute sets, vertices and their fields.
#include <cstring>
#include <fstream>
#include <iterator>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "api/types.hpp"
#include "compile/codelet_library.hpp"
#include "compile/field_names.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void duplicateVertexType(const std::string& name, const std::string& first,
                                      const std::string& second) {
  throw graph_object_creation_error(text("Graph::addCodelets: expected a new vertex type, got '",
                                         name, "' of '", second, "', which '", first,
                                         "' defined before"));
}

[[noreturn]] void noVertex() {
  throw graph_connection_error("VertexRef: expected a vertex of a graph, got an empty VertexRef()");
}

[[noreturn]] void unknownFieldType(const std::string& vertex, const std::string& field,
                                   const std::string& type) {
  throw graph_object_load_error(text("Graph::addCodelets: expected field '", vertex, ".", field,
                                     "' to have a Poplar type, got '", type, "'"));
}

[[noreturn]] void fieldIndex(const std::string& vertex, const std::string& field) {
  throw graph_connection_error(
      text("FieldRef: expected a field with elements of its own, got '", vertex, ".", field, "'"));
}

[[noreturn]] void fieldElement(const std::string& vertex, const std::string& field, size_t i) {
  throw graph_connection_error(
      text("FieldRef: expected an element below 2^32 - 1 of '", vertex, ".", field, "', got ", i));
}

[[noreturn]] void edgeType(const FieldName& field, Type expected, Type got) {
  throw type_error(text(field.text(), " expected a tensor of type ", expected, ", got ", got));
}

[[noreturn]] void edgeSize(const FieldName& field, size_t size) {
  throw graph_connection_error(text(field.text(), " expected one element, got ", size));
}

[[noreturn]] void fieldSize(const FieldName& field, size_t size) {
  throw graph_connection_error(text(field.text(), " expected below 2^32 elements, got ", size));
}

[[noreturn]] void edgeRank(const FieldName& field, size_t expected, size_t got) {
  throw graph_connection_error(
      text(field.text(), " expected a tensor of rank ", expected, ", got rank ", got));
}

[[noreturn]] void connectsState(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected an initial value as it is state, got a tensor"));
}

[[noreturn]] void connectsRows(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected one tensor, got a list of them"));
}

[[noreturn]] void initialisesEdge(const FieldName& field) {
  throw graph_connection_error(
      text(field.text(), " expected a connection as it is an edge, got an initial value"));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

using emulator::Access;
using emulator::Edge;
using emulator::Field;
using emulator::forEachRun;
using emulator::GraphData;
using emulator::VertexGroup;
using emulator::VertexType;
using emulator::View;

namespace errors = emulator::errors;

namespace emulator {

uint32_t VertexType::find(StringRef field) const {
  for (uint32_t i = 0; i < fields.size(); ++i) {
    if (field == StringRef(fields[i].info->name)) return i;
  }
  return static_cast<uint32_t>(fields.size());
}

namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool sameFile(const std::string& a, const std::string& b) {
  return a == b || contents(a) == contents(b);
}

}  // namespace

bool GraphData::addLibrary(const CodeletLibrary& library) {
  std::vector<const popc_vertex*> added;
  for (const popc_vertex* v : library.vertices()) {
    const auto known = type_ids.find(v->name);
    if (known == type_ids.end()) {
      added.push_back(v);
    } else if (types[known->second].info != v) {
      const std::string& other = libraries[types[known->second].library];
      if (!sameFile(other, library.path())) {
        errors::duplicateVertexType(v->name, other, library.path());
      }
    }
  }
  for (const popc_vertex* v : added) addType(v);
  if (!added.empty()) libraries.push_back(library.path());
  return !added.empty();
}

void GraphData::addType(const popc_vertex* info) {
  VertexType type{info, {}, info->context != 0, static_cast<uint32_t>(libraries.size())};
  for (uint32_t i = 0; i < info->num_fields; ++i) {
    const popc_field* field = &info->fields[i];
    const Type element = typeOfName(field->type);
    if (element.code() == Type::Code::NONE) {
      errors::unknownFieldType(info->name, field->name, field->type);
    }
    type.fields.push_back({field, element, static_cast<uint32_t>(sizeOf(element))});
    type.has_state |= field->direction == POPC_STATE;
  }
  type_ids.emplace(info->name, types.size());
  types.push_back(std::move(type));
}

}  // namespace emulator

namespace {

// A field of a vertex, and where to record what happens to it.
struct FieldOfVertex {
  FieldOfVertex(const GraphData* owner, FieldRef ref, const char* op)
      : data(graphOf(ref)),
        operation(op),
        group(data.groupOf(Access::vertex(ref))),
        type(data.types[group.type]),
        field(type.fields[Access::field(ref)]),
        field_id(static_cast<uint16_t>(Access::field(ref))),
        index(data.vertices[Access::vertex(ref)].index),
        row(Access::index(ref)) {
    if (&data != owner) errors::otherGraph(op);
    data.changesComputeSet(group.compute_set);
  }

  static GraphData& graphOf(FieldRef ref) {
    if (Access::graph(ref) == nullptr) errors::noVertex();
    return *Access::graph(ref);
  }

  errors::FieldName name() const { return {operation, type.info->name, field.info->name}; }

  // Records the elements of `v` as an edge, or as a row of one.
  void connect(const View& v, uint32_t at_row) {
    if (v.graph != data.id) errors::otherGraph(operation);
    if (v.type != field.type) errors::edgeType(name(), field.type, v.type);
    Edge e{index, field_id, true, at_row, 0, 0, v.numElements()};
    const bool scalar =
        field.info->shape == POPC_SCALAR ||
        (field.info->shape == POPC_EDGE_VECTOR && field.info->row_shape == POPC_SCALAR);
    if (scalar && e.size != 1) errors::edgeSize(name(), e.size);
    if (!scalar && v.dims.size() != 1) errors::edgeRank(name(), 1, v.dims.size());
    size_t count = 0;
    const size_t first = data.runs.size();
    forEachRun(v, [&](uint32_t var, size_t begin, size_t n) {
      if (count++ == 0) {
        e.var = var;
        e.begin = begin;
      }
      data.runs.push_back({var, static_cast<uint32_t>(n), begin});
    });
    if (count == 1) {
      data.runs.pop_back();
    } else if (count > 1) {
      e.single = false;
      e.var = static_cast<uint32_t>(count);
      e.begin = first;
    }
    group.edges.push_back(e);
  }

  // A vertex counts its elements, and a record of them, in 32 bits.
  void setRows(size_t n) {
    if (n > 0xFFFFFFFFu) errors::fieldSize(name(), n);
    group.sizes.push_back({index, field_id, static_cast<uint32_t>(n)});
  }

  char* object() { return group.objects.data() + index * type.info->size + field.info->offset; }

  GraphData& data;
  const char* operation;
  VertexGroup& group;
  const VertexType& type;
  const Field& field;
  uint16_t field_id;
  uint32_t index, row;
};

}  // namespace

FieldRef VertexRef::operator[](StringRef field) const {
  if (graph_ == nullptr) errors::noVertex();
  const VertexType& type = graph_->typeOf(id_);
  const uint32_t i = type.find(field);
  if (i == type.fields.size()) errors::unknownField(emulator::withFields(*type.info), field);
  return FieldRef(graph_, id_, i);
}

FieldRef FieldRef::operator[](size_t i) const {
  if (graph_ == nullptr) errors::noVertex();
  const VertexType& type = graph_->typeOf(vertex_);
  const Field& field = type.fields[field_];
  if (index_ != whole || (field.isEdge() ? !field.hasRows() : field.info->shape == POPC_SCALAR)) {
    errors::fieldIndex(type.info->name, field.info->name);
  }
  if (i >= whole) errors::fieldElement(type.info->name, field.info->name, i);
  FieldRef out = *this;
  out.index_ = static_cast<std::uint32_t>(i);
  return out;
}

ComputeSet Graph::addComputeSet(const DebugContext& debugContext) {
  data_->compute_sets.push_back({debugContext.getPathName(), {}});
  return ComputeSet(static_cast<unsigned>(data_->compute_sets.size() - 1));
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType) {
  GraphData& d = *data_;
  const auto type = d.type_ids.find(vertexType.str());
  if (type == d.type_ids.end()) errors::unknownVertexType("Graph::addVertex", vertexType);
  if (cs.getId() >= d.compute_sets.size()) errors::otherGraph("Graph::addVertex");
  d.changesComputeSet(cs.getId());
  auto& groups = d.compute_sets[cs.getId()].groups;
  size_t g = groups.size();
  while (g != 0 && d.groups[groups[g - 1]].type != type->second) --g;
  if (g == 0) {
    groups.push_back(static_cast<uint32_t>(d.groups.size()));
    d.groups.push_back({type->second, cs.getId(), {}, {}, {}, {}, {}});
    g = groups.size();
  }
  VertexGroup& group = d.groups[groups[g - 1]];
  const uint32_t id = static_cast<uint32_t>(d.vertices.size());
  d.vertices.push_back({groups[g - 1], group.count()});
  group.tiles.push_back(emulator::kNoTile);
  group.objects.resize(group.objects.size() + d.types[type->second].info->size);
  return Access::vertex(&d, id);
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType,
                           ArrayRef<ConnectionDesc> connections) {
  const VertexRef v = addVertex(cs, vertexType);
  for (const ConnectionDesc& c : connections) {
    const FieldRef field = v[c.field_];
    if (c.kind_ == ConnectionDesc::Kind::TENSOR) {
      connect(field, c.tensor_);
    } else if (c.kind_ == ConnectionDesc::Kind::TENSORS) {
      connect(field, ArrayRef<Tensor>(c.tensors_));
    } else {
      HostValues value(reinterpret_cast<const char*>(&c.value_), 1);
      value.type = c.type_;
      connectValues(field, value, true);
    }
  }
  return v;
}

void Graph::connect(FieldRef field, const Tensor& t) {
  const View& v = Access::view(t, "Graph::connect");
  FieldOfVertex p(data_.get(), field, "Graph::connect");
  if (!p.field.isEdge()) errors::connectsState(p.name());
  if (!p.field.hasRows() || p.row != Access::kWhole) {
    p.connect(v, p.field.hasRows() ? p.row : 0);
    return;
  }
  const size_t rank =
      p.field.info->shape == POPC_EDGE_VECTOR && p.field.info->row_shape == POPC_SCALAR ? 1 : 2;
  if (v.dims.size() != rank) errors::edgeRank(p.name(), rank, v.dims.size());
  p.setRows(v.dims[0].size);
  for (size_t i = 0; i < v.dims[0].size; ++i) {
    p.connect(Access::view(t[i], "Graph::connect"), static_cast<uint32_t>(i));
  }
}

void Graph::connect(FieldRef field, ArrayRef<Tensor> ts) {
  FieldOfVertex p(data_.get(), field, "Graph::connect");
  if (!p.field.isEdge()) errors::connectsState(p.name());
  if (!p.field.hasRows() || p.row != Access::kWhole) errors::connectsRows(p.name());
  p.setRows(ts.size());
  for (size_t i = 0; i < ts.size(); ++i) {
    p.connect(Access::view(ts[i], "Graph::connect"), static_cast<uint32_t>(i));
  }
}

void Graph::connectValues(FieldRef field, const HostValues& values, bool scalar) {
  const Type type = FieldOfVertex(data_.get(), field, "Graph::connect").field.type;
  const std::vector<size_t> shape(scalar ? 0 : 1, values.size);
  const Tensor t = addConstant(type, shape, values, false, "");
  data_->variables.back().implicit = true;
  connect(field, t);
}

void Graph::setInitialValues(FieldRef ref, const HostValues& values, bool scalar) {
  FieldOfVertex p(data_.get(), ref, "Graph::setInitialValue");
  if (p.field.isEdge()) errors::initialisesEdge(p.name());
  if (p.field.info->shape == POPC_SCALAR) {
    if (!scalar) errors::edgeSize(p.name(), values.size);
    emulator::convert(values.type, values.data, p.field.type, p.object(), 1);
    return;
  }
  if (p.row == Access::kWhole) {
    if (scalar) errors::edgeRank(p.name(), 1, 0);
    p.setRows(values.size);
  }
  if (values.size > 0xFFFFFFFFu) errors::fieldSize(p.name(), values.size);
  const size_t at = p.data.values.size();
  p.data.values.resize(at + values.size * p.field.element_size);
  emulator::convert(values.type, values.data, p.field.type, p.data.values.data() + at, values.size);
  p.group.state.push_back({p.index, p.field_id, p.row == Access::kWhole ? 0 : p.row,
                           static_cast<uint32_t>(values.size), at});
}

void Graph::setFieldSize(FieldRef field, size_t size) {
  FieldOfVertex p(data_.get(), field, "Graph::setFieldSize");
  const bool sized = p.field.isEdge() ? p.field.hasRows() : p.field.info->shape == POPC_VECTOR;
  if (!sized || p.row != Access::kWhole) errors::fieldIndex(p.type.info->name, p.field.info->name);
  p.setRows(size);
}

void Graph::setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t flops) {
  if (Access::graph(v) != data_.get()) errors::otherGraph("Graph::setPerfEstimate");
  data_->estimates[Access::id(v)] = {cycles, flops};
}

}  // namespace poplar
