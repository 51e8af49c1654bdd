#ifndef popart_slicestruct_hpp
#define popart_slicestruct_hpp

#include <cstdint>

namespace popart {

/// A slice of one dimension.
struct Slice {
  Slice(std::int64_t start_, std::int64_t end_, std::int64_t axis_, bool flip_ = false)
      : start(start_), end(end_), axis(axis_), flip(flip_) {}

  std::int64_t start;
  std::int64_t end;
  std::int64_t axis;
  bool flip;
};

}  // namespace popart

#endif  // popart_slicestruct_hpp
