#ifndef popart_popx_op_concatx_hpp
#define popart_popx_op_concatx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class BaseConcatOpx : public Opx {
 public:
  BaseConcatOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::BaseConcatOpx"), nullptr) {}
};

class ConcatOpx : public BaseConcatOpx {
 public:
  ConcatOpx(Op*, Devicex*)
      : BaseConcatOpx(emulator::absent<Op*>("popart::popx::ConcatOpx"), nullptr) {}
};

class ConcatInplaceOpx : public BaseConcatOpx {
 public:
  ConcatInplaceOpx(Op*, Devicex*)
      : BaseConcatOpx(emulator::absent<Op*>("popart::popx::ConcatInplaceOpx"), nullptr) {}
};

class ConcatGradOpx : public Opx {
 public:
  ConcatGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::ConcatGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_concatx_hpp
