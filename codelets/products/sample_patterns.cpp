// sample_patterns: the samples of a group in which an input fired, for a range of the inputs.
//
//   bit b of byte i of patterns[g, w] = bit of input 4 * (first + w) + i in sample bits * g + b
//
// Each worker takes a range of words: the chip stores no less than a word.
#include <poplar/Vertex.hpp>

#include "common/spike_records.hpp"
#include "patterns.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class SamplePatterns : public MultiVertex {
 public:
  Vector<Input<Vector<unsigned, ONE_PTR, 4>>> bits;  // [batch][words that have the range]
  Output<Vector<unsigned, ONE_PTR, 4>> patterns;     // [groups, words]
  const unsigned first;                              // word of patterns, of the first word of bits
  const unsigned words;

  bool compute(unsigned worker) {
    const unsigned batch = bits.size(), groups = pattern_groups(batch);
    const unsigned of_group = pattern_bits(batch);
    const unsigned end = worker_begin(words, worker + 1, numWorkers());
    for (unsigned w = worker_begin(words, worker, numWorkers()); w < end; ++w) {
      const unsigned at = (first + w) / kFields, shift = (first + w) % kFields * kPatternsOfWord;
      for (unsigned g = 0; g < groups; ++g) {
        unsigned word = 0;
        for (unsigned b = 0; b < group_size(batch, of_group, g); ++b)
          word |= bits_to_bytes(bits[g * of_group + b][at] >> shift & 0xFu) << b;
        patterns[g * words + w] = word;
      }
    }
    return true;
  }

 private:
  static constexpr unsigned kFields =
      kMaskBits / kPatternsOfWord;  // words of patterns in one of bits

  // Four bits to the lowest ones of four bytes: the products put bit i at 8 * i and elsewhere.
  static inline unsigned bits_to_bytes(unsigned field) { return field * 0x00204081u & 0x01010101u; }
};

}  // namespace popsnn
