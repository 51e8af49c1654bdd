// The tiles of a variable's elements.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace poplar {
namespace emulator {

constexpr uint32_t kNoTile = 0xFFFFFFFFu;

class TileMap {
 public:
  void set(size_t begin, size_t end, size_t size, uint32_t tile);
  bool complete() const;

  // Calls fn(begin, end, tile) for the parts of [begin, end) that have one tile each.
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

 private:
  uint32_t uniform_ = kNoTile;         // of all elements, where starts_ is empty
  std::map<size_t, uint32_t> starts_;  // first element of each part: its tile
};

}  // namespace emulator
}  // namespace poplar
