// Tiles that compute the patterns of samples in which an input fires.
#pragma once
#include <algorithm>
#include <vector>

#include "common/spike_records.hpp"
#include "popsnn/plan.hpp"
#include "products/patterns.hpp"

namespace popsnn {

// Words that a tile computes.
struct WordRange {
  std::size_t tile;
  Range words;
};

// `words` distributed over some tiles, at least one to each of those used.
inline std::vector<WordRange> word_ranges(const Range& tiles, std::size_t words) {
  const std::size_t count = std::min(tiles.size(), words);
  std::vector<WordRange> ranges;
  for (std::size_t i = 0; i < count; ++i)
    ranges.push_back({tiles.begin + i, subrange({0, words}, i, count)});
  return ranges;
}

inline std::size_t bit_words(std::size_t inputs) { return ceil_div(inputs, kMaskBits); }

// A sample's bits, over the tiles that scan its masks.
inline std::vector<WordRange> bit_ranges(const ListPlan& list, std::size_t sample,
                                         std::size_t inputs) {
  return word_ranges(list.scan_tiles[sample], bit_words(inputs));
}

// Each group's patterns, over the tiles that scan masks.
inline std::vector<WordRange> pattern_ranges(const ListPlan& list, std::size_t inputs) {
  return word_ranges({list.scan_tiles.front().begin, list.scan_tiles.back().end},
                     pattern_words(unsigned(inputs)));
}

// Words of the longest range.
inline unsigned longest(const std::vector<WordRange>& ranges) {
  std::size_t most = 0;
  for (const WordRange& range : ranges) most = std::max(most, range.words.size());
  return unsigned(most);
}

}  // namespace popsnn
