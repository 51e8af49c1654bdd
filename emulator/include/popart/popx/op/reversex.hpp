#ifndef popart_popx_op_reversex_hpp
#define popart_popx_op_reversex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReverseBaseOpx : public Opx {
 public:
  ReverseBaseOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ReverseBaseOpx"), nullptr) {}
};

class ReverseOpx : public ReverseBaseOpx {
 public:
  ReverseOpx(Op*, Devicex*)
      : ReverseBaseOpx(emulator::absent<Op*>("popart::popx::ReverseOpx"), nullptr) {}
};

class ReverseInplaceOpx : public ReverseBaseOpx {
 public:
  ReverseInplaceOpx(Op*, Devicex*)
      : ReverseBaseOpx(emulator::absent<Op*>("popart::popx::ReverseInplaceOpx"), nullptr) {}
};

class ReverseGradOpx : public ReverseOpx {
 public:
  ReverseGradOpx(Op*, Devicex*)
      : ReverseOpx(emulator::absent<Op*>("popart::popx::ReverseGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reversex_hpp
