#include "compile/vertex_introspector.hpp"

#include <algorithm>
#include <cstring>
#include <poplar/Graph.hpp>
#include <poplar/VectorLayout.hpp>
#include <poplar/exceptions.hpp>

#include "api/access.hpp"
#include "api/types.hpp"
#include "compile/field_names.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void noEstimator(StringRef vertex) {
  throw poplar_error(
      text("Graph::registerPerfEstimator: expected a function for '", vertex, "', got none"));
}

[[noreturn]] void noState(const FieldName& field, const char* kind) {
  throw poplar_error(text(field.text(), ": expected a ", kind, " of state"));
}

}  // namespace

}  // namespace errors
}  // namespace emulator

namespace emulator {

namespace {

struct ByIndex {
  template <class T>
  bool operator()(const T* a, const T* b) const {
    return a->index < b->index;
  }
  template <class T>
  bool operator()(const T* a, uint32_t index) const {
    return a->index < index;
  }
};

template <class T>
std::vector<const T*> byVertex(const std::vector<T>& list) {
  std::vector<const T*> out;
  out.reserve(list.size());
  for (const T& entry : list) out.push_back(&entry);
  if (!std::is_sorted(out.begin(), out.end(), ByIndex())) {
    std::stable_sort(out.begin(), out.end(), ByIndex());
  }
  return out;
}

// Calls fn for the entries of one vertex.
template <class T, class Fn>
void forVertex(const std::vector<const T*>& list, uint32_t index, Fn&& fn) {
  auto it = std::lower_bound(list.begin(), list.end(), index, ByIndex());
  for (; it != list.end() && (*it)->index == index; ++it) fn(**it);
}

}  // namespace

VertexReader::VertexReader(const GraphData& data, const VertexGroup& group)
    : data_(data),
      group_(group),
      edges_(byVertex(group.edges)),
      sizes_(byVertex(group.sizes)),
      state_(byVertex(group.state)) {
  facts_.type = &data.types[group.type];
  for (const Field& f : facts_.type->fields) {
    facts_.fields.push_back({facts_.type, &f, 0, {}, nullptr, {}});
  }
}

const VertexFacts& VertexReader::read(uint32_t index) {
  const char* object = group_.objects.data() + index * facts_.type->info->size;
  for (FieldFacts& f : facts_.fields) {
    const bool scalar = f.field->info->shape == POPC_SCALAR;
    f.size = scalar ? 1 : 0;
    f.rows.clear();
    f.values.clear();
    f.value = scalar && !f.field->isEdge() ? object + f.field->info->offset : nullptr;
  }
  forVertex(sizes_, index, [&](const FieldSize& s) {
    FieldFacts& f = facts_.fields[s.field];
    f.size = s.size;
    if (f.field->hasRows()) f.rows.resize(s.size);
    if (!f.field->isEdge()) f.values.resize(s.size * f.field->element_size);
  });
  forVertex(state_, index, [&](const StateValues& s) {
    FieldFacts& f = facts_.fields[s.field];
    if (s.size == 0) return;  // of an array without elements, which has no memory
    std::memcpy(f.values.data() + s.first * f.field->element_size, data_.values.data() + s.values,
                s.size * f.field->element_size);
  });
  forVertex(edges_, index, [&](const Edge& e) {
    FieldFacts& f = facts_.fields[e.field];
    if (!f.field->hasRows()) {
      f.size = e.size;
      return;
    }
    if (e.row >= f.rows.size()) f.rows.resize(e.row + 1);
    f.rows[e.row] = e.size;
    f.size = f.rows.size();
  });
  return facts_;
}

}  // namespace emulator

using emulator::Access;
using emulator::FieldFacts;

namespace errors = emulator::errors;

namespace {

errors::FieldName name(const FieldFacts& facts) {
  return {"VertexIntrospector", facts.vertex->info->name, facts.field->info->name};
}

}  // namespace

size_t FieldInfo::size() const { return facts_->size; }

SubFieldInfo FieldInfo::operator[](size_t i) const {
  if (i >= facts_->rows.size()) {
    errors::indexOutOfRange("FieldInfo::operator[]", i, 0, facts_->rows.size());
  }
  return SubFieldInfo(facts_->rows[i]);
}

Type FieldInfo::getType() const { return facts_->field->type; }

size_t FieldInfo::stateSize() const {
  if (facts_->field->isEdge() || facts_->value != nullptr) errors::noState(name(*facts_), "vector");
  return facts_->size;
}

void FieldInfo::noRows() const { errors::noState(name(*facts_), "vector of vectors"); }

void FieldInfo::read(bool vector, Type type, void* out) const {
  if (!vector && facts_->value == nullptr) errors::noState(name(*facts_), "scalar");
  emulator::convert(facts_->field->type, vector ? facts_->values.data() : facts_->value, type, out,
                    facts_->size);
}

layout::Vector FieldInfo::getProfilerVectorLayout(size_t dimension) const {
  const popc_field& f = *facts_->field->info;
  if (f.shape == POPC_SCALAR || f.shape == POPC_VECTOR_LIST) return layout::Vector::NotAVector;
  const bool outer = f.shape == POPC_EDGE_VECTOR && dimension == 0;
  switch (static_cast<VectorLayout>(outer ? f.outer_layout : f.layout)) {
    case VectorLayout::NOT_A_VECTOR:
      return layout::Vector::NotAVector;
    case VectorLayout::SPAN:
      return layout::Vector::Span;
    case VectorLayout::SHORT_SPAN:
      return layout::Vector::ShortSpan;
    case VectorLayout::SCALED_PTR32:
      return layout::Vector::ScaledPtr32;
    case VectorLayout::SCALED_PTR64:
      return layout::Vector::ScaledPtr64;
    case VectorLayout::SCALED_PTR128:
      return layout::Vector::ScaledPtr128;
    default:
      return layout::Vector::OnePtr;
  }
}

layout::VectorList FieldInfo::getProfilerVectorListLayout() const {
  const popc_field& f = *facts_->field->info;
  if (f.shape != POPC_VECTOR_LIST) return layout::VectorList::NotAVector;
  switch (static_cast<VectorListLayout>(f.layout)) {
    case VectorListLayout::ONE_PTR:
      return layout::VectorList::OnePtr;
    case VectorListLayout::SCALED_PTR32:
      return layout::VectorList::ScaledPtr32;
    case VectorListLayout::SCALED_PTR64:
      return layout::VectorList::ScaledPtr64;
    case VectorListLayout::SCALED_PTR128:
      return layout::VectorList::ScaledPtr128;
    case VectorListLayout::DELTANELEMENTS:
      return layout::VectorList::DeltaNElements;
    default:
      return layout::VectorList::DeltaN;
  }
}

FieldInfo VertexIntrospector::getFieldInfo(StringRef name) const {
  const uint32_t i = facts_->type->find(name);
  if (i == facts_->fields.size()) {
    errors::unknownField(emulator::withFields(*facts_->type->info), name);
  }
  return FieldInfo(facts_->fields[i]);
}

void Graph::registerPerfEstimator(StringRef vertexType, PerfEstimateFunc estimator) {
  if (!estimator) emulator::errors::noEstimator(vertexType);
  data_->estimators[vertexType.str()] = std::move(estimator);
}

}  // namespace poplar
