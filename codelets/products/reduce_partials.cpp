// reduce_partials: sums a range of a sample's entries over a range of tiles.
//
//   sums[k] = sum over tiles of partials[tile, k]
//
// The tiles' partial sums of dL/ds are the largest traffic of the backward pass: entries are
// distributed over the whole device, and ranges of tiles over a tile's workers; scatter_spike_grad
// adds the sums of the ranges.
#include <poplar/Vertex.hpp>

#include "common/rows.hpp"

#ifdef __IPU__
#include "common/repeats_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

#ifdef __IPU__
namespace ipu {

// sum[0:2] = sum of one row and `more` after it, at most what `rpt` takes. common/rows_ipu.hpp
// tells how to read this text.
inline void sum_pair(const float* rows,  // [1 + more, 2 * stride], at the first column
                     unsigned stride,    // pairs from row to row
                     unsigned more,
                     float* sum) {  // [2]
  asm volatile(
      R"(
      {
        ld64step    $a0:1, $mzero, %[rows]+=, %[stride]
        mov         $a2:3, $azeros
      }
      .align 8
      {
        rpt         %[more], 0
        fnop
      }
        {
          ld64step  $a0:1, $mzero, %[rows]+=, %[stride]
          f32v2add  $a2:3, $a2:3, $a0:1
        }
      f32v2add      $a2:3, $a2:3, $a0:1
      st64          $a2:3, $mzero, %[sum], 0
      )"
      : [rows] "+r"(rows)
      : [stride] "r"(stride), [more] "r"(more), [sum] "r"(sum)
      : "$a0:1", "$a2:3", "memory");
}

}  // namespace ipu
#endif

class ReducePartials : public Vertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> partials;  // [tiles, entries]
  Output<Vector<float, ONE_PTR, 8>> sums;     // [entries]
  const unsigned tiles;
  const unsigned entries;

  bool compute() {
    const float* const rows = &partials[0];
    float* const out = &sums[0];
#ifdef __IPU__
    if (entries % 2 == 0 && tiles > 0 && tiles <= ipu::kMostRepeats) {
      for (unsigned j = 0; j < entries; j += 2)
        ipu::sum_pair(rows + j, entries / 2, tiles - 1, out + j);
      return true;
    }
#endif
    for_blocks(entries, [&](auto width, unsigned j) {
      constexpr unsigned kWidth = width();
      float block[kWidth] = {};
      for (unsigned tile = 0; tile < tiles; ++tile)
        for (unsigned i = 0; i < kWidth; ++i) block[i] += rows[tile * entries + j + i];
      for (unsigned i = 0; i < kWidth; ++i) out[j + i] = block[i];
    });
    return true;
  }
};

}  // namespace popsnn
