// Samples in groups of up to eight, for weight gradients that are dense in the inputs (the method
// of the four Russians: Arlazarov, Dinic, Kronrod and Faradzev, 1970).
//
// A spike is 0 or 1, so an input fires in one of 2^bits patterns of a group's samples. With a row
// for the sum of dL/d(current) over each pattern's samples, an input costs one row a group however
// many of the samples fired it. A pattern is a byte; a word has those of four inputs.
#pragma once

namespace popsnn {

constexpr unsigned kPatternBits = 8;  // the most samples of a group
constexpr unsigned kPatternsOfWord = 4;
constexpr unsigned kPatternBlock = 4;  // sums that differ in their group's first two samples

constexpr unsigned pattern_groups(unsigned batch) {
  return (batch + kPatternBits - 1) / kPatternBits;
}

// Samples of a group, bit by bit: the fewest that cover the batch, so that groups are equal but
// for the last. (The IPU has no integer division.)
constexpr unsigned pattern_bits(unsigned batch) {
  unsigned bits = kPatternBits;
  while (bits > 1 && (bits - 1) * pattern_groups(batch) >= batch) --bits;
  return bits;
}

// Rows of the sums of a group of so many samples, whole blocks of them.
constexpr unsigned group_rows(unsigned bits) { return bits < 2 ? kPatternBlock : 1u << bits; }
constexpr unsigned pattern_rows(unsigned batch) { return group_rows(pattern_bits(batch)); }

// Samples of a group, where groups have `bits` of them.
constexpr unsigned group_size(unsigned batch, unsigned bits, unsigned group) {
  const unsigned left = batch - group * bits;
  return left < bits ? left : bits;
}

// Words of an input's patterns of one group.
constexpr unsigned pattern_words(unsigned inputs) {
  return (inputs + kPatternsOfWord - 1) / kPatternsOfWord;
}

}  // namespace popsnn
