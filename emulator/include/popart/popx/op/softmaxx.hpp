#ifndef popart_popx_op_softmaxx_hpp
#define popart_popx_op_softmaxx_hpp

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Op;

namespace popx {

class Devicex;
class SoftmaxComputex : public EwuComputex {
 public:
  SoftmaxComputex(int64_t, bool, const std::vector<size_t>&) {
    emulator::missing("popart::popx::SoftmaxComputex");
  }
  void inplace(poplar::program::Sequence&, poplar::Graph&, const poplar::Tensor&,
               const poplar::DebugNameAndId&, const std::string&) const override {
    emulator::missing("popart::popx::SoftmaxComputex::inplace");
  }
  static std::unique_ptr<EwuComputex> get(int64_t, bool, const std::vector<size_t>&) {
    emulator::missing("popart::popx::SoftmaxComputex::get");
  }
  void setAxis(int64_t) { emulator::missing("popart::popx::SoftmaxComputex::setAxis"); }
};

class SoftmaxOpx : public ElementWiseUnaryOutplaceOpx {
 public:
  SoftmaxOpx(Op*, Devicex*)
      : ElementWiseUnaryOutplaceOpx(
            emulator::absent<Op*>("popart::popx::SoftmaxOpx"), nullptr,
            std::move(emulator::absent<std::unique_ptr<EwuComputex>>("popart::popx::SoftmaxOpx"))) {
  }
};

class SoftmaxInplaceOpx : public ElementWiseUnaryInplaceOpx {
 public:
  SoftmaxInplaceOpx(Op*, Devicex*)
      : ElementWiseUnaryInplaceOpx(emulator::absent<Op*>("popart::popx::SoftmaxInplaceOpx"),
                                   nullptr,
                                   std::move(emulator::absent<std::unique_ptr<EwuComputex>>(
                                       "popart::popx::SoftmaxInplaceOpx"))) {}
};

class SoftmaxGradOpx : public ElementWiseUnaryOpx {
 public:
  SoftmaxGradOpx(Op*, Devicex*)
      : ElementWiseUnaryOpx(emulator::absent<Op*>("popart::popx::SoftmaxGradOpx"), nullptr) {}
};

class SoftmaxGradDirectOpx : public Opx {
 public:
  SoftmaxGradDirectOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::SoftmaxGradDirectOpx"), nullptr) {}
};

class NlllWithSoftmaxGradDirectOpx : public Opx {
 public:
  NlllWithSoftmaxGradDirectOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::NlllWithSoftmaxGradDirectOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_softmaxx_hpp
