#ifndef popart_popx_op_lessx_hpp
#define popart_popx_op_lessx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class LessOpx : public BinaryComparisonOpx {
 public:
  LessOpx(Op*, Devicex*)
      : BinaryComparisonOpx(emulator::absent<Op*>("popart::popx::LessOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_lessx_hpp
