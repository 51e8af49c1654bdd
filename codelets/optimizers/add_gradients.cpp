// add_gradients: adds the other replicas' gradients of a range of parameters to this replica's, in
// the order of the replicas. Each worker takes a range of pairs; the last one also takes an odd
// element.
#include <poplar/Vertex.hpp>

#include "common/worker_range.hpp"

#ifdef __IPU__
#include "common/repeats_ipu.hpp"
#endif

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

#ifdef __IPU__
namespace ipu {

// sum[0:2] += other for one pair and `more` after it, at most what `rpt` takes.
// common/rows_ipu.hpp tells how to read this text.
inline void add_pairs(const float* other,  // [2 + 2 * more]
                      unsigned more,
                      float* sum) {  // [2 + 2 * more]
  asm volatile(
      R"(
      ld64          $a0:1, $mzero, %[sum], 0
      ld64step      $a2:3, $mzero, %[other]+=, 1
      .align 8
      {
        rpt         %[more], 2
        fnop
      }
        {
          ld64      $a4:5, $mzero, %[sum], 1
          f32v2add  $a0:1, $a0:1, $a2:3
        }
        {
          ld64step  $a2:3, $mzero, %[other]+=, 1
          fnop
        }
        {
          st64step  $a0:1, $mzero, %[sum]+=, 1
          mov       $a0:1, $a4:5
        }
      f32v2add      $a0:1, $a0:1, $a2:3
      st64          $a0:1, $mzero, %[sum], 0
      )"
      : [other] "+r"(other), [sum] "+r"(sum)
      : [more] "r"(more)
      : "$a0:1", "$a2:3", "$a4:5", "memory");
}

}  // namespace ipu
#endif

class AddGradients : public MultiVertex {
 public:
  Vector<Input<Vector<float, ONE_PTR, 8>>> others;  // [replicas - 1][size]
  InOut<Vector<float, ONE_PTR, 8>> gradient;        // [size]
  const unsigned size;

  bool compute(unsigned worker) {
    float* const sum = &gradient[0];
    const unsigned begin = worker_begin(size / 2, worker, numWorkers()) * 2;
    const unsigned next = worker_begin(size / 2, worker + 1, numWorkers()) * 2;
    const unsigned end = worker + 1 < numWorkers() ? next : size;
    for (unsigned r = 0; r < others.size(); ++r) {
      const float* const other = &others[r][0];
      unsigned i = begin;
#ifdef __IPU__
      ipu::for_repeats((end - begin) / 2, [=](unsigned first, unsigned pairs) {
        ipu::add_pairs(other + begin + 2 * first, pairs - 1, sum + begin + 2 * first);
      });
      i = begin + (end - begin) / 2 * 2;
#endif
      for (; i < end; ++i) sum[i] += other[i];
    }
    return true;
  }
};

}  // namespace popsnn
