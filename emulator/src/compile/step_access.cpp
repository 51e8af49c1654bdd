#include "compile/step_access.hpp"

#include <algorithm>

#include "api/access.hpp"

namespace poplar {
namespace emulator {

namespace {

// Neighbours mostly follow each other: joining them at once keeps a million edges a short list.
void append(std::vector<Elements>& list, uint32_t var, size_t begin, size_t end) {
  if (!list.empty()) {
    Elements& last = list.back();
    if (last.var == var && begin <= last.end && end >= last.begin) {
      last.begin = std::min(last.begin, begin);
      last.end = std::max(last.end, end);
      return;
    }
  }
  list.push_back({var, begin, end});
}

void append(std::vector<Elements>& list, const Tensor& t) {
  if (!t.valid()) return;
  forEachRun(Access::view(t, "Program"),
             [&](uint32_t var, size_t begin, size_t n) { append(list, var, begin, begin + n); });
}

void appendGroup(const GraphData& data, const VertexGroup& group, StepAccess& out) {
  const std::vector<Field>& fields = data.types[group.type].fields;
  std::vector<std::vector<Elements>> touched(fields.size());
  for (const Edge& e : group.edges) {
    std::vector<Elements>& list = touched[e.field];
    if (e.single) {
      if (e.size != 0) append(list, e.var, e.begin, e.begin + e.size);
      continue;
    }
    for (const Run *r = &data.runs[e.begin], *end = r + e.var; r != end; ++r) {
      append(list, r->var, r->begin, r->begin + r->size);
    }
  }
  for (size_t k = 0; k < fields.size(); ++k) {
    const auto addTo = [&](std::vector<Elements>& list) {
      list.insert(list.end(), touched[k].begin(), touched[k].end());
    };
    if (fields[k].info->direction != POPC_OUTPUT) addTo(out.reads);
    if (fields[k].isWritten()) addTo(out.writes);
  }
}

}  // namespace

void join(std::vector<Elements>& list) {
  const auto before = [](const Elements& a, const Elements& b) {
    return a.var != b.var ? a.var < b.var : a.begin < b.begin;
  };
  if (!std::is_sorted(list.begin(), list.end(), before))
    std::sort(list.begin(), list.end(), before);
  std::vector<Elements> out;
  for (const Elements& e : list) append(out, e.var, e.begin, e.end);
  list = std::move(out);
}

StepAccess stepAccess(const GraphData& data, const ProgramData& step) {
  StepAccess out;
  switch (step.kind) {
    case ProgramKind::EXECUTE:
      for (uint32_t g : data.compute_sets[step.number].groups) {
        appendGroup(data, data.groups[g], out);
      }
      break;
    case ProgramKind::COPY:
      append(out.reads, step.first);
      append(out.writes, step.second);
      break;
    case ProgramKind::STREAM_TO_TENSOR:
    case ProgramKind::CYCLE_STAMP:
    case ProgramKind::WRITE_UNDEF:
      append(out.writes, step.first);
      break;
    case ProgramKind::CYCLE_DIFFERENCE:
      append(out.reads, step.first);
      append(out.writes, step.first);
      break;
    case ProgramKind::REMOTE_TO_TENSOR:
      append(out.reads, step.second);
      append(out.writes, step.first);
      break;
    case ProgramKind::TENSOR_TO_REMOTE:
      append(out.reads, step.first);
      append(out.reads, step.second);
      break;
    case ProgramKind::HOST_CALL:
      for (const Tensor& t : step.inputs) append(out.reads, t);
      for (const Tensor& t : step.outputs) append(out.writes, t);
      break;
    default:  // a stream to the host, a predicate, what is printed
      append(out.reads, step.first);
  }
  join(out.reads);
  join(out.writes);
  return out;
}

}  // namespace emulator
}  // namespace poplar
