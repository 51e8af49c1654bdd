// set_step: the step counter of one compute set from that of another.
//
// A counter may not change in a compute set that reads it; two counters in turn need no compute
// set of their own.
#include <poplar/Vertex.hpp>

using namespace poplar;

namespace popsnn {

class SetStep : public Vertex {
 public:
  Input<int> from;
  Output<int> to;
  const int offset;

  bool compute() {
    *to = *from + offset;
    return true;
  }
};

}  // namespace popsnn
