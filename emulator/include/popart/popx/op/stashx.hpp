#ifndef popart_popx_op_stashx_hpp
#define popart_popx_op_stashx_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class StashOpx : public Opx {
 public:
  StashOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::StashOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_stashx_hpp
