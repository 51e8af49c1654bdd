// copy_rows: copies a row of a tile's states to or from its checkpoints; a counter names the row.
//
//   rows[at] = row  (save)   or   row = rows[at]  (load)
//
// Each worker copies a range.
#include <poplar/Vertex.hpp>

#include "common/worker_range.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class SaveRow : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> row;   // [size]
  InOut<Vector<float, ONE_PTR, 8>> rows;  // [rows, size]
  Input<int> at;
  const unsigned size;

  bool compute(unsigned worker) {
    float* const to = &rows[unsigned(*at) * size];
    const unsigned end = worker_begin(size, worker + 1, numWorkers());
    for (unsigned i = worker_begin(size, worker, numWorkers()); i < end; ++i) to[i] = row[i];
    return true;
  }
};

class LoadRow : public MultiVertex {
 public:
  Input<Vector<float, ONE_PTR, 8>> rows;  // [rows, size]
  Input<int> at;
  Output<Vector<float, ONE_PTR, 8>> row;  // [size]
  const unsigned size;

  bool compute(unsigned worker) {
    const float* const from = &rows[unsigned(*at) * size];
    const unsigned end = worker_begin(size, worker + 1, numWorkers());
    for (unsigned i = worker_begin(size, worker, numWorkers()); i < end; ++i) row[i] = from[i];
    return true;
  }
};

}  // namespace popsnn
