// Where the patterns of the samples that fired an input are made.
#pragma once
#include <algorithm>
#include <vector>

#include "common/spike_records.hpp"
#include "popsnn/plan.hpp"
#include "products/patterns.hpp"

namespace popsnn {

// Words that a tile makes.
struct WordStretch {
  std::size_t tile;
  Range words;
};

// `words` dealt over some tiles, no fewer than one to each.
inline std::vector<WordStretch> word_stretches(const Range& tiles, std::size_t words) {
  const std::size_t parts = std::min(tiles.size(), words);
  std::vector<WordStretch> stretches;
  for (std::size_t i = 0; i < parts; ++i)
    stretches.push_back({tiles.begin + i, part_of({0, words}, i, parts)});
  return stretches;
}

inline std::size_t bit_words(std::size_t inputs) { return ceil_div(inputs, kMaskBits); }

// Of a sample's bits: over the tiles of its zone.
inline std::vector<WordStretch> bit_stretches(const ListPlan& list, std::size_t sample,
                                              std::size_t inputs) {
  return word_stretches(list.zones[sample], bit_words(inputs));
}

// Of each group's patterns: over the tiles of all zones.
inline std::vector<WordStretch> pattern_stretches(const ListPlan& list, std::size_t inputs) {
  return word_stretches({list.zones.front().begin, list.zones.back().end},
                        pattern_words(unsigned(inputs)));
}

// Words of the longest stretch.
inline unsigned longest(const std::vector<WordStretch>& stretches) {
  std::size_t most = 0;
  for (const WordStretch& stretch : stretches) most = std::max(most, stretch.words.size());
  return unsigned(most);
}

}  // namespace popsnn
