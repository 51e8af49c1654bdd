#ifndef popart_popx_op_negatex_hpp
#define popart_popx_op_negatex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class NegateOpx : public ElementWiseUnaryOpx {
 public:
  NegateOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::NegateOpx"), nullptr) {}
};

class NegateGradOpx : public ElementWiseUnaryOpx {
 public:
  NegateGradOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::NegateGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_negatex_hpp
