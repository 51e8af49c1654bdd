#ifndef popart_popx_op_normalize_imagex_hpp
#define popart_popx_op_normalize_imagex_hpp

#include <iosfwd>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class NormalizeImageOpx : public popart::popx::Opx {
 public:
  NormalizeImageOpx(popart::Op*, popart::popx::Devicex*)
      : popart::popx::Opx(emulator::absent<Op*>("popart::popx::NormalizeImageOpx"), nullptr) {}
  poplar::Tensor createNormalizedImageInput(const poplar::DebugNameAndId&) const {
    emulator::missing("popart::popx::NormalizeImageOpx::createNormalizedImageInput");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_normalize_imagex_hpp
