#ifndef popart_popx_op_castthenpow2scalex_hpp
#define popart_popx_op_castthenpow2scalex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Quarter.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class CastThenPow2ScaleOpx : public Opx {
 public:
  CastThenPow2ScaleOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::CastThenPow2ScaleOpx"), nullptr) {}
  poplar::QuarterMetadata::Format getSourceFormat() const {
    emulator::missing("popart::popx::CastThenPow2ScaleOpx::getSourceFormat");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_castthenpow2scalex_hpp
