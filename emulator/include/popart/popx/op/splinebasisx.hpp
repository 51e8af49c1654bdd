#ifndef popart_popx_op_splinebasisx_hpp
#define popart_popx_op_splinebasisx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SplineBasisx : public Opx {
 public:
  SplineBasisx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::SplineBasisx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_splinebasisx_hpp
