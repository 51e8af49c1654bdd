#ifndef popart_popx_op_andx_hpp
#define popart_popx_op_andx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class AndOpx : public BinaryComparisonOpx {
 public:
  AndOpx(Op*, Devicex*)
      : BinaryComparisonOpx(emulator::absent<Op*>("popart::popx::AndOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_andx_hpp
