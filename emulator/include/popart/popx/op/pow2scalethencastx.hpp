#ifndef popart_popx_op_pow2scalethencastx_hpp
#define popart_popx_op_pow2scalethencastx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Quarter.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class Pow2ScaleThenCastOpx : public Opx {
 public:
  Pow2ScaleThenCastOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::Pow2ScaleThenCastOpx"), nullptr) {}
  poplar::QuarterMetadata::Format getDestinationFormat() const {
    emulator::missing("popart::popx::Pow2ScaleThenCastOpx::getDestinationFormat");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_pow2scalethencastx_hpp
