// copy_rows: one row of a tile's states to or from the checkpoints, by a counter.
//
//   to[at] = from  (put)   or   to = from[at]  (take)
//
// Workers take ranges.
#include <poplar/Vertex.hpp>

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class PutRow : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> row;   // [size]
  InOut<Vector<float, ONE_PTR, 8>> rows;  // [rows, size]
  Input<int> at;
  const unsigned size;

  bool compute(unsigned worker) {
    float* const to = &rows[unsigned(*at) * size];
    const unsigned end = size * (worker + 1) / numWorkers();
    for (unsigned i = size * worker / numWorkers(); i < end; ++i) to[i] = row[i];
    return true;
  }
};

class TakeRow : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> rows;  // [rows, size]
  Input<int> at;
  Output<Vector<float, ONE_PTR, 8>> row;  // [size]
  const unsigned size;

  bool compute(unsigned worker) {
    const float* const from = &rows[unsigned(*at) * size];
    const unsigned end = size * (worker + 1) / numWorkers();
    for (unsigned i = size * worker / numWorkers(); i < end; ++i) row[i] = from[i];
    return true;
  }
};

}  // namespace popsnn
