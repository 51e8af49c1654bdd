#ifndef popart_region_hpp
#define popart_region_hpp

#include <cstdint>
#include <ostream>
#include <popart/names.hpp>
#include <vector>

namespace popart {
namespace view {

enum class AccessType { None = 0, Read = 1, Write = 2, ReadWrite = 3, N = 4 };

/// A box of a tensor: [lower, upper) in each dimension.
class Region {
 public:
  Region(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper);
  Region(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
         AccessType accessType);

  static Region getEmpty(std::int64_t rank);
  static Region getFull(const Shape& shape, AccessType accessType = AccessType::ReadWrite);

  std::int64_t rank() const { return static_cast<std::int64_t>(lower_.size()); }
  std::int64_t nelms() const;
  bool isEmpty() const;
  Region intersect(const Region& other) const;
  /// The bounds of dimension perm[i] as those of dimension i.
  Region transpose(const Shape& perm) const;
  bool contains(const std::vector<std::int64_t>& index) const;
  bool contains(const Region& other) const;
  bool operator==(const Region& other) const;
  bool operator!=(const Region& other) const { return !(*this == other); }

  const std::vector<std::int64_t>& getLower() const { return lower_; }
  const std::vector<std::int64_t>& getUpper() const { return upper_; }
  AccessType getAccessType() const { return accessType_; }
  void setAccessType(AccessType type) { accessType_ = type; }
  void append(std::ostream& out) const;

 private:
  std::vector<std::int64_t> lower_, upper_;
  AccessType accessType_ = AccessType::None;
  bool emptyScalar_ = false;  // of rank 0 and yet empty, which bounds cannot say
};

std::ostream& operator<<(std::ostream& out, const Region& region);

/// Whether some region is written and not empty.
bool regionsModified(const Regions& regions);
bool nonEmptyRegion(const Regions& regions);

}  // namespace view
}  // namespace popart

#endif  // popart_region_hpp
