#ifndef popart_popx_op_bitwisex_hpp
#define popart_popx_op_bitwisex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popops/ExprOp.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class BitwiseNotOpx : public ElementWiseUnaryOpx {
 public:
  BitwiseNotOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::BitwiseNotOpx"), nullptr) {}
};

class BitwiseBinaryOpx : public ElementWiseBinaryOpx {
 public:
  BitwiseBinaryOpx(Op*, Devicex*)
      : ElementWiseBinaryOpx(emulator::absent<Op*>("popart::popx::BitwiseBinaryOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_bitwisex_hpp
