#ifndef popart_popx_op_greaterx_hpp
#define popart_popx_op_greaterx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class GreaterOpx : public BinaryComparisonOpx {
 public:
  GreaterOpx(Op*, Devicex*)
      : BinaryComparisonOpx(emulator::absent<Op*>("popart::popx::GreaterOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_greaterx_hpp
