#ifndef popart_popx_op_orx_hpp
#define popart_popx_op_orx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class OrOpx : public BinaryComparisonOpx {
 public:
  OrOpx(Op*, Devicex*)
      : BinaryComparisonOpx(emulator::absent<Op*>("popart::popx::OrOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_orx_hpp
