#ifndef popart_popx_op_meanx_hpp
#define popart_popx_op_meanx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/opx.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class MeanOpx : public ElementWiseUnaryOpx {
 public:
  MeanOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::MeanOpx"), nullptr) {}
};

class MeanArgGradOpx : public Opx {
 public:
  MeanArgGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::MeanArgGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_meanx_hpp
