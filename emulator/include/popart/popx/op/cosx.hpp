#ifndef popart_popx_op_cosx_hpp
#define popart_popx_op_cosx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class CosOpx : public ElementWiseUnaryOpx {
 public:
  CosOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::CosOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_cosx_hpp
