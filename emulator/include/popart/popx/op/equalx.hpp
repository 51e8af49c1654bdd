#ifndef popart_popx_op_equalx_hpp
#define popart_popx_op_equalx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class EqualOpx : public BinaryComparisonOpx {
 public:
  EqualOpx(Op*, Devicex*)
      : BinaryComparisonOpx(emulator::absent<Op*>("popart::popx::EqualOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_equalx_hpp
