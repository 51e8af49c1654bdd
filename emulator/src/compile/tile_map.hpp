// The tiles of a variable's elements.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace poplar {
namespace emulator {

constexpr uint32_t kNoTile = 0xFFFFFFFFu;

class TileMap {
 public:
  void set(size_t begin, size_t end, size_t size, uint32_t tile);
  bool complete() const;

  // Calls fn(begin, end, tile) for the ranges of [begin, end) that have one tile each.
  template <class Fn>
  void forEach(size_t begin, size_t end, Fn&& fn) const {
    if (begin == end) return;
    if (starts_.empty()) return fn(begin, end, uniform_);
    auto it = std::prev(starts_.upper_bound(begin));
    while (begin != end) {
      const uint32_t tile = it->second;
      ++it;
      const size_t stop = it == starts_.end() ? end : std::min(end, it->first);
      fn(begin, stop, tile);
      begin = stop;
    }
  }

  // Calls fn for each value that makes the map, to read or to write it.
  template <class Fn>
  void transferRanges(Fn&& fn) {
    fn(uniform_);
    uint64_t count = starts_.size();
    fn(count);
    auto it = starts_.begin();
    const bool reads = starts_.size() != count;
    for (uint64_t i = 0; i < count; ++i) {
      std::pair<uint64_t, uint32_t> range(0, kNoTile);
      if (!reads) range = {it->first, it->second};
      fn(range.first);
      fn(range.second);
      if (reads) {
        starts_.emplace_hint(starts_.end(), range.first, range.second);
      } else {
        ++it;
      }
    }
  }

 private:
  uint32_t uniform_ = kNoTile;         // of all elements, where starts_ is empty
  std::map<size_t, uint32_t> starts_;  // first element of each range: its tile
};

}  // namespace emulator
}  // namespace poplar
