#ifndef popart_popx_op_detachx_hpp
#define popart_popx_op_detachx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class DetachOpx : public ElementWiseUnaryOpx {
 public:
  DetachOpx(popart::Op*, popart::popx::Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::DetachOpx"), nullptr) {}
};

class DetachInplaceOpx : public ElementWiseUnaryOpx {
 public:
  DetachInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::DetachInplaceOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_detachx_hpp
