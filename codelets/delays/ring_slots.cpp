// ring_slots: the slots of a ring of rows that belong to the time steps before this one and to this
// one, for all who have rows of it on their tiles: a slot takes a quotient.
#include <poplar/Vertex.hpp>

#include "ring.hpp"

using namespace poplar;
static constexpr auto ONE_PTR = VectorLayout::ONE_PTR;

namespace popsnn {

class RingSlots : public Vertex {
 public:
  Input<int> first_step;
  Input<int> row;                         // this time step is first_step + row
  Output<Vector<int, ONE_PTR, 4>> slots;  // [2] of the time step before, of this one; -1 before 0
  const unsigned length;                  // slots of the ring

  bool compute() {
    const int t = *first_step + *row;
    const int now = t < 0 ? -1 : int(ring_slot(unsigned(t), length));
    slots[0] = t < 1 ? -1 : now == 0 ? int(length) - 1 : now - 1;
    slots[1] = now;
    return true;
  }
};

}  // namespace popsnn
