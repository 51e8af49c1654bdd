#include "compile/compute_set.hpp"

#include <algorithm>
#include <cstring>
#include <poplar/VectorLayout.hpp>
#include <poplar/exceptions.hpp>

#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void unmapped(const std::string& user, const std::string& variable, size_t element) {
  throw invalid_tile_mapping(text(user, ": expected every element to have a tile, got element ",
                                  element, " of variable '", variable, "' without one"));
}

[[noreturn]] void vertexWithoutTile(const std::string& compute_set, const std::string& vertex) {
  throw invalid_tile_mapping(text("compute set '", compute_set, "': expected every vertex to ",
                                  "have a tile, got a '", vertex, "' without one"));
}

[[noreturn]] void unconnected(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected a connection, got none"));
}

[[noreturn]] void unconnectedRow(const FieldName& field, size_t row) {
  throw graph_connection_error(
      text(field.text(), " expected a connection for each element, got none for ", row));
}

[[noreturn]] void connectedTwice(const FieldName& field) {
  throw graph_connection_error(text(field.text(), " expected one connection, got several"));
}

[[noreturn]] void shortSpan(const FieldName& field, size_t size, size_t limit) {
  throw graph_connection_error(
      text(field.text(), " expected at most ", limit, " elements for SHORT_SPAN, got ", size));
}

[[noreturn]] void stateSize(const FieldName& field, size_t element, size_t size) {
  throw graph_connection_error(text(field.text(), " expected values below its size ", size,
                                    ", got one for element ", element));
}

}  // namespace

}  // namespace errors

namespace {

// The field of a vertex object for a vector whose layout has a size.
struct SizedVector {
  char* data;
  unsigned size;
};

bool hasSize(uint32_t layout) {
  return layout == static_cast<uint32_t>(VectorLayout::SPAN) ||
         layout == static_cast<uint32_t>(VectorLayout::SHORT_SPAN);
}

size_t vectorBytes(uint32_t layout) { return hasSize(layout) ? sizeof(SizedVector) : 8; }

void writeVector(char* at, uint32_t layout, char* data, size_t size) {
  if (hasSize(layout)) {
    reinterpret_cast<SizedVector*>(at)->size = static_cast<unsigned>(size);
  }
  std::memcpy(at, &data, sizeof(data));
}

struct ByVertexAndRow {
  bool operator()(const Edge* a, const Edge* b) const {
    if (a->index != b->index) return a->index < b->index;
    return a->field != b->field ? a->field < b->field : a->row < b->row;
  }
};

}  // namespace

errors::FieldName ComputeSetCompiler::name(const VertexGroup& group, size_t field) const {
  const VertexType& type = data_.types[group.type];
  return {"compute set '" + data_.compute_sets[compute_set_].name + "'", type.info->name,
          type.fields[field].info->name};
}

void ComputeSetCompiler::checkMapped(uint32_t var, size_t begin, size_t n,
                                     const std::string& user) {
  const Variable& v = data_.variable(var);
  if (v.implicit) return;
  char& state = mapped_[var & ~kConstantBit];
  if (state == kUnknown) state = v.tiles.complete() ? kWhole : kPartly;
  if (state == kWhole) return;
  v.tiles.forEach(begin, begin + n, [&](size_t b, size_t, uint32_t tile) {
    if (tile == kNoTile) errors::unmapped(user, v.name, b);
  });
}

// Returns the address of an edge's elements; nullptr where `pointer` waits for the scratch memory.
char* ComputeSetCompiler::locate(const VertexGroup& group, const Edge& e, uint32_t first_vertex,
                                 char** pointer) {
  const Field& f = data_.types[group.type].fields[e.field];
  const bool written = f.isWritten();
  Run single;
  size_t n = 0;
  const Run* run = runs(e, &single, &n);
  std::vector<Touch>& touches = written ? writes_ : reads_;
  for (size_t i = 0; i < n; ++i) {
    const Variable& v = data_.variable(run[i].var);
    if (written && (run[i].var & kConstantBit) != 0) errors::writesConstant(name(group, e.field));
    if (!v.implicit && mapped_[run[i].var & ~kConstantBit] != kWhole) {
      checkMapped(run[i].var, run[i].begin, run[i].size, name(group, e.field).text());
    }
    if (v.implicit) memory_.addConstant(group.tiles[e.index], e.size * f.element_size);
    touches.push_back(
        {run[i].var, first_vertex + e.index, run[i].begin, run[i].begin + run[i].size});
  }
  if (written && n > 1) {
    std::vector<Run> sorted(run, run + n);
    if (hasAliases(sorted)) errors::writesAliases(name(group, e.field));
  }
  if (f.info->layout == static_cast<uint32_t>(VectorLayout::SHORT_SPAN) &&
      f.info->shape != POPC_SCALAR && f.info->shape != POPC_VECTOR_LIST && e.size > kShortSpanMax) {
    errors::shortSpan(name(group, e.field), e.size, kShortSpanMax);
  }
  // An empty vector still points somewhere.
  if (n == 0) return image_.memory.data();
  const size_t align = std::max<size_t>(f.info->min_align, f.info->interleaved ? 16 : 1);
  const bool remote = image_.strict && checkEdge(group, e, run, n);
  char* address = image_.address(run[0].var, run[0].begin, f.element_size);
  const bool fits = n == 1 && reinterpret_cast<uintptr_t>(address) % align == 0;
  if (image_.strict) checked_.back().address = address;
  if (fits && !remote) return address;
  const size_t bytes = e.size * f.element_size;
  gather_bytes_ = alignUp(gather_bytes_, std::max<size_t>(16, align));
  gathers_.push_back({&e, gather_bytes_, written});
  *pointer = reinterpret_cast<char*>(gather_bytes_);
  if (image_.strict) {
    checked_.back().address = *pointer;
    checked_.back().gathered = true;
  }
  patches_.push_back(pointer);
  gather_bytes_ += bytes;
  if (!fits) memory_.addGather(group.tiles[e.index], bytes);
  return nullptr;
}

void ComputeSetCompiler::fillRows(const VertexGroup& group, Batch& batch, uint32_t first_vertex) {
  const VertexType& type = data_.types[group.type];
  std::vector<const Edge*> edges;
  for (const Edge& e : group.edges) {
    if (type.fields[e.field].hasRows()) edges.push_back(&e);
  }
  const ByVertexAndRow before;
  if (!std::is_sorted(edges.begin(), edges.end(), before)) {
    std::stable_sort(edges.begin(), edges.end(), before);
  }
  // The number of rows: as told, else as many as are connected.
  const size_t fields = type.fields.size();
  constexpr uint32_t kNone = 0xFFFFFFFFu;
  std::vector<uint32_t> rows(group.count() * fields, kNone);
  for (const FieldSize& s : group.sizes) rows[s.index * fields + s.field] = s.size;
  for (const Edge* e : edges) {
    uint32_t& n = rows[e->index * fields + e->field];
    const bool told = n != kNone && e->row < n;
    if (!told) n = e->row + 1;
  }
  size_t next = 0;
  for (uint32_t i = 0; i < group.count(); ++i) {
    for (size_t k = 0; k < fields; ++k) {
      const Field& f = type.fields[k];
      if (!f.hasRows()) continue;
      const uint32_t n = rows[i * fields + k];
      if (n == kNone) errors::unconnected(name(group, k));
      char* at = batch.objects + i * batch.size + f.info->offset;
      const bool list = f.info->shape == POPC_VECTOR_LIST;
      const bool scalars = !list && f.info->row_shape == POPC_SCALAR;
      const size_t row_bytes = list || scalars ? sizeof(char*) : vectorBytes(f.info->layout);
      char* table = image_.arena.allocate(n * row_bytes, 8);
      unsigned* sizes = nullptr;
      if (list) {
        sizes = reinterpret_cast<unsigned*>(image_.arena.allocate(n * sizeof(unsigned), 8));
        std::memcpy(at, &table, sizeof(table));
        std::memcpy(at + 8, &sizes, sizeof(sizes));
        reinterpret_cast<unsigned*>(at + 16)[0] = n;
      } else {
        writeVector(at, f.info->outer_layout, table, n);
      }
      for (uint32_t row = 0; row < n; ++row, ++next) {
        if (next == edges.size() || edges[next]->index != i || edges[next]->field != k ||
            edges[next]->row > row) {
          errors::unconnectedRow(name(group, k), row);
        }
        const Edge& e = *edges[next];
        if (e.row < row) errors::connectedTwice(name(group, k));
        char* pointer = table + row * row_bytes;
        char* data = locate(group, e, first_vertex, reinterpret_cast<char**>(pointer));
        if (!list && !scalars && hasSize(f.info->layout)) {
          reinterpret_cast<SizedVector*>(pointer)->size = static_cast<unsigned>(e.size);
        }
        if (list) sizes[row] = static_cast<unsigned>(e.size);
        if (data != nullptr) std::memcpy(pointer, &data, sizeof(data));
      }
      if (next < edges.size() && edges[next]->index == i && edges[next]->field == k) {
        errors::connectedTwice(name(group, k));
      }
      memory_.addVertexState(group.tiles[i], n * deviceRowBytes(f));
    }
  }
}

void ComputeSetCompiler::fillState(const VertexGroup& group, Batch& batch) {
  const VertexType& type = data_.types[group.type];
  const auto before = [](const auto& a, const auto& b) {
    return a.index != b.index ? a.index < b.index : a.field < b.field;
  };
  std::vector<StateValues> state = group.state;
  std::stable_sort(state.begin(), state.end(), before);
  for (const FieldSize& s : group.sizes) {
    const Field& f = type.fields[s.field];
    if (f.isEdge()) continue;
    const size_t bytes = s.size * f.element_size;
    char* values = image_.arena.allocate(bytes, 16);
    writeVector(batch.objects + s.index * batch.size + f.info->offset, f.info->layout, values,
                s.size);
    memory_.addVertexState(group.tiles[s.index], bytes);
    if (image_.strict) {
      checked_.push_back(
          {s.index, s.field, CheckedRegion::STATE, false, values, bytes, f.element_size, {}});
    }
    image_.resets.push_back({values, std::vector<char>(bytes)});
    auto v = std::lower_bound(state.begin(), state.end(), s, before);
    for (; v != state.end() && v->index == s.index && v->field == s.field; ++v) {
      if (size_t{v->first} + v->size > s.size) {
        errors::stateSize(name(group, s.field), v->first, s.size);
      }
      if (v->size == 0) continue;  // of an array without elements, which has no memory
      std::memcpy(image_.resets.back().values.data() + v->first * f.element_size,
                  data_.values.data() + v->values, v->size * f.element_size);
    }
  }
}

void ComputeSetCompiler::planGathers(const VertexGroup& group, Batch& batch) {
  batch.gathers = !gathers_.empty();
  if (!batch.gathers) return;
  // Of one vertex the written edges come last, so that its scatters are a range of its moves.
  std::stable_sort(gathers_.begin(), gathers_.end(), [](const Gather& a, const Gather& b) {
    return a.edge->index != b.edge->index ? a.edge->index < b.edge->index : a.written < b.written;
  });
  batch.first_move.resize(group.count());
  batch.first_written.resize(group.count());
  batch.last_move.resize(group.count());
  size_t g = 0;
  for (uint32_t i = 0; i < group.count(); ++i) {
    batch.first_move[i] = static_cast<uint32_t>(batch.moves.size());
    uint32_t written = kNoTile;
    for (; g < gathers_.size() && gathers_[g].edge->index == i; ++g) {
      const Edge& e = *gathers_[g].edge;
      const size_t bytes = data_.types[group.type].fields[e.field].element_size;
      const size_t first = batch.moves.size();
      if (gathers_[g].written && written == kNoTile) written = static_cast<uint32_t>(first);
      char* to = reinterpret_cast<char*>(gathers_[g].offset);
      Run single;
      size_t n = 0;
      const Run* run = runs(e, &single, &n);
      for (size_t k = 0; k < n; ++k) {
        appendMove(batch.moves, first, image_.address(run[k].var, run[k].begin, bytes), to,
                   run[k].size * bytes);
        to += run[k].size * bytes;
      }
      stackRows(batch.moves, first);
    }
    batch.last_move[i] = static_cast<uint32_t>(batch.moves.size());
    batch.first_written[i] = written == kNoTile ? batch.last_move[i] : written;
  }
  gathers_.clear();
}

Batch ComputeSetCompiler::compileGroup(const VertexGroup& group, uint32_t first_vertex) {
  const VertexType& type = data_.types[group.type];
  Batch batch{type.info->run,
              nullptr,
              type.info->size,
              group.count(),
              type.has_state,
              false,
              {},
              {},
              {},
              {}};
  batch.objects =
      image_.arena.allocate(group.objects.size(), std::max(type.info->align, kAlignment));
  std::memcpy(batch.objects, group.objects.data(), group.objects.size());

  const size_t bytes = deviceBytes(type);
  for (uint32_t i = 0; i < group.count(); ++i) {
    if (group.tiles[i] == kNoTile) {
      errors::vertexWithoutTile(data_.compute_sets[compute_set_].name, type.info->name);
    }
    if (type.info->context != 0) {
      const popc_context context = {group.tiles[i], 0,
                                    (uint64_t{compute_set_} << 32) + first_vertex + i};
      std::memcpy(batch.objects + i * batch.size + type.info->context, &context, sizeof context);
    }
    memory_.addVertexState(group.tiles[i], bytes);
  }

  const size_t fields = type.fields.size();
  std::vector<bool> connected(group.count() * fields);
  bool rows = false;
  for (const Edge& e : group.edges) {
    const Field& f = type.fields[e.field];
    if (f.hasRows()) continue;
    if (connected[e.index * fields + e.field]) errors::connectedTwice(name(group, e.field));
    connected[e.index * fields + e.field] = true;
    char* at = batch.objects + e.index * batch.size + f.info->offset;
    char* data = locate(group, e, first_vertex, reinterpret_cast<char**>(at));
    if (data != nullptr) std::memcpy(at, &data, sizeof(data));
    if (f.info->shape == POPC_VECTOR && hasSize(f.info->layout)) {
      reinterpret_cast<SizedVector*>(at)->size = static_cast<unsigned>(e.size);
    }
  }
  for (size_t k = 0; k < fields; ++k) {
    const Field& f = type.fields[k];
    rows |= f.hasRows();
    if (!f.isEdge() || f.hasRows()) continue;
    for (uint32_t i = 0; i < group.count(); ++i) {
      if (!connected[i * fields + k]) errors::unconnected(name(group, k));
    }
  }
  if (rows) fillRows(group, batch, first_vertex);
  fillState(group, batch);
  planGathers(group, batch);
  return batch;
}

ComputePlan ComputeSetCompiler::compile(uint32_t compute_set) {
  compute_set_ = compute_set;
  const ComputeSetData& cs = data_.compute_sets[compute_set];
  ComputePlan plan;
  plan.name = cs.name;
  plan.compute_set = compute_set;
  plan.edges = 0;
  writes_.clear();
  reads_.clear();
  gather_bytes_ = 0;
  plan.text = "compute set '" + cs.name + "'";
  const char* separator = " of vertices of type '";
  uint32_t first_vertex = 0;
  for (uint32_t g : cs.groups) {
    plan.text += separator + std::string(data_.types[data_.groups[g].type].info->name) + "'";
    separator = ", '";
    plan.vertices += data_.groups[g].count();
    plan.batches.push_back(compileGroup(data_.groups[g], first_vertex));
    if (image_.strict) {
      plan.checked.push_back(takeChecked(data_.groups[g], plan.batches.back()));
    }
    first_vertex += data_.groups[g].count();
    plan.edges += data_.groups[g].edges.size();
  }
  checkRaces(data_, compute_set, writes_, reads_);
  if (image_.strict) checkWords(data_, compute_set, writes_);
  scratch_bytes_ = std::max(scratch_bytes_, gather_bytes_);
  memory_.endComputeSet(data_, compute_set);
  return plan;
}

void ComputeSetCompiler::finish() {
  image_.scratch = Region(std::max(scratch_bytes_, image_.scratch.size()));
  for (char** p : patches_) *p = image_.scratch.data() + reinterpret_cast<uintptr_t>(*p);
  // What a vertex may change of itself is restored by a load.
  for (const ComputePlan& plan : image_.compute_plans) {
    for (const Batch& b : plan.batches) {
      if (!b.has_state) continue;
      image_.resets.push_back({b.objects, {b.objects, b.objects + b.size * b.count}});
    }
  }
}

}  // namespace emulator
}  // namespace poplar
