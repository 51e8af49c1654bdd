#ifndef popart_popx_op_transposex_hpp
#define popart_popx_op_transposex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class TransposeOpx : public Opx {
 public:
  TransposeOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::TransposeOpx"), nullptr) {}
};

class TransposeInplaceOpx : public Opx {
 public:
  TransposeInplaceOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::TransposeInplaceOpx"), nullptr) {}
};

class TransposeGradOpx : public TransposeOpx {
 public:
  TransposeGradOpx(Op*, Devicex*)
      : TransposeOpx(emulator::absent<Op*>("popart::popx::TransposeGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_transposex_hpp
