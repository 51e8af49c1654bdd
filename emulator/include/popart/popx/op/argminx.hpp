#ifndef popart_popx_op_argminx_hpp
#define popart_popx_op_argminx_hpp

#include <popart/emulator/absent.hpp>
#include <popart/popx/op/argextremax.hpp>
#include <poplar/Tensor.hpp>

namespace popart {
namespace popx {

class ArgMinOpx : public ArgExtremaOpx {
 public:
  using ArgExtremaOpx::ArgExtremaOpx;

 private:
  poplar::Tensor extremaOp(poplar::program::Sequence&, const poplar::Tensor&) const override {
    emulator::missing("popart::popx::ArgMinOpx::extremaOp");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_argminx_hpp
