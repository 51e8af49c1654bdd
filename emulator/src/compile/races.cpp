#include <algorithm>
#include <poplar/exceptions.hpp>

#include "compile/compute_set.hpp"
#include "errors/errors_text.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

[[noreturn]] void race(const std::string& compute_set, const std::string& variable, size_t element,
                       const std::string& writer, const std::string& how,
                       const std::string& other) {
  throw graph_connection_error(text("compute set '", compute_set, "': expected an element that ",
                                    writer, " writes to be no other vertex's, got element ",
                                    element, " of variable '", variable, "' ", how, " by ", other));
}

}  // namespace

}  // namespace errors

namespace {

struct ByElement {
  bool operator()(const Touch& a, const Touch& b) const {
    return a.var != b.var ? a.var < b.var : a.begin < b.begin;
  }
};

std::string vertexName(const GraphData& data, uint32_t compute_set, uint32_t vertex) {
  for (uint32_t g : data.compute_sets[compute_set].groups) {
    const VertexGroup& group = data.groups[g];
    if (vertex < group.count()) {
      return std::string(data.types[group.type].info->name) + " on tile " +
             std::to_string(group.tiles[vertex]);
    }
    vertex -= group.count();
  }
  return "";
}

}  // namespace

void checkRaces(const GraphData& data, uint32_t compute_set, std::vector<Touch>& writes,
                const std::vector<Touch>& reads) {
  const auto fail = [&](const Touch& a, const Touch& b, const char* how) {
    errors::race(data.compute_sets[compute_set].name, data.variable(a.var).name,
                 std::max(a.begin, b.begin), vertexName(data, compute_set, a.vertex), how,
                 vertexName(data, compute_set, b.vertex));
  };
  const ByElement before;
  if (!std::is_sorted(writes.begin(), writes.end(), before)) {
    std::sort(writes.begin(), writes.end(), before);
  }
  // What one vertex writes in several edges becomes one interval: they are disjoint from here on.
  std::vector<Touch> merged;
  for (const Touch& w : writes) {
    if (!merged.empty() && merged.back().var == w.var && w.begin < merged.back().end) {
      if (merged.back().vertex != w.vertex) fail(merged.back(), w, "also written");
      merged.back().end = std::max(merged.back().end, w.end);
    } else {
      merged.push_back(w);
    }
  }
  std::vector<bool> written(data.variables.size());
  for (const Touch& w : merged) written[w.var & ~kConstantBit] = true;
  for (const Touch& r : reads) {
    if ((r.var & kConstantBit) != 0 || !written[r.var]) continue;
    auto w = std::upper_bound(merged.begin(), merged.end(), r, before);
    if (w != merged.begin() && std::prev(w)->var == r.var && std::prev(w)->end > r.begin) --w;
    for (; w != merged.end() && w->var == r.var && w->begin < r.end; ++w) {
      if (w->vertex != r.vertex) fail(*w, r, "read");
    }
  }
}

}  // namespace emulator
}  // namespace poplar
