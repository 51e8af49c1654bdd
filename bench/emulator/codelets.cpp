// Vertices that do next to nothing: what remains is what a call costs.
#include <poplar/Vertex.hpp>

using namespace poplar;

class Count : public Vertex {
 public:
  InOut<int> total;

  bool compute() {
    *total += 1;
    return true;
  }
};

class Accumulate : public Vertex {
 public:
  Input<Vector<int>> step;   // [n]
  InOut<Vector<int>> total;  // [n]

  bool compute() {
    for (unsigned i = 0; i < total.size(); ++i) total[i] += step[i];
    return true;
  }
};
