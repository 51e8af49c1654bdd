#ifndef popart_popx_op_tanhx_hpp
#define popart_popx_op_tanhx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class TanhOpx : public Opx {
 public:
  TanhOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::TanhOpx"), nullptr) {}
};

class TanhGradOpx : public Opx {
 public:
  TanhGradOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::TanhGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_tanhx_hpp
