#include "compile/tile_map.hpp"

namespace poplar {
namespace emulator {

void TileMap::set(size_t begin, size_t end, size_t size, uint32_t tile) {
  if (begin == end) return;
  if (begin == 0 && end == size) {
    starts_.clear();
    uniform_ = tile;
    return;
  }
  if (starts_.empty()) {
    if (uniform_ == tile) return;
    starts_.emplace(0, uniform_);
  }
  auto last = starts_.upper_bound(end);  // the range after that of `end`
  const uint32_t after = std::prev(last)->second;
  auto first = starts_.lower_bound(begin);
  const bool joins = first != starts_.begin() && std::prev(first)->second == tile;
  auto hint = starts_.erase(first, last);
  if (end != size && after != tile) hint = starts_.emplace_hint(hint, end, after);
  if (!joins) starts_.emplace_hint(hint, begin, tile);
}

bool TileMap::complete() const {
  if (starts_.empty()) return uniform_ != kNoTile;
  return std::none_of(starts_.begin(), starts_.end(),
                      [](const auto& range) { return range.second == kNoTile; });
}

}  // namespace emulator
}  // namespace poplar
