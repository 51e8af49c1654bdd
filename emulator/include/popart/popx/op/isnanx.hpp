#ifndef popart_popx_op_isnanx_hpp
#define popart_popx_op_isnanx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class IsNaNx : public ElementWiseUnaryOpx {
 public:
  IsNaNx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::IsNaNx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_isnanx_hpp
