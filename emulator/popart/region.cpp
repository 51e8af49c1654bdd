#include <algorithm>
#include <popart/error.hpp>
#include <popart/region.hpp>
#include <popart/util.hpp>
#include <poplar/emulator/Sizes.hpp>

namespace popart {
namespace view {

Region::Region(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper)
    : Region(lower, upper, AccessType::ReadWrite) {}

Region::Region(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
               AccessType accessType)
    : lower_(lower), upper_(upper), accessType_(accessType) {
  if (lower.size() != upper.size()) {
    throw error("Region: expected bounds of one rank, got ranks {} and {}", lower.size(),
                upper.size());
  }
}

Region Region::getEmpty(std::int64_t rank) {
  const std::vector<std::int64_t> zeros(static_cast<std::size_t>(rank), 0);
  Region out(zeros, zeros, AccessType::None);
  out.emptyScalar_ = rank == 0;
  return out;
}

Region Region::getFull(const Shape& shape, AccessType accessType) {
  return Region(Shape(shape.size(), 0), shape, accessType);
}

std::int64_t Region::nelms() const {
  if (emptyScalar_) return 0;
  std::vector<std::size_t> shape;
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    const bool empty = upper_[i] <= lower_[i];  // else the difference fits 64 bits without a sign
    shape.push_back(
        empty ? 0 : static_cast<std::size_t>(upper_[i]) - static_cast<std::size_t>(lower_[i]));
  }
  std::size_t n = 0;
  if (!poplar::emulator::countElements(shape, &n))
    throw error("Region: expected below 2^32 elements, got {}", *this);
  return static_cast<std::int64_t>(n);
}

bool Region::isEmpty() const { return nelms() == 0; }

Region Region::intersect(const Region& other) const {
  if (isEmpty() || other.isEmpty()) return getEmpty(rank());
  Region out = *this;
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    out.lower_[i] = std::max(lower_[i], other.lower_[i]);
    out.upper_[i] = std::min(upper_[i], other.upper_[i]);
  }
  return out.isEmpty() ? getEmpty(rank()) : out;
}

Region Region::transpose(const Shape& perm) const {
  Region out = *this;
  for (std::size_t i = 0; i < perm.size(); ++i) {
    out.lower_[i] = lower_[static_cast<std::size_t>(perm[i])];
    out.upper_[i] = upper_[static_cast<std::size_t>(perm[i])];
  }
  return out;
}

bool Region::contains(const std::vector<std::int64_t>& index) const {
  if (isEmpty()) return false;
  for (std::size_t i = 0; i < index.size(); ++i)
    if (index[i] < lower_[i] || index[i] >= upper_[i]) return false;
  return true;
}

bool Region::contains(const Region& other) const { return intersect(other) == other; }

bool Region::operator==(const Region& other) const {
  return lower_ == other.lower_ && upper_ == other.upper_ && emptyScalar_ == other.emptyScalar_;
}

void Region::append(std::ostream& out) const {
  appendSequence(out, lower_);
  out << '-';
  appendSequence(out, upper_);
}

std::ostream& operator<<(std::ostream& out, const Region& region) {
  region.append(out);
  return out;
}

bool regionsModified(const Regions& regions) {
  return std::any_of(regions.begin(), regions.end(), [](const Region& r) {
    return !r.isEmpty() &&
           (r.getAccessType() == AccessType::Write || r.getAccessType() == AccessType::ReadWrite);
  });
}

bool nonEmptyRegion(const Regions& regions) {
  return std::any_of(regions.begin(), regions.end(), [](const Region& r) { return !r.isEmpty(); });
}

}  // namespace view
}  // namespace popart
