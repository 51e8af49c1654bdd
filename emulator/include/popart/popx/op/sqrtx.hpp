#ifndef popart_popx_op_sqrtx_hpp
#define popart_popx_op_sqrtx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SqrtOpx : public ElementWiseUnaryOpx {
 public:
  SqrtOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::SqrtOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sqrtx_hpp
