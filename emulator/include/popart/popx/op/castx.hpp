#ifndef popart_popx_op_castx_hpp
#define popart_popx_op_castx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class CastOpx : public Opx {
 public:
  CastOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::CastOpx"), nullptr) {}
};

class CastGradOpx : public CastOpx {
 public:
  CastGradOpx(Op*, Devicex*)
      : CastOpx(emulator::absent<Op*>("popart::popx::CastGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_castx_hpp
