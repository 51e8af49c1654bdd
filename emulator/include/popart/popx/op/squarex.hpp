#ifndef popart_popx_op_squarex_hpp
#define popart_popx_op_squarex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SquareOpx : public ElementWiseUnaryOpx {
 public:
  SquareOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::SquareOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_squarex_hpp
