#include <algorithm>
#include <poplar/emulator/Sizes.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

std::string text(const Shape& shape) {
  std::string out = "{";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    out += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  }
  return out + "}";
}

void expandToRank(Tensor& t, std::size_t rank) {
  if (t.rank() < rank) t = t.expand(Shape(rank - t.rank(), 0));
}

// Whether `into` could be made the common shape of itself and `shape`.
bool combine(Shape& into, const Shape& shape) {
  if (into.size() < shape.size()) into.insert(into.begin(), shape.size() - into.size(), 1);
  const std::size_t lead = into.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::size_t& d = into[lead + i];
    if (d != shape[i] && d != 1 && shape[i] != 1) return false;
    if (d == 1) d = shape[i];
  }
  return true;
}

[[noreturn]] void mismatch(const Shape& a, const Shape& b) {
  throw poplibs_error("broadcastToMatch: expected shapes that broadcast to each other, got " +
                      text(a) + " and " + text(b));
}

}  // namespace

void expandToMatchRanks(Tensor& a, Tensor& b) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  expandToRank(a, rank);
  expandToRank(b, rank);
}

void broadcastToMatch(Tensor& a, const Shape& shape) {
  Shape common = a.shape();
  if (!combine(common, shape) || common != shape) mismatch(a.shape(), shape);
  poplar::emulator::checkedElements("broadcastToMatch", shape);
  expandToRank(a, shape.size());
  for (unsigned i = 0; i < shape.size(); ++i) {
    if (a.dim(i) != shape[i]) a = a.broadcast(static_cast<unsigned>(shape[i]), i);
  }
}

void broadcastToMatch(Tensor& a, Tensor& b) {
  Shape common = a.shape();
  if (!combine(common, b.shape())) mismatch(a.shape(), b.shape());
  broadcastToMatch(a, common);
  broadcastToMatch(b, common);
}

void broadcastToMatch(Tensor& a, Tensor& b, Tensor& c) {
  Shape common = a.shape();
  if (!combine(common, b.shape())) mismatch(a.shape(), b.shape());
  if (!combine(common, c.shape())) mismatch(common, c.shape());
  for (Tensor* t : {&a, &b, &c}) broadcastToMatch(*t, common);
}

bool canBroadcastToMatch(const Tensor& a, const Tensor& b) {
  Shape common = a.shape();
  return combine(common, b.shape());
}

}  // namespace poputil
