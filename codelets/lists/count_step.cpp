// count_step: adds to a counter of time steps, in a compute set in which no other vertex reads it.
#include <poplar/Vertex.hpp>

using namespace poplar;

namespace popsnn {

class CountStep : public Vertex {
 public:
  InOut<int> counter;
  const int by;

  bool compute() {
    *counter += by;
    return true;
  }
};

}  // namespace popsnn
