#ifndef popart_popx_op_syncx_hpp
#define popart_popx_op_syncx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SyncOpx : public Opx {
 public:
  SyncOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SyncOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_syncx_hpp
