// count_step: a counter of steps goes on, in a compute set in which nobody else reads it.
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
