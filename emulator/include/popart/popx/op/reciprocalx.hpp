#ifndef popart_popx_op_reciprocalx_hpp
#define popart_popx_op_reciprocalx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class ReciprocalOpx : public ElementWiseUnaryOpx {
 public:
  ReciprocalOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::ReciprocalOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_reciprocalx_hpp
