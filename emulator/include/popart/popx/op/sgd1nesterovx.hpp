#ifndef popart_popx_op_sgd1nesterovx_hpp
#define popart_popx_op_sgd1nesterovx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SGD1NesterovOpx : public Opx {
 public:
  SGD1NesterovOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SGD1NesterovOpx"), nullptr) {}

 protected:
  poplar::Tensor compute(poplar::program::Sequence&, poplar::Tensor, poplar::Tensor, poplar::Tensor,
                         poplar::Tensor, float, float, bool) const {
    emulator::missing("popart::popx::SGD1NesterovOpx::compute");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_sgd1nesterovx_hpp
