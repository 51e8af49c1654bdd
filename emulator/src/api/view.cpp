#include "api/view.hpp"

namespace poplar {
namespace emulator {

std::vector<Dim> collapse(const std::vector<Dim>& dims) {
  std::vector<Dim> out;
  out.reserve(dims.size());
  for (const Dim& d : dims) {
    if (d.size == 1) continue;
    if (!out.empty() && out.back().stride == d.stride * static_cast<ptrdiff_t>(d.size)) {
      out.back() = {out.back().size * d.size, d.stride};
    } else {
      out.push_back(d);
    }
  }
  return out;
}

bool reshapeDims(const std::vector<Dim>& dims, ArrayRef<size_t> shape, std::vector<Dim>* out) {
  const std::vector<Dim> old = collapse(dims);
  out->assign(shape.size(), Dim{1, 0});
  size_t n = 0;
  for (const Dim& from : old) {
    // The new dims that make up this one, innermost last.
    size_t product = 1, end = n;
    while (end < shape.size() && product < from.size) product *= shape[end++];
    if (product != from.size) return false;
    ptrdiff_t stride = from.stride;
    for (size_t i = end; i-- > n;) {
      (*out)[i] = {shape[i], stride};
      stride *= static_cast<ptrdiff_t>(shape[i]);
    }
    n = end;
  }
  return true;
}

ViewPtr makeDense(Type type, uint64_t graph, std::shared_ptr<const RangeList> ranges,
                  ArrayRef<size_t> shape) {
  auto view = std::make_shared<View>();
  view->type = type;
  view->graph = graph;
  view->ranges = std::move(ranges);
  view->offset = 0;
  view->dims.resize(shape.size());
  ptrdiff_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    view->dims[i] = {shape[i], stride};
    stride *= static_cast<ptrdiff_t>(shape[i]);
  }
  return view;
}

View materialise(const View& view) {
  auto ranges = std::make_shared<RangeList>();
  forEachRun(view, [&](uint32_t var, size_t begin, size_t n) { ranges->append(var, begin, n); });
  const size_t size = ranges->size;
  return *makeDense(view.type, view.graph, std::move(ranges), {size});
}

bool hasAliases(std::vector<Run>& runs) {
  const auto before = [](const Run& a, const Run& b) {
    return a.var != b.var ? a.var < b.var : a.begin < b.begin;
  };
  if (!std::is_sorted(runs.begin(), runs.end(), before)) {
    std::sort(runs.begin(), runs.end(), before);
  }
  for (size_t i = 1; i < runs.size(); ++i) {
    if (runs[i - 1].var == runs[i].var && runs[i - 1].begin + runs[i - 1].size > runs[i].begin) {
      return true;
    }
  }
  return false;
}

bool hasAliases(const View& view) {
  if (view.numElements() == 0) return false;
  for (const Dim& d : view.dims) {
    if (d.stride == 0 && d.size > 1) return true;
  }
  std::vector<Run> runs;
  forEachRun(view, [&](uint32_t var, size_t begin, size_t n) {
    runs.push_back({var, static_cast<uint32_t>(n), begin});
  });
  return hasAliases(runs);
}

bool hasConstant(const View& view) {
  bool constant = false;
  forEachRun(view, [&](uint32_t var, size_t, size_t) { constant |= (var & kConstantBit) != 0; });
  return constant;
}

}  // namespace emulator
}  // namespace poplar
